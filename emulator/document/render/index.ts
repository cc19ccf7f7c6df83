import type { PageDocument } from "../types.ts";

export interface RenderInput {
  page: { id: string; page_name: string };
  document: PageDocument;
  site?: { name: string | null } | null;
  /** Where the next step of the page's funnel is, if it has one. */
  funnelNextUrl?: string | null;
  /** Where forms are posted to, as application/x-www-form-urlencoded; see `readSubmission`. */
  formAction: string;
  /** Node id of the form that the visitor has just sent: its thank-you stands in its place. */
  submitted?: string | null;
}

/** A whole HTML page. Works without JavaScript; whatever the content holds comes out as text. */
export function renderPage(input: RenderInput): string {
  return `<!doctype html><title>${input.page.id}</title>`;
}
