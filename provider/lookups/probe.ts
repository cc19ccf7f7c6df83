/**
 * Finds the content keys of a template. The API shows them for pages alone, so this makes a draft from the template, reads it and deletes
 * it again. It is the one lookup that writes, and is never made unasked.
 */
import { randomBytes } from "node:crypto";
import { ApiError, type LandformApi } from "../api/index.ts";
import { patientLook } from "../account/patience.ts";
import { removed } from "../account/removal.ts";
import { LookupError } from "../definition/collection.ts";
import { getContentMap, getTemplate } from "./others.ts";

export interface ProbedKeys {
  readonly keys: readonly string[];
  /** Placeholders that a page of this template starts with. */
  readonly variables: readonly string[];
}

const PATIENCE_MS = 20_000;

export async function probeTemplate(
  api: LandformApi,
  { templateId, patienceMs = PATIENCE_MS }: { readonly templateId: string; readonly patienceMs?: number },
): Promise<ProbedKeys> {
  const { id, type } = await getTemplate(api, { id: templateId });
  // This name finds the draft again if the answer to its creation is lost.
  const name = `landform probe ${randomBytes(6).toString("hex")}`;
  const from = { template_id: id, name };
  const make = () => (type === "quiz" ? api.quizzes.createFromTemplate(from) : api.pages.createFromTemplate(from));
  const draft = await idOf(make, () => findDraft(api, name), name, patienceMs);
  try {
    const { content, variables } = await getContentMap(api, { pageId: draft });
    return { keys: Object.keys(content), variables };
  } finally {
    await remove(api, draft, name, patienceMs);
  }
}

async function idOf(
  make: () => Promise<{ id: string }>,
  find: () => Promise<string | undefined>,
  name: string,
  patienceMs: number,
): Promise<string> {
  try {
    return (await make()).id;
  } catch (error) {
    if (!(error instanceof ApiError) || error.outcome === "refused") throw error;
    const id = await patientLook(find, patienceMs);
    if (id !== undefined) return id;
    throw new LookupError(
      `The answer to the making of a draft was lost, and no draft named "${name}" has turned up. Look for it in the app and delete it. ${error.message}`,
    );
  }
}

async function findDraft(api: LandformApi, name: string): Promise<string | undefined> {
  const found = await api.pages.search({ query: name, limit: 100 });
  return found.find((page) => page.page_name === name)?.id;
}

async function remove(api: LandformApi, id: string, name: string, patienceMs: number): Promise<void> {
  const deletion = { kind: "draft", id, call: `DELETE /pages/${id}`, send: () => api.pages.delete(id) };
  try {
    const { there, unconfirmed } = await removed({ ...deletion, look: () => api.pages.read(id) }, patienceMs);
    const doubt = there ?? (unconfirmed && `${deletion.call}: ${unconfirmed}.`);
    if (doubt !== undefined) throw new LookupError(doubt);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LookupError(`The draft "${name}" (${id}) could not be deleted again; delete it in the app. ${why}`);
  }
}
