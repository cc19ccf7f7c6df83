/** A person in the app of an account, and a visitor of its pages. */
import type { Emulator } from "../../emulator/index.ts";

type Holder = Readonly<{ emulator: Pick<Emulator, "baseUrl" | "apiKey"> }>;

/** Makes one call with the account's key. It has to succeed. */
export async function inTheApp<Answer = Record<string, unknown> & { id: string }>(
  { emulator: { baseUrl, apiKey } }: Holder,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Returns the names of everything that stacks of mugs make, with the list of each. */
export async function namesIn(holder: Holder): Promise<string[]> {
  const lists = ["projects", "sites", "pages", "products"].map(async (kind) => {
    const rows = await inTheApp<{ name?: string; page_name?: string }[]>(holder, "GET", `/${kind}?limit=100`);
    return rows.map(({ name, page_name }) => `${kind} ${page_name ?? name ?? ""}`);
  });
  return (await Promise.all(lists)).flat().sort();
}

export const editInApp = (holder: Holder, pageId: unknown, updates: object): Promise<unknown> =>
  inTheApp<unknown>(holder, "PATCH", "/pages/content", { page_id: pageId, updates });

export function publishInApp(
  holder: Holder,
  pageId: unknown,
  place: { siteId: unknown; slug: unknown },
): Promise<unknown> {
  const { siteId, slug } = place;
  return inTheApp<unknown>(holder, "POST", "/pages/publish", { page_id: pageId, site_id: siteId, slug });
}

/** Returns a page's texts by content key, as the service shows them: of its draft, or as they are live. */
export async function textsInApp(holder: Holder, pageId: string): Promise<Record<string, string>> {
  const map = await inTheApp<{ fields: string }>(holder, "GET", `/search/page-content-map?page_id=${pageId}`);
  const fields = JSON.parse(map.fields) as { key: string; value: string }[];
  return Object.fromEntries(fields.map(({ key, value }) => [key, value]));
}

/** Returns the published revision of a page, as text; "null" for a draft. */
export function liveOf({ emulator }: { readonly emulator: Emulator }, pageId: string): string {
  const documents = emulator.records()["documents"] as unknown as { id: string; live: unknown }[];
  return JSON.stringify(documents.find(({ id }) => id === pageId)?.live ?? null);
}

/** Returns the texts of the draft, whatever the service shows. */
export async function draftInApp(
  holder: { readonly emulator: Emulator },
  pageId: string,
): Promise<Record<string, string>> {
  const { notShown } = holder.emulator;
  const shows = notShown.contentMapShows;
  notShown.contentMapShows = "draft";
  try {
    return await textsInApp(holder, pageId);
  } finally {
    notShown.contentMapShows = shows;
  }
}
