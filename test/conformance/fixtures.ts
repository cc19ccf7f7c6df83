/** Records for tests to work on. They are deleted after the file's tests, if the service can delete them. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Fields, inside } from "./expectations.ts";
import type { Connection, Target } from "./target.ts";

export const unique = (word: string): string => `${word} ${randomUUID().slice(0, 13)}`;
export const missingId = "does-not-exist-0000";

export const projectBody = (): Record<string, string> => ({
  name: unique("Project"),
  description: "A project of the conformance suite, made and deleted by its tests.",
  context: "The brand is plain, the offer is a mug. ".repeat(6),
});

/** Makes a record that `remove` deletes after the file's tests. */
export async function made(target: Target, id: string, body: object, remove: string): Promise<Fields> {
  const fields = await target.record(id, { body });
  target.later(() => target.call(remove, { at: fields.id }));
  return fields;
}

export const makeProject = (target: Target, more: object = {}): Promise<Fields> =>
  made(target, "createProject", { ...projectBody(), ...more }, "deleteProject");

/** Sites cannot be deleted; on a foreign server they stay behind. */
export async function makeSite(target: Target, more: Record<string, string> = {}): Promise<Fields> {
  const name = `${unique("site").replace(" ", "-")}.example`;
  return await target.record("createSite", { body: { name, ...more } });
}

export const makePage = (target: Target, more: object = {}): Promise<Fields> =>
  made(target, "createPage", { name: unique("Page"), ...more }, "deletePage");

export const makeTemplatedPage = (target: Target, template_id: string, more: object = {}): Promise<Fields> =>
  made(target, "createPageFromTemplate", { template_id, name: unique("Templated"), ...more }, "deletePage");

export const makeQuiz = (target: Target, more: object = {}): Promise<Fields> =>
  made(target, "createQuiz", { name: unique("Quiz"), ...more }, "deletePage");

export async function makeTemplatedQuiz(target: Target, more: object = {}): Promise<Fields> {
  const body = { template_id: (await someTemplate(target, "quiz")).id, name: unique("Quiz"), ...more };
  return made(target, "createQuizFromTemplate", body, "deletePage");
}

export const makeProduct = (target: Target, more: object = {}): Promise<Fields> =>
  made(target, "createProduct", { name: unique("Mug"), ...more }, "deleteProduct");

/** Funnels cannot be deleted; on a foreign server they stay behind. */
export const makeFunnel = async (target: Target, more: object = {}): Promise<Fields> =>
  await target.record("createFunnel", { body: { name: unique("Funnel"), ...more } });

/** Publishes the page, on a new site unless one is given. */
export async function publish(
  target: Target,
  pageId: string,
  siteId?: string,
  slug: string = randomUUID(),
): Promise<Fields> {
  const site = siteId ?? (await makeSite(target)).id;
  return await target.record("publishPage", { body: { page_id: pageId, site_id: site, slug } });
}

export async function someTemplate(target: Target, type = "page"): Promise<Fields> {
  const [first] = await target.list("listTemplates", { query: { type } });
  expect(first, `a template of type ${type}`).toBeDefined();
  return first as Fields;
}

/** A new page whose template has variables. */
export async function makeVariablePage(target: Target): Promise<Fields & { variables: string[] }> {
  for (const template of await target.list("listTemplates")) {
    const page = await makeTemplatedPage(target, template.id);
    const map = await target.record("getContentMap", { query: { page_id: page.id } });
    if (Number(map.variable_count) > 0) return { ...page, variables: inside(map.variables) as string[] };
  }
  throw new Error("No template has variables");
}

export type ContentEntry = { key: string; value: string | undefined };

/** Returns the entries of a content map. The specification does not show their shape, so this finds key and value by the names that they may have. */
export const contentOf = async (target: Connection, pageId: string): Promise<ContentEntry[]> =>
  entriesOf(inside((await target.record("getContentMap", { query: { page_id: pageId } })).fields));

function entriesOf(fields: unknown): ContentEntry[] {
  if (!Array.isArray(fields)) return Object.entries(fields as object).map(([key, entry]) => entryOf({ key }, entry));
  return (fields as Record<string, unknown>[]).flatMap((item) => {
    const group = Object.values(item).find((value) => Array.isArray(value));
    return group === undefined ? [entryOf(item, item)] : entriesOf(group);
  });
}

function entryOf(named: Record<string, unknown>, entry: unknown): ContentEntry {
  const held = typeof entry === "object" && entry !== null ? (entry as Record<string, unknown>) : { value: entry };
  const value = held.value ?? held.text ?? held.content;
  return { key: String(named.key ?? named.id ?? named.name), value: typeof value === "string" ? value : undefined };
}

/** Looks again for a while, because lists may show a change late. */
export async function eventually<T>(look: () => Promise<T>, done: (found: T) => boolean): Promise<T> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await look();
    if (done(found) || Date.now() > deadline) return found;
    await sleep(100);
  }
}

/** Returns the records of a list operation once the one with this id is among them (or is not, for `present` = false). */
export async function listed(
  target: Target,
  operation: string,
  id: string,
  query: Record<string, string | number | boolean> = {},
  present = true,
): Promise<Fields[]> {
  const has = (found: Fields[]): boolean => found.some((item) => item.id === id);
  const found = await eventually(
    () => target.list(operation, { query }),
    (items) => has(items) === present,
  );
  expect(has(found), `${operation} ${JSON.stringify(query)} shows ${id}`).toBe(present);
  return found;
}
