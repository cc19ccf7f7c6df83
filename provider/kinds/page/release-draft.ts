/**
 * What a page in a release leaves to the release, which publishes it: what its draft holds, by digests, and the texts that a
 * publication which has to be taken back needs. It is an output of the page and an input of the release, so that a page which
 * was written makes the release due.
 */
import { camelKeys, isMap, same, type Json, type JsonMap } from "../../values/json.ts";
import type { Apply } from "../../definition/define.ts";
import { changedKeys } from "../../reconcile/diff.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { orGone } from "../../account/presence.ts";
import { plannedUpdates } from "./content.ts";
import { footprintIn, withDate, type Footprint } from "./drafts/footprint.ts";
import type { PageLife } from "./declared.ts";
import { fieldsNow, type PageFields } from "./page-fields.ts";
import { liveNodes } from "./nodes.ts";
import { normalSlug, type Place } from "./path.ts";
import { DRAFT } from "./release-draft-name.ts";
import { predictedUrl } from "./predicted-url.ts";
import { valuesNow } from "./kept-values.ts";
import { render } from "./variables.ts";

/** Texts and nodes, rendered, by key and id. */
export interface Revision {
  readonly content: JsonMap;
  readonly nodes: JsonMap;
  readonly delay?: Json;
}

export interface ReleaseDraft {
  /** Moves with each write. */
  readonly revision: number;
  readonly name: string;
  readonly place: Place;
  /** Where it will be public, as far as that can be told. */
  readonly url: string | null;
  /** The page that this one replaces, as long as that may have its path. */
  readonly predecessor?: string;
  /** When it was last published before this, by the service's clock; NEVER where it wasn't. */
  readonly at: string;
  /** The note that the digests are read from (`footprintIn`). */
  readonly footprint?: Json;
  /** What is public, of what was written since; absent where nothing is. */
  readonly before?: Revision;
  readonly after: Revision;
  readonly verify: boolean;
  readonly word?: PageLife["onForeignEdits"];
}

/** Stands for a date: no publication has that one. */
export const NEVER = "never";

export function draftIn(text: unknown): ReleaseDraft | undefined {
  return typeof text === "string" && text !== "" ? (JSON.parse(text) as ReleaseDraft) : undefined;
}

/** What the page held when it was last published, but for what was written since. */
export function footprintOf({ footprint }: ReleaseDraft, id: string): Footprint | undefined {
  return footprintIn({ published: footprint ?? null }, id);
}

export function isReleased({ publish }: Pick<PageLife, "publish">): boolean {
  return publish?.release !== undefined;
}

/** The same of inputs as a state has them. */
export function isDeclaredReleased({ publish }: JsonMap): boolean {
  return isMap(publish) && publish["release"] !== undefined;
}

export class DraftForRelease {
  readonly #pass: Apply<PageLife>;
  readonly #updates: JsonMap;
  readonly #fields: PageFields | undefined;
  readonly #nodes: Revision["nodes"];
  readonly #delay: Json | undefined;

  private constructor(pass: Apply<PageLife>, fields: PageFields | undefined, nodes: JsonMap) {
    this.#pass = pass;
    this.#updates = plannedUpdates(pass);
    this.#fields = fields;
    this.#nodes = nodes;
    this.#delay = pass.object.declared.get("delay");
  }

  /** Before the first write. The state doesn't know what the release has published since. */
  static async open(pass: Apply<PageLife>): Promise<DraftForRelease> {
    const { run, id, object, created } = pass;
    object.sent.add("publish");
    const record = created ? undefined : await orGone(run.api.pages.read(id));
    if (record) object.learn({ ...camelKeys(record), url: record.url ?? object.answer["url"] ?? null });
    if (object.answer["status"] !== "published") return new DraftForRelease(pass, undefined, {});
    return new DraftForRelease(pass, await fieldsNow(pass), { ...(await nodesBefore(pass)), ...editedNodes(pass) });
  }

