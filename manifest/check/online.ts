/** The checks of a manifest that need the account. They only read. */
import { listed } from "../../provider/values/wording.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import { didYouMean, nearest } from "../../provider/values/nearest.ts";
import * as lookups from "../../provider/lookups/index.ts";
import { spotOf } from "../declare/faults.ts";
import { Diagnostics, type Diagnostic } from "../source/diagnostics.ts";
import { shapeOf } from "../../provider/definition/schema-walk.ts";
import { alternative, fieldsOf } from "../language/fields.ts";
import { type Deferred, deferredIn, type Entry, isTreeMap, type Manifest } from "../declare/model.ts";
import type { Spot, Tree } from "../declare/model.ts";
import { ContentKeys, type MadePage, type Probe } from "./content-keys.ts";
import type { TemplateKeys } from "../language/templates.ts";
import { nodePaths } from "../../provider/account/builder-tree.ts";
import { orGone } from "../../provider/account/presence.ts";

export interface OnlineOptions {
  /** Existing pages from the state, by address (`pages.offer`): the checks compare content keys and nodes with them. */
  readonly made?: ReadonlyMap<string, MadePage>;
  readonly templates?: ReadonlyMap<string, TemplateKeys>;
  /** Clients of further accounts, by key. If one is missing, the check reports what it can't verify. */
  readonly accounts?: ReadonlyMap<string, LandformApi>;
  /** Looks at the keys of a template with a draft. Undefined if nobody said that the check may make one. */
  readonly probe?: Probe | undefined;
}

const NODES_SHOWN = 3;

interface Named {
  readonly what: string;
  readonly id: string;
  readonly spot: Spot;
}

export async function validateOnline(
  manifest: Manifest,
  api: LandformApi,
  options: OnlineOptions = {},
): Promise<Diagnostic[]> {
  const checker = new Checker(manifest, options);
  await Promise.all(
    manifest.entries.flatMap((entry) => {
      const client = entry.account === undefined ? api : options.accounts?.get(entry.account);
      return client ? [checker.entry(entry, client)] : [];
    }),
  );
  checker.tellUnverified(manifest, options);
  return checker.diagnostics.list();
}

class Checker {
  readonly diagnostics = new Diagnostics();
  readonly #made: ReadonlyMap<string, MadePage>;
  readonly #keys: ContentKeys;
  readonly #asked = new Map<string, Promise<string | undefined>>();
  /** Entries whose content can't be checked, by the owner of the unknown keys. */
  readonly #unknown = new Map<string, { entries: Entry[]; hint: string | undefined }>();
  readonly #doubts = new Set<string>();

  constructor(manifest: Manifest, { made = new Map(), templates = new Map(), probe }: OnlineOptions) {
    const entries = new Map(manifest.entries.map((entry) => [entry.address, entry]));
    this.#made = made;
    this.#keys = new ContentKeys({ made, templates, entries, probe });
  }

