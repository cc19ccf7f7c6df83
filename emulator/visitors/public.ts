import type { IncomingMessage } from "node:http";
import { type PageDocument, renderPage } from "../document/index.ts";
import { escapeHtml } from "../document/render/escape.ts";
import { html, readBody, type Reply } from "../http/http.ts";
import { submit } from "../records/leads.ts";
import { draftOf } from "../records/pages.ts";
import type { PageRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import { type Addressing, pageUrl } from "./urls.ts";

/** The public side: published revisions at their addresses, with forms that make leads. */

/** Returns the label of a site's host name such as `spring.localhost:4010`; undefined for other hosts. */
export function labelOfHost(host: string | undefined): string | undefined {
  return /^(.+)\.localhost(:\d+)?$/i.exec(host ?? "")?.[1]?.toLowerCase();
}

/** Answers a visit of a path on a site. */
export function visit(service: Service, label: string, path: string, addressing: Addressing): Reply {
  const site = service.sites.all().find((other) => other.label === label);
  if (site === undefined) return notHere(`There is no site ${label}`);
  const slug = slugOf(path);
  const page = service.pages
    .all()
    .filter(({ siteId, status, ...rest }) => siteId === site.id && status === "published" && rest.slug === slug)
    .reduce<PageRecord | undefined>((newest, other) => later(newest, other), undefined);
  const live = page && servedTo(service, page);
  if (page === undefined || !live) return notHere(`${site.name} has no page at /${slug ?? ""}`);
  const rendered = render(service, page, live, { addressing });
  return html(200, service.notShown.clientRendered ? madeInBrowser(rendered) : rendered);
}

function servedTo(service: Service, { id }: PageRecord): PageDocument | null | undefined {
  const former = service.formerly.get(id);
  const lags = former !== undefined && Date.now() < former.at + service.notShown.publicLagMs;
  return lags ? former.live : service.documents.get(id)?.live;
}

function madeInBrowser(page: string): string {
  const data = Buffer.from(page).toString("base64");
  const script = `const bytes = Uint8Array.from(atob("${data}"), (c) => c.charCodeAt(0));
setTimeout(() => { document.open(); document.write(new TextDecoder().decode(bytes)); document.close(); }, 50);`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>…</title></head><body><div id="root"></div><script>${script}</script></body></html>`;
}

/** Takes a posted form of a published page. */
export async function receive(service: Service, pageId: string, request: IncomingMessage): Promise<Reply> {
  const page = service.pages.get(pageId);
  const live = service.documents.get(pageId)?.live;
  if (page?.status !== "published" || !live) return notHere("There is no published page to send this form to");
  if (request.method !== "POST") return notHere("Forms are sent with POST");
  const posted = new URLSearchParams((await readBody(request, service.notShown.maxBodyBytes)).toString("utf8"));
  const lead = submit(service, page, live, posted);
  service.commit();
  if (lead === undefined) return notHere(`The page "${page.pageName}" has no such form`);
  const addressing = labelOfHost(request.headers.host) === undefined ? "path" : "host";
  return html(200, render(service, page, live, { addressing, submitted: posted.get("form_id") }));
}

/** Renders the draft as a publication would now show it. `edit_url` leads there. */
export function preview(service: Service, pageId: string): Reply {
  const page = service.pages.get(pageId);
  if (page === undefined) return notHere("There is no such page to edit");
  return html(200, render(service, page, draftOf(service, page), { addressing: "path" }));
}

function render(
  service: Service,
  page: PageRecord,
  document: PageDocument,
  { addressing, submitted }: { addressing: Addressing; submitted?: string | null },
): string {
  return renderPage({
    page: { id: page.id, page_name: page.pageName },
    document,
    site: service.sites.get(page.siteId ?? "") ?? null,
    funnelNextUrl: nextStep(service, page, addressing),
    formAction: `/_submit/${page.id}`,
    submitted: submitted ?? null,
  });
}

/** Returns the next step of the funnel after this page. */
function nextStep(service: Service, page: PageRecord, addressing: Addressing): string | null {
  for (const { steps } of service.funnels.all()) {
    const index = steps.findIndex(({ pageId }) => pageId === page.id);
    const next = index === -1 ? undefined : steps[index + 1];
    if (next === undefined) continue;
    const nextPage = service.pages.get(next.pageId ?? "");
    return nextPage === undefined ? (next.url ?? null) : pageUrl(service, nextPage, addressing);
  }
  return null;
}

function slugOf(path: string): string | undefined {
  try {
    return decodeURI(path).replace(/^\/+|\/+$/g, "");
  } catch {
    return undefined;
  }
}

function later(newest: PageRecord | undefined, other: PageRecord): PageRecord {
  return newest === undefined || (other.publishedAt ?? "") > (newest.publishedAt ?? "") ? other : newest;
}

function notHere(what: string): Reply {
  const style =
    ":root{color-scheme:light dark}body{font:18px/1.6 system-ui,sans-serif;margin:20vh auto;max-width:34rem;padding:0 1.5rem;overflow-wrap:anywhere}h1{font-size:1.8rem;line-height:1.25}";
  const text = `<h1>Page not found</h1><p>${escapeHtml(what)}.</p>`;
  return html(
    404,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Page not found</title><style>${style}</style></head><body>${text}</body></html>`,
  );
}
