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