  async entry(entry: Entry, api: LandformApi): Promise<void> {
    const ids = [...idsIn(entry)].map((named) => this.#id(named, entry.account, api));
    const names = [...deferredIn(entry.inputs)].map((deferred) => this.#lookup(deferred, entry.account, api));
    await Promise.all([...ids, ...names, this.#content(entry, api), this.#nodes(entry, api)]);
  }

  async #id({ what, id, spot }: Named, account: string | undefined, api: LandformApi): Promise<void> {
    const problem = await this.#ask(["id", what, id, account], () => lookups.lookupId(what, api, { id }));
    if (problem !== undefined) this.#tell("not-in-account", spot, problem);
  }

  async #lookup({ origin, place, path }: Deferred, account: string | undefined, api: LandformApi): Promise<void> {
    if (origin.from !== "lookup" || typeof origin.name !== "string") return;
    const { what, name } = origin;
    const problem = await this.#ask(["name", what, name, account], () => lookups.lookupId(what, api, { name }));
    if (problem !== undefined) this.#tell("lookup", { place, path }, problem);
  }

  /** Returns the problem that the lookup reports, or undefined. Looks up each thing once. */
  #ask(subject: readonly unknown[], find: () => Promise<unknown>): Promise<string | undefined> {
    const key = JSON.stringify(subject);
    const asked = this.#asked.get(key) ?? problemOf(find());
    this.#asked.set(key, asked);
    return asked;
  }

  async #content(entry: Entry, api: LandformApi): Promise<void> {
    const { content } = entry.inputs;
    if (!isTreeMap(content) || Object.keys(content).length === 0) return;
    const { of, keys, hint, doubt } = await this.#keys.find(entry, api);
    if (doubt !== undefined && !this.#doubts.has(doubt)) {
      this.#doubts.add(doubt);
      this.#unverified(spotOf(entry, ["content"]), doubt);
    }
    if (keys === undefined) {
      const entries = [...(this.#unknown.get(of)?.entries ?? []), entry];
      this.#unknown.set(of, { entries, hint });
      return;
    }
    for (const key of Object.keys(content).filter((name) => !keys.includes(name))) {
      const spot = spotOf(entry, ["content", key]);
      const message = `${of} has no content key "${key}"${didYouMean(key, keys)}`;
      this.#tell("not-in-account", spot, message, `Keys: ${listed(keys)}.`);
    }
  }

  /** Reports the things that no read could verify, because such a manifest can't be called valid. */
  tellUnverified({ entries, accounts }: Manifest, { accounts: clients }: OnlineOptions): void {
    for (const [of, { entries: those, hint }] of this.#unknown) {
      const [first] = entries.filter((entry) => those.includes(entry));
      if (first === undefined) continue;
      const more = those.length === 1 ? "" : ` (${those.length} resources use it)`;
      const until = hint === undefined ? "it exists" : "its first page exists";
      this.#unverified(spotOf(first, ["content"]), `the keys of ${of} are unknown until ${until}${more}`, hint);
    }
    for (const { key, place } of accounts) {
      const count = entries.filter(({ account }) => account === key).length;
      if (count === 0 || clients?.has(key) === true) continue;
      const belong = count === 1 ? "1 resource belongs" : `${count} resources belong`;
      const message = `Landform asked nothing of this account, although ${belong} to it`;
      this.#unverified({ place, path: `accounts.${key}` }, message);
    }
  }

  #unverified({ place, path }: Spot, message: string, hint?: string): void {
    this.diagnostics.warning("unverified", place, `${path}: ${message}`, { path, hint });
  }

  /** Asks the page itself for its nodes. The service doesn't say if a copy has the nodes of its original. */
  async #nodes(entry: Entry, api: LandformApi): Promise<void> {
    const named = nodesIn(entry);
    const [first] = named;
    if (first === undefined) return;
    const own = this.#made.get(entry.address)?.id ?? entry.inputs["adoptId"];
    const pageId = typeof own === "string" ? own : undefined;
    if (pageId === undefined) {
      this.#unverified(first.spot, "the nodes are unknown until the page exists");
      return;
    }
    // The check reports a page that is gone at the place that names it.
    const summary = await orGone(lookups.getBuilderTree(api, { pageId, includeTree: true }));
    const known = nodePaths(summary?.builder["tree"]);
    if (known.size === 0) return;
    for (const { id, spot } of named.filter((node) => !known.has(node.id))) {
      const near = nearest(id, known.keys(), NODES_SHOWN);
      const shown = near.length > 0 ? near : [...known.keys()].slice(0, NODES_SHOWN);
      const places = shown.map((node) => `${node} (${known.get(node) ?? ""})`);
      const message = `the page has no builder node "${id}"${didYouMean(id, known.keys())}`;
      const hint = `${near.length > 0 ? "The nearest are" : "It has"} ${places.join(", ")}.`;
      this.#tell("not-in-account", spot, message, hint);
    }
  }

  #tell(code: "lookup" | "not-in-account", { place, path }: Spot, message: string, hint?: string): void {
    this.diagnostics.fault(code, { place, path }, `: ${message}`, hint);
  }
}

async function problemOf(finding: Promise<unknown>): Promise<string | undefined> {
  try {
    await finding;
    return undefined;
  } catch (error) {
    if (error instanceof lookups.LookupError) return error.message;
    throw error;
  }
}

function nodesIn(entry: Entry): { id: string; spot: Spot }[] {
  const { nodes, delay } = entry.inputs;
  const patched = isTreeMap(nodes) ? Object.keys(nodes) : [];
  const named = patched.map((id) => ({ id, spot: spotOf(entry, ["nodes", id]) }));
  const video = isTreeMap(delay) ? delay["videoNodeId"] : undefined;
  return typeof video === "string" ? [...named, { id: video, spot: spotOf(entry, ["delay", "videoNodeId"]) }] : named;
}

function* idsIn(entry: Entry): Generator<Named> {
  const { adoptId } = entry.inputs;
  const { lookup } = entry.definition;
  if (typeof adoptId === "string" && lookup) yield { what: lookup.what, id: adoptId, spot: spotOf(entry, ["adoptId"]) };
  yield* idsBelow(entry, entry.inputs, entry.definition.inputs, []);
}

function* idsBelow(entry: Entry, tree: Tree | undefined, schema: unknown, path: PropertyKey[]): Generator<Named> {
  const shape = shapeOf(schema);
  if (shape.type === "union" && isTreeMap(tree)) {
    yield* idsBelow(entry, tree, alternative(shape.options, Object.keys(tree)), path);
  } else if (shape.type === "object" && isTreeMap(tree)) {
    // A step's page and its quiz are one input: the page's id names both.
    const fields = new Map([...fieldsOf(shape.object).values()].reverse().map((field) => [field.input, field]));
    for (const field of fields.values()) {
      const value = tree[field.input];
      const spot = spotOf(entry, [...path, field.input]);
      if (field.reference && typeof value === "string") yield { what: field.reference.what, id: value, spot };
      else yield* idsBelow(entry, value, field.schema, [...path, field.input]);
    }
  } else if (shape.type === "list" && Array.isArray(tree)) {
    for (const [index, item] of tree.entries()) yield* idsBelow(entry, item, shape.element, [...path, index]);
  }
}
