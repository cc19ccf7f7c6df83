/**
 * Finds the content keys of a template. The API shows them for pages alone, so this makes a draft from the template, reads it and deletes
 * it again. It is the only lookup that writes, so it runs only if a person asks for it.
 */
import { randomBytes } from "node:crypto";
import type { Account } from "../account/account.ts";
import type { LandformApi } from "../api/index.ts";
import { LookupError } from "../definition/collection.ts";
import { ContentFields } from "../account/content-map.ts";
import { reasonOf } from "../values/wording.ts";
import { getTemplate } from "./others.ts";

export interface PageKeys {
  readonly keys: string[];
  /** The placeholders without a value, each with the keys that hold it: none if it stands elsewhere on the page. */
  readonly variables: Record<string, string[]>;
}

export async function keysOfPage(api: LandformApi, pageId: string): Promise<PageKeys> {
  const map = await api.builder.contentMap(pageId);
  const fields = new ContentFields(map.fields);
  const variables = Object.fromEntries(map.variables.map((name) => [name, fields.holding(name)]));
  return { keys: fields.keys(), variables };
}

export async function probeTemplate(
  account: Account,
  { templateId }: { readonly templateId: string },
): Promise<PageKeys> {
  const { api } = account;
  const { id, type } = await getTemplate(api, { id: templateId });
  // This name finds the draft again if the answer to its creation is lost.
  const name = `landform probe ${randomBytes(6).toString("hex")}`;
  const from = { template_id: id, name };
  const draft = await account.make({
    called: `the draft "${name}"`,
    send: () => (type === "quiz" ? api.quizzes.createFromTemplate(from) : api.pages.createFromTemplate(from)),
    find: () => findDraft(api, name),
    forGood: false,
  });
  try {
    return await keysOfPage(api, draft.id);
  } finally {
    await remove(account, draft.id, name);
  }
}

async function findDraft(api: LandformApi, name: string): Promise<{ readonly id: string } | undefined> {
  const found = await api.pages.search({ query: name, limit: 100 });
  return found.find((page) => page.page_name === name);
}

async function remove(account: Account, id: string, name: string): Promise<void> {
  const { pages } = account.api;
  const call = `DELETE /pages/${id}`;
  try {
    const removal = { kind: "draft", id, call, send: () => pages.delete(id), look: () => pages.read(id) };
    const { there, unconfirmed } = await account.removed(removal);
    const doubt = there ?? (unconfirmed && `${call}: ${unconfirmed}.`);
    if (doubt !== undefined) throw new LookupError(doubt);
  } catch (error) {
    const what = `The draft "${name}" (${id}) could not be deleted again; delete it in the app.`;
    throw new LookupError(`${what} ${reasonOf(error)}`);
  }
}