  async leave(): Promise<void> {
    const { run, id, now, object, changed } = this.#pass;
    const { siteId = "", slug = "" } = now.publish ?? {};
    const old = draftIn(object.answer[DRAFT]);
    const at = isPublic(object) ? textOr(object.answer["publishedAt"], NEVER) : NEVER;
    const isContinued = old !== undefined && old.at === at;
    const [before, after] = await this.#revisions();
    const url = await predictedUrl(run, object.answer, { siteId, slug });
    object.notes = withDate(object.notes, id, at);
    const footprint = object.notes["published"];
    const draft: ReleaseDraft = {
      revision: (old?.revision ?? 0) + 1,
      name: now.name ?? id,
      place: { siteId, slug: normalSlug(slug) },
      url,
      ...(object.predecessor !== undefined && { predecessor: object.predecessor }),
      at,
      ...(footprint !== undefined && { footprint }),
      ...(at !== NEVER && { before: isContinued ? merged(before, old.before) : before }),
      after: isContinued ? merged(old.after, after) : after,
      verify: now.publish?.verify === true,
      ...(now.onForeignEdits && { word: now.onForeignEdits }),
    };
    object.learn({
      [DRAFT]: JSON.stringify(draft),
      url,
      ...(changed.size > 0 && { hasUnpublishedChanges: isPublic(object) }),
    });
  }

  async #revisions(): Promise<[Revision, Revision]> {
    const { now, changed } = this.#pass;
    const nodes = pick(now.nodes as JsonMap | undefined, Object.keys(this.#nodes));
    const delay = changed.has("delay") && this.#delay !== undefined;
    const [then, sent] = await this.#texts();
    return [
      { content: then, nodes: this.#nodes, ...(delay && { delay: this.#delay }) },
      { content: sent, nodes, ...(delay && { delay: now.delay }) },
    ];
  }

  /** What was written by name, and what variables have moved beside it. */
  async #texts(): Promise<[JsonMap, JsonMap]> {
    const { now, object } = this.#pass;
    if (!this.#fields) {
      const values = valuesNow(object, now.variables);
      const all = Object.entries(now.content ?? {}).map(([key, value]) => [key, render(value, values)]);
      return [{}, Object.fromEntries(all) as JsonMap];
    }
    const [before, after] = [this.#fields.fields, (await fieldsNow(this.#pass)).fields];
    const keys = new Set([...Object.keys(this.#updates), ...after.keys()]);
    // What somebody edited in the draft is not what visitors get.
    const edited = isMap(object.edited["content"]) ? object.edited["content"] : {};
    const moved = [...keys].filter(
      (key) => key in this.#updates || Object.hasOwn(edited, key) || !same(before.value(key), after.value(key)),
    );
    return [
      Object.fromEntries(moved.map((key) => [key, edited[key] ?? before.value(key) ?? null])),
      Object.fromEntries(moved.map((key) => [key, this.#updates[key] ?? after.value(key) ?? null])),
    ];
  }
}

async function nodesBefore({ run, id, now, changed, object }: Apply<PageLife>): Promise<JsonMap> {
  if (!changed.has("nodes") || !now.nodes) return {};
  const due = changedKeys(object.declared.get("nodes"), now.nodes as unknown as Json);
  const patched = Object.fromEntries(Object.entries(due).filter(([, node]) => !isReplacement(node)));
  const replaced = Object.keys(due).filter((nodeId) => isReplacement(due[nodeId]));
  const whole = await Promise.all(
    replaced.map(async (nodeId): Promise<[string, Json][]> => {
      const found = await orGone(run.api.builder.readNode(id, nodeId));
      return found ? [[nodeId, { node: found.node as JsonMap }]] : [];
    }),
  );
  return { ...(await liveNodes(run, id, patched)), ...Object.fromEntries(whole.flat()) };
}

/** What is public of the declared nodes that somebody has edited in the draft. */
function editedNodes({ now, object }: Apply<PageLife>): JsonMap {
  const { nodes } = object.edited;
  return pick(isMap(nodes) ? nodes : {}, Object.keys(now.nodes ?? {}));
}

function isReplacement(node: Json | undefined): boolean {
  return isMap(node) && "node" in node;
}

function isPublic({ answer }: ObjectState): boolean {
  return answer["status"] === "published";
}

/** `first` counts where both have it. */
function merged(rest: Revision, first: Revision | undefined): Revision {
  const delay = first?.delay ?? rest.delay;
  return {
    content: { ...rest.content, ...first?.content },
    nodes: { ...rest.nodes, ...first?.nodes },
    ...(delay !== undefined && { delay }),
  };
}

function pick(map: JsonMap = {}, keys: readonly string[]): JsonMap {
  return Object.fromEntries(keys.flatMap((key) => (map[key] === undefined ? [] : [[key, map[key]]])));
}

function textOr(value: Json | undefined, other: string): string {
  return typeof value === "string" ? value : other;
}
