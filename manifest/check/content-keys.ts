/** The content keys that an entry can have, and where they come from: its page, the pages of its template, or the file of template keys. */
import { landform } from "../../provider/values/command-line.ts";
import { listed } from "../../provider/values/wording.ts";
import { orGone } from "../../provider/account/presence.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import * as lookups from "../../provider/lookups/index.ts";
import { Deferred, type Entry, targetOf, type Tree } from "../declare/model.ts";
import { KEYS_FILE, PROBES, type TemplateKeys } from "../language/templates.ts";

/** A page as the last run left it. */
export interface MadePage {
  readonly id: string;
  readonly templateId?: string;
  readonly duplicateOf?: string;
  /** ISO-8601. */
  readonly createdAt?: string;
}

interface KeySources {
  /** By address (`pages.offer`). */
  readonly made: ReadonlyMap<string, MadePage>;
  readonly templates: ReadonlyMap<string, TemplateKeys>;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly probe: Probe | undefined;
}

/** Makes a draft from a template in the stack's own account, reads its keys, and deletes it again. */
export type Probe = (templateId: string) => Promise<readonly string[]>;

/** `of` names the owner of the keys for people. If `keys` is missing, nobody knows them, and `hint` says how to find them out. */
interface KeysOf {
  readonly of: string;
  readonly keys?: readonly string[];
  readonly hint?: string;
  /** A sentence about the kept keys of the template: they are behind it, or nothing newer tells of it. */
  readonly doubt?: string;
}

export class ContentKeys {
  readonly #sources: KeySources;
  readonly #maps = new Map<string, Promise<readonly string[] | undefined>>();
  readonly #probed = new Map<string, Promise<readonly string[]>>();

  constructor(sources: KeySources) {
    this.#sources = sources;
  }

  async find(entry: Entry, api: LandformApi): Promise<KeysOf> {
    const { templateId, duplicateOf, adoptId } = entry.inputs;
    const made = this.#sources.made.get(entry.address);
    const template = await templateOf(templateId, api);
    const source =
      typeof duplicateOf === "string" ? duplicateOf : this.#sources.made.get(targetOf(duplicateOf) ?? "")?.id;
    const stays =
      (template === undefined || made?.templateId === undefined || made.templateId === template) &&
      (source === undefined || made?.duplicateOf === undefined || made.duplicateOf === source);
    const own = made && stays ? made.id : typeof adoptId === "string" ? adoptId : undefined;
    const keys = own === undefined ? undefined : await this.#keysOfPage(own, api);
    if (keys) return { of: "the page", keys };
    if (template !== undefined) return this.#keysOfTemplate(template, entry, api);
    if (templateId !== undefined) return { of: "a template that is only known when it runs" };
    return duplicateOf === undefined ? { of: "a blank page" } : this.#keysOfOriginal(duplicateOf, source, api);
  }

  async #keysOfTemplate(template: string, { account }: Entry, api: LandformApi): Promise<KeysOf> {
    const kept = this.#sources.templates.get(template);
    const probed = account === undefined ? await this.#probe(template) : undefined;
    const seen = probed ?? (await this.#newestPage(template, account, api));
    if (kept !== undefined && seen !== undefined && seen.at > kept.readAt)
      return { of: template, keys: seen.keys, doubt: behindText(template, kept, seen) };
    if (kept !== undefined && seen === undefined && kept.readAt < new Date().toISOString().slice(0, 10))
      return {
        of: template,
        keys: kept.keys,
        doubt: `keys of ${template} are those of ${KEYS_FILE}, read on ${kept.readAt}: --probe looks again`,
      };
    if (kept || seen) return { of: template, keys: [...new Set([...(kept?.keys ?? []), ...(seen?.keys ?? [])])] };
    const hint = `${landform("templates keys", template, "--probe")} ${PROBES}`;
    return { of: template, hint };
  }

  async #probe(template: string): Promise<SeenKeys | undefined> {
    const { probe } = this.#sources;
    if (probe === undefined) return undefined;
    const probed = this.#probed.get(template) ?? probe(template);
    this.#probed.set(template, probed);
    return { keys: await probed, at: NOW, by: "a draft of now" };
  }

  async #newestPage(template: string, account: string | undefined, api: LandformApi): Promise<SeenKeys | undefined> {
    const pages = [...this.#sources.made].flatMap(([address, page]) =>
      page.templateId === template && this.#sources.entries.get(address)?.account === account ? [page] : [],
    );
    const [newest] = pages.sort((one, other) => (other.createdAt ?? "").localeCompare(one.createdAt ?? ""));
    const keys = newest && (await this.#keysOfPage(newest.id, api));
    return keys && { keys, at: (newest.createdAt ?? "").slice(0, 10), by: `page ${newest.id}, which was made later` };
  }

  #keysOfOriginal(duplicateOf: Tree, source: string | undefined, api: LandformApi): Promise<KeysOf> | KeysOf {
    const target = this.#sources.entries.get(targetOf(duplicateOf) ?? "");
    if (target) return this.find(target, api);
    if (source === undefined) return { of: "a page that is only known when it runs" };
    return this.#keysOfPage(source, api).then((keys) => (keys ? { of: "the page that it is a copy of", keys } : GONE));
  }

  /** Returns undefined for a page that is gone. Asks for each page once. */
  #keysOfPage(pageId: string, api: LandformApi): Promise<readonly string[] | undefined> {
    const asked = this.#maps.get(pageId) ?? keysOfPage(pageId, api);
    this.#maps.set(pageId, asked);
    return asked;
  }
}

interface SeenKeys {
  readonly keys: readonly string[];
  /** The day of the look, or of the page's making. */
  readonly at: string;
  readonly by: string;
}

/** Later than each day. */
const NOW = "now";

function behindText(
  template: string,
  { keys: kept, readAt }: TemplateKeys,
  { keys, by }: SeenKeys,
): string | undefined {
  const [come, gone] = [keys.filter((key) => !kept.includes(key)), kept.filter((key) => !keys.includes(key))];
  if (come.length + gone.length === 0) return undefined;
  const told = [
    come.length > 0 && `it lacks ${listed(come)}`,
    gone.length > 0 && `it still has ${listed(gone)}`,
  ].filter(Boolean);
  return `${KEYS_FILE} is older than ${template}: it was read on ${readAt}. Compared with ${by}, ${told.join(", and ")}. ${landform("templates keys", template, "--probe")} writes it anew`;
}

/** The check reports a missing page at the place that names it. */
const GONE: KeysOf = { of: "a page that is gone" };

async function keysOfPage(pageId: string, api: LandformApi): Promise<readonly string[] | undefined> {
  const map = await orGone(lookups.getContentMap(api, { pageId }));
  return map && Object.keys(map.content);
}

/** Returns undefined if no template is declared, or if it can't be known here. The lookup reports its own failures. */
async function templateOf(tree: Tree | undefined, api: LandformApi): Promise<string | undefined> {
  if (typeof tree === "string") return tree;
  if (!(tree instanceof Deferred) || tree.origin.from !== "lookup" || typeof tree.origin.name !== "string")
    return undefined;
  try {
    return await lookups.lookupId(tree.origin.what, api, { name: tree.origin.name });
  } catch (error) {
    if (error instanceof lookups.LookupError) return undefined;
    throw error;
  }
}
