/** What only the account can tell about a manifest. Everything here reads; nothing is changed. */
import { NotFoundError, type LandformApi } from "../../provider/api/index.ts";
import { didYouMean, nearest } from "../../provider/lifecycle/nearest.ts";
import * as lookups from "../../provider/lookups/index.ts";
import { nodePaths } from "../../provider/resources/pages/nodes.ts";
import { spotOf } from "../declarations/check.ts";
import { Diagnostics, type Diagnostic } from "../diagnostics/diagnostics.ts";
import { shapeOf } from "../../provider/schema-walk.ts";
import { alternative, fieldsOf } from "../language/fields.ts";
import { Deferred, deferredIn, type Entry, type Manifest, type Spot, type Tree } from "../declarations/model.ts";

export interface OnlineOptions {
  /** Ids in the state, by address (`pages.offer`): content keys and nodes are checked on pages that exist already. */
  readonly ids?: ReadonlyMap<string, string>;
  /** Clients of further accounts, by key. Entries of accounts without one are not checked. */
  readonly accounts?: ReadonlyMap<string, LandformApi>;
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
  return checker.diagnostics.list();
}

class Checker {
  readonly diagnostics = new Diagnostics();
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #asked = new Map<string, Promise<string | undefined>>();

  constructor({ entries }: Manifest, { ids = new Map<string, string>() }: OnlineOptions) {
    this.#entries = new Map(entries.map((entry) => [entry.address, entry]));
    this.#ids = ids;
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

  /** What the lookup says against it, or nothing. Each thing is asked for once. */
  #ask(subject: readonly unknown[], find: () => Promise<unknown>): Promise<string | undefined> {
    const key = JSON.stringify(subject);
    const asked = this.#asked.get(key) ?? problemOf(find());
    this.#asked.set(key, asked);
    return asked;
  }

  async #content(entry: Entry, api: LandformApi): Promise<void> {
    const { content } = entry.inputs;
    const pageId = this.#existing(entry);
    if (pageId === undefined || !isTreeMap(content)) return;
    const map = await unlessGone(lookups.getContentMap(api, { pageId }));
    if (!map) return;
    const known = Object.keys(map.content);
    for (const key of Object.keys(content).filter((name) => !known.includes(name))) {
      const spot = spotOf(entry, ["content", key]);
      const message = `the page has no content key "${key}"${didYouMean(key, known)}`;
      this.#tell("not-in-account", spot, message, `Keys: ${known.join(", ")}.`);
    }
  }

  /** Nodes are asked of the page itself: whether a copy has those of its original is not said. */
  async #nodes(entry: Entry, api: LandformApi): Promise<void> {
    const pageId = this.#own(entry);
    const named = nodesIn(entry);
    if (pageId === undefined || named.length === 0) return;
    const summary = await unlessGone(lookups.getBuilderTree(api, { pageId, includeTree: true }));
    const known = nodePaths(summary?.builder["tree"]);
    if (known.size === 0) return;
    for (const { id, spot } of named.filter((node) => !known.has(node.id))) {
      const near = nearest(id, known.keys(), NODES_SHOWN);
      const shown = near.length > 0 ? near : [...known.keys()].slice(0, NODES_SHOWN);
      const places = shown.map((node) => `${node} (${known.get(node) ?? ""})`);
      const message = `the page has no builder node "${id}"${didYouMean(id, known.keys())}`;
      this.#tell(
        "not-in-account",
        spot,
        message,
        `${near.length > 0 ? "The nearest are" : "It has"} ${places.join(", ")}.`,
      );
    }
  }

  #own({ address, inputs: { adoptId } }: Entry): string | undefined {
    const own = this.#ids.get(address) ?? adoptId;
    return typeof own === "string" ? own : undefined;
  }

  /** The page whose content keys an entry has: itself, or the one that it is a copy of. */
  #existing(entry: Entry): string | undefined {
    const { duplicateOf } = entry.inputs;
    const own = this.#own(entry);
    if (own !== undefined) return own;
    if (typeof duplicateOf === "string") return duplicateOf;
    if (!(duplicateOf instanceof Deferred) || duplicateOf.origin.from !== "resource") return undefined;
    const source = this.#entries.get(duplicateOf.origin.target);
    return source && this.#existing(source);
  }

  #tell(code: "lookup" | "not-in-account", { place, path }: Spot, message: string, hint?: string): void {
    this.diagnostics.error(code, place, `${path}: ${message}`, { path, hint });
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

/** Undefined for a page that is gone: that is told where it is named. */
async function unlessGone<T>(finding: Promise<T>): Promise<T | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The builder nodes that an entry names. */
function nodesIn(entry: Entry): { id: string; spot: Spot }[] {
  const { nodes, delay } = entry.inputs;
  const patched = isTreeMap(nodes) ? Object.keys(nodes) : [];
  const named = patched.map((id) => ({ id, spot: spotOf(entry, ["nodes", id]) }));
  const video = isTreeMap(delay) ? delay["videoNodeId"] : undefined;
  return typeof video === "string" ? [...named, { id: video, spot: spotOf(entry, ["delay", "videoNodeId"]) }] : named;
}

/** Every id that an entry names itself. */
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
    // A step's page and its quiz are one input: both are named by the page's id.
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

function isTreeMap(tree: Tree | undefined): tree is Record<string, Tree> {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree) && !(tree instanceof Deferred);
}
