/** Finds the content keys of a page or a template, and keeps them in the file of keys. Only a probe writes to the account. */
import { resolve } from "node:path";
import { nameOf } from "../engine/index.ts";
import { KEYS_FILE, PROBES, readKeysFile, writeKeysFile } from "../manifest/index.ts";
import type { Account } from "../provider/account/account.ts";
import type { LandformApi, Template } from "../provider/api/index.ts";
import { definitionOf } from "../provider/kinds/registry.ts";
import { getContentMap, getPage, LookupError } from "../provider/lookups/index.ts";
import { keysOfPage, probeTemplate } from "../provider/lookups/probe.ts";
import { type Json, mapBy, mapOf } from "../provider/values/json.ts";
import { insteadOf } from "../provider/values/nearest.ts";
import { UsageError } from "./exit/codes.ts";
import type { StateOptions } from "./options.ts";
import { projectFileIn } from "./project/files.ts";
import { openProject } from "./project/open.ts";
import { withAccount } from "./settings/settings.ts";
import { exportedState } from "./stacks/stacks.ts";
import { everyTemplate } from "../provider/lookups/templates.ts";

export interface FoundKeys {
  of: "page" | "template";
  id: string;
  name: string;
  /** Each key with the page's present value; null for a template, or if the service shows none. */
  keys: Record<string, Json>;
  /** Placeholders that have no value yet. */
  variables: readonly string[];
  source: string;
}

interface MadePage {
  name: string;
  id: string;
  templateId?: string;
  /** The content keys that the code writes. */
  written: readonly string[];
}

interface KeysQuestion {
  account: Account;
  /** An id or a name. */
  what: string;
  made: readonly MadePage[];
  folder: string;
  probe: boolean;
}

export async function findKeys(question: KeysQuestion): Promise<FoundKeys> {
  const { what, made } = question;
  const { api } = question.account;
  const own = made.filter(({ name, id }) => name === what || id === what);
  const [only, other] = own;
  if (only !== undefined && other === undefined) return ofPage(api, only.id, `read from the page ${only.id}`);
  const templates = await everyTemplate(api);
  const template = templates.find(({ id }) => id === what) ?? onlyNamed(templates, what);
  if (template !== undefined) return ofTemplate(question, template);
  const page = await pageOf(api, what);
  if (page !== undefined) return ofPage(api, page, `read from the page ${page}`);
  const names = [...templates.flatMap(({ id, name }) => [id, name]), ...made.map(({ name }) => name)];
  throw new UsageError(
    `there is no template and no page "${what}"${insteadOf(what, names, "There are")} A page goes by its name in the code, in the app, or its id`,
    { advice: [{ command: "templates ls", arguments: [], reason: "lists the templates." }] },
  );
}

async function ofTemplate(question: KeysQuestion, template: Template): Promise<FoundKeys> {
  const { account, made, folder, probe } = question;
  const { id, name } = template;
  const found = (keys: readonly string[], variables: readonly string[], source: string): FoundKeys => {
    return { of: "template", id, name, keys: mapBy(keys, () => null), variables, source };
  };
  if (probe) {
    const { keys, variables } = await probeTemplate(account, { templateId: id });
    writeKeysFile(folder, id, { name, keys, variables, readAt: today() });
    const source = `read from a draft that was made for it and deleted again, and kept in ${KEYS_FILE}`;
    return found(keys, Object.keys(variables), source);
  }
  const kept = readKeysFile(folder).get(id);
  if (kept !== undefined)
    return found(kept.keys, Object.keys(kept.variables), `kept in ${KEYS_FILE} since ${kept.readAt}`);
  const example = made.find(({ templateId }) => templateId === id);
  if (example !== undefined) {
    const source = `read from ${example.name} (${example.id}), which was made from it`;
    const { keys, variables } = await ofPage(account.api, example.id, source);
    return found(Object.keys(keys), variables, source);
  }
  throw new UsageError(`the keys of ${id} are unknown until its first page: the API shows them for pages alone`, {
    advice: [{ command: "templates keys", arguments: [id, "--probe"], reason: PROBES }],
  });
}

async function ofPage(api: LandformApi, pageId: string, source: string): Promise<FoundKeys> {
  const { content, variables } = await getContentMap(api, { pageId });
  const { pageName } = await getPage(api, { id: pageId });
  return { of: "page", id: pageId, name: pageName, keys: content, variables, source };
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function onlyNamed(templates: readonly Template[], name: string): Template | undefined {
  const [only, other] = templates.filter((template) => template.name === name);
  if (other === undefined) return only;
  throw new UsageError(
    `several templates are named "${name}" (${[only, other].map((one) => one?.id).join(", ")}). Give the id`,
  );
}

/** Returns undefined if there is no such page. Throws if several have the name. */
async function pageOf(api: LandformApi, what: string): Promise<string | undefined> {
  for (const wanted of [{ id: what }, { name: what }]) {
    try {
      return (await getPage(api, wanted)).id;
    } catch (error) {
      if (!(error instanceof LookupError)) throw error;
      if (error.ids.length > 1) throw new UsageError(error.message, { cause: error });
    }
  }
  return undefined;
}

/** Returns what was done, in one line each. Keys that a draft from the template showed (`--probe`) are more complete, and stay. */
export async function learnKeys(options: StateOptions): Promise<string[]> {
  const folder = resolve(options.C);
  const made = await recordedPages(options);
  const known = readKeysFile(folder);
  const unknown = new Map(
    made.flatMap(({ templateId, id, written }) =>
      templateId === undefined || known.has(templateId) ? [] : [[templateId, { id, written }] as const],
    ),
  );
  if (unknown.size === 0)
    return [
      made.length === 0 ? "The stack has no pages yet that could show keys." : "Its pages show no other template.",
    ];
  return withAccount(options, async ({ api }) => {
    const names = new Map((await everyTemplate(api)).map(({ id, name }) => [id, name]));
    const lines: string[] = [];
    for (const [templateId, { id: pageId, written }] of unknown) {
      const { keys, variables: open } = await keysOfPage(api, pageId);
      // A text of the code may have brought a placeholder that the template doesn't have.
      const isOfTemplate = (key: string): boolean => !written.includes(key);
      const held = Object.entries(open).filter(([, holders]) => holders.some(isOfTemplate));
      const variables = Object.fromEntries(held.map(([variable, holders]) => [variable, holders.filter(isOfTemplate)]));
      const name = names.get(templateId) ?? templateId;
      writeKeysFile(folder, templateId, { name, keys, variables, readAt: today() });
      lines.push(
        `${templateId} is added to ${KEYS_FILE}, from the page ${pageId}: variables that have a value there are not known.`,
      );
    }
    return lines;
  });
}

/** The pages in the state of a stack. Empty outside a project, and before its first run. */
export async function recordedPages({ C, stack, engine }: StateOptions): Promise<MadePage[]> {
  if (projectFileIn(C) === undefined) return [];
  const exported = await exportedState(engine, await openProject(C, { runs: false }), stack);
  return (exported?.deployment.resources ?? []).flatMap(({ urn, type, id, inputs }) => {
    if (id === undefined || !("content" in (definitionOf(type)?.inputs.shape ?? {}))) return [];
    const templateId = inputs?.["templateId"];
    const written = Object.keys(mapOf(inputs?.["content"]));
    return [{ name: nameOf(urn), id, written, ...(typeof templateId === "string" && { templateId }) }];
  });
}
