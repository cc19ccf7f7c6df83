/**
 * A page's draft as the service shows it: the fields of the content map, and the leaves of the builder tree, each under its node. The
 * specification shows the shape of neither. It does not say if the content map is of the draft or of the published version. The tree is the
 * draft's, and the map gives its texts names.
 */
import type { z } from "zod";
import type { PageFields } from "../../../account/documents.ts";
import { ForbiddenError } from "../../../api/index.ts";
import type { Apply } from "../../../definition/define.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import type { inputsOf } from "./inputs.ts";
import { isMap, type Json } from "../../../values/json.ts";

export type Scalar = string | number | boolean | null;

interface NodeView {
  /** Its place in the tree. */
  readonly path: string;
  /** By place in the node, such as `misc/text`. A node inside is a leaf that names it. */
  readonly leaves: ReadonlyMap<string, Scalar>;
  /** The texts in it, without its id, its type and its style. */
  readonly texts: readonly string[];
}

/** By node id. Leaves that belong to no node with an id are under "". Empty if the key may not read the builder. */
export type Nodes = ReadonlyMap<string, NodeView>;

export interface PageDocument {
  /** By content key; undefined if the service shows no value. The whole is undefined if the map was not read. */
  readonly fields: ReadonlyMap<string, Json | undefined> | undefined;
  readonly nodes: Nodes;
}

/** The draft of a page as far as it was read. A write makes a new one, of which nothing was read yet. */
export class Draft {
  readonly #run: RunContext;
  readonly #id: string;
  #fields: Promise<PageFields> | undefined;
  #nodes: Promise<Nodes> | undefined;

  constructor(run: RunContext, id: string) {
    this.#run = run;
    this.#id = id;
  }

  /** Returns the draft after a write that may have moved it. */
  written(): Draft {
    return new Draft(this.#run, this.#id);
  }

  /** Returns the draft with texts that were read elsewhere. */
  showing(fields: PageFields): Draft {
    const draft = this.written();
    draft.#fields = Promise.resolve(fields);
    return draft;
  }

  fields(): Promise<PageFields> {
    this.#fields ??= this.#run.account.documents.fields(this.#id).catch((error: unknown) => {
      // A failure is no answer: the next caller tries again.
      this.#fields = undefined;
      throw error;
    });
    return this.#fields;
  }

  nodes(): Promise<Nodes> {
    this.#nodes ??= readNodes(this.#run, this.#id).catch((error: unknown) => {
      this.#nodes = undefined;
      throw error;
    });
    return this.#nodes;
  }

  async tree(): Promise<PageDocument> {
    return { fields: undefined, nodes: await this.nodes() };
  }

  async whole(): Promise<PageDocument> {
    const [nodes, { fields }] = await Promise.all([this.nodes(), this.fields()]);
    return { nodes, fields: fields.all() };
  }
}

async function readNodes(run: RunContext, id: string): Promise<Nodes> {
  try {
    const { builder } = await run.api.builder.read(id, { include_tree: true });
    return nodesIn(builder.tree);
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    const text =
      `publish: whether page ${id} holds edits of others outside its content fields can't be asked, because the key ` +
      `may not read the builder (scope builder:read or pages:read): such edits go live with it.`;
    run.warnOnce({ code: "of-kind", kind: "page", id, topic: "builder-unread", text });
    return new Map();
  }
}

/** Stamps of the service. They move although nobody has edited the node. */
const STAMPS =
  /^(updated|modified|saved|changed|created|published|last_?saved)_?(at|on|by)?$|^(rendered|generated|compiled|built|cached)_?(at|on)$|^(_?rev|__v|revision|etag|checksum)$/i;
const SILENT = new Set(["id", "node_id", "nodeid", "type", "name", "style", "kind"]);
const ID_NAMES = ["id", "node_id", "nodeId"];

function nodesIn(tree: unknown): Nodes {
  const nodes = new Map<string, NodeView>();
  const top = new Map<string, Scalar>();
  collect(tree, { path: "", place: "", leaves: top, nodes });
  nodes.set("", { path: "", leaves: top, texts: textsIn(tree, false) });
  return nodes;
}

/** Returns the ids of all nodes of a builder tree with their place. */
export function nodePaths(tree: unknown): Map<string, string> {
  return new Map([...nodesIn(tree)].flatMap(([id, { path }]) => (id === "" ? [] : [[id, path]])));
}

interface Walk {
  readonly path: string;
  readonly place: string;
  readonly leaves: Map<string, Scalar>;
  readonly nodes: Map<string, NodeView>;
}

function collect(value: unknown, walk: Walk): void {
  const { path, place, leaves, nodes } = walk;
  const id = idOf(value);
  if (id !== undefined && !nodes.has(id)) {
    const own = new Map<string, Scalar>();
    leaves.set(place, id);
    nodes.set(id, { path, leaves: own, texts: textsOfNode(value) });
    collectParts(value, { path, place: "", leaves: own, nodes });
  } else if (typeof value === "object" && value !== null) collectParts(value, walk);
  else leaves.set(place, value as Scalar);
}

function collectParts(value: unknown, { path, place, leaves, nodes }: Walk): void {
  const under = (name: string): string => (place === "" ? name : `${place}/${name}`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      collect(item, { path: `${path}[${index}]`, place: under(String(index)), leaves, nodes });
  } else if (isMap(value)) {
    for (const [key, item] of Object.entries(value)) {
      const isName = ID_NAMES.includes(key) && typeof item === "string";
      if (isName || STAMPS.test(key)) continue;
      collect(item, { path: path === "" ? key : `${path}.${key}`, place: under(key), leaves, nodes });
    }
  }
}

function idOf(value: unknown): string | undefined {
  if (!isMap(value)) return undefined;
  const id = ID_NAMES.map((name) => value[name]).find((one) => one !== undefined && one !== null);
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Returns the texts that a node, or a patch of one, says itself. */
export function textsOfNode(node: unknown): string[] {
  return textsIn(node, false);
}

/** Returns the texts of a node, but not of the nodes in it. */
function textsIn(value: unknown, inner: boolean): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (inner && idOf(value) !== undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, true));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (SILENT.has(key.toLowerCase()) ? [] : textsIn(item, true)));
}

/** The inputs of a page or a quiz. */
export type PageLife = z.output<ReturnType<typeof inputsOf>>;
export type NodeInput = NonNullable<PageLife["nodes"]>[string];
export type NodePatch = Exclude<NodeInput, { node: unknown }>;

/** A pass over a page: the object as it is known, and its draft, as the steps so far have left them. */
export type PagePass = Apply<PageLife, Draft>;

export interface Reached extends PagePass {
  /** Content keys that were sent. */
  readonly sent: readonly string[];
}

/** Yields each point that it reaches, so that a failed pass is left there. */
export type Step<End = Reached> = AsyncGenerator<Reached, End, undefined>;

export function after<Pass extends PagePass>(pass: Pass, change: (object: ObjectState) => void): Pass {
  return { ...pass, object: pass.object.with(change) };
}

/** Returns the pass after a write to its draft. */
export function written<Pass extends PagePass>(pass: Pass, change?: (object: ObjectState) => void): Pass {
  return after({ ...pass, document: pass.document.written() }, (object) => {
    object.wrote = true;
    change?.(object);
  });
}
