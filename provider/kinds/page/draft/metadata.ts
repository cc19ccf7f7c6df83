/** Name, project, tags, label and delay of a page. */
import type { PageMetadataInput } from "../../../api/index.ts";
import { wired } from "../../../definition/collection.ts";
import { type FieldOf, wireInputs } from "../../fields.ts";
import { after, type PagePass, type Reached, type Step, written } from "../document/document.ts";
import type { Guarded } from "../edits/guard.ts";
import { leavesIn } from "../document/readings.ts";
import { plain } from "../document/texts.ts";
import type { Writes } from "../document/writes.ts";
import { withoutMarkerOf } from "../../../ledger/identity.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { type Json, type JsonMap, without } from "../../../values/json.ts";
import type { Nodes } from "../../../account/builder-tree.ts";
import { asText } from "../../../values/placeholders.ts";

const METADATA = ["name", "projectId", "tags", "productLabel"] as const satisfies readonly FieldOf<PageMetadataInput>[];

/** Sends all metadata. At a creation the name comes last: until then it has the marker. */
export async function* applyMetadata(at: Reached, { writes }: Guarded): Step {
  return yield* sendMetadata(at, writes, at.created ? METADATA.filter((field) => field !== "name") : METADATA);
}

export async function* rename(at: Reached, { writes }: Guarded): Step {
  return at.created ? yield* sendMetadata(at, writes, ["name"]) : at;
}

async function* sendMetadata(at: Reached, { held }: Writes, fields: readonly (typeof METADATA)[number][]): Step {
  const { run, id, now, changed, created } = at;
  const due = fields.filter((field) => changed.has(field) && !held.record.includes(field));
  const metadata = wireInputs(now, due);
  if (Object.keys(metadata).length === 0) return at;
  const { name, project_id: projectId } = await run.api.pages.updateMetadata({ page_id: id, ...metadata });
  // The rename that ends a creation moves nothing in the draft: copies of the name were cleaned before.
  const sent = created ? after(at, (object) => (object.wrote = true)) : written(at);
  const learned = after(sent, (object) => {
    for (const field of due) object.declare(field, now[field]);
    if (due.includes("name")) object.learn({ pageName: name ?? now.name ?? null });
    if (due.includes("projectId")) object.learn({ projectId: projectId ?? now.projectId ?? null });
  });
  yield learned;
  return learned;
}

export async function* applyDelay(at: Reached): Step {
  const { run, id, now, changed } = at;
  const { delay } = now;
  if (!changed.has("delay") || !delay) return at;
  await run.api.builder.setDelay({ page_id: id, ...wired(delay) });
  const sent = written(at, (object) => object.declare("delay", delay));
  yield sent;
  return sent;
}

// Services copy the name of a page at its creation (the title of a blank page, a quiz's page), into content and into builder nodes, and
// keep the copy when the page is renamed. The pass takes a copied marker out before visitors can see it, and out of a draft at the end of
// its creation.

export async function* cleanCopies(at: Reached, { document }: Guarded): Step {
  const { identity } = at.object;
  const made = at.created ? document?.nodes : undefined;
  const cleaned = identity !== undefined && mayHoldCopies(at) ? await clean(at, identity, made) : at;
  yield cleaned;
  return after(cleaned, (object) => (object.notes = without(object.notes, [UNCLEANED])));
}

/** Notes that copies of the marker may be there until they are cleaned. If this run fails before that, a later run cleans them. */
export function expectingCopies(pass: PagePass): PagePass {
  if (!pass.created) return pass;
  return after(pass, (object) => (object.notes = { ...object.notes, [UNCLEANED]: true }));
}

/** The note of a page that was made and not looked at yet. */
const UNCLEANED = "copies";

/** `made`: the tree as the creation gave it, where it was read. */
async function clean(at: Reached, identity: string, made: Nodes | undefined): Promise<Reached> {
  const { run, id, object, document: draft } = at;
  const { fields } = await draft.fields();
  const isKnown = made !== undefined && markedIn(made, identity).length === 0;
  const nodes: Nodes = isKnown || object.answer["status"] === "published" ? new Map() : await draft.nodes();
  const shown = fields.entries().flatMap(([key, value]): [string, string, string][] => {
    const clean = cleanOf(identity, value);
    return clean === undefined ? [] : [[key, asText(value), clean]];
  });
  const times = Map.groupBy(markedIn(nodes, identity), ({ value }) => plain(value));
  const keys = Map.groupBy(shown, ([, value]) => plain(value));
  // A text that a field shows is cleaned by its key. A text in more places than fields show is cleaned in each of them.
  const marked = [...times].flatMap(([text, leaves]) => (leaves.length > (keys.get(text)?.length ?? 0) ? leaves : []));
  const inNodes = new Set(marked.map(({ value }) => plain(value)));
  const byKey = shown.filter(([, value]) => !inNodes.has(plain(value)));
  const updates = Object.fromEntries(byKey.map(([key, , clean]) => [key, clean]));
  if (byKey.length === 0 && marked.length === 0) return at;
  if (byKey.length > 0) await run.api.pages.updateContent({ page_id: id, updates });
  for (const [nodeId, leaves] of Map.groupBy(marked, (leaf) => leaf.nodeId)) await cleanNode(run, id, nodeId, leaves);
  return written(at);
}

interface Marked {
  readonly nodeId: string;
  readonly path: string;
  readonly place: string;
  readonly value: string;
  readonly clean: string;
}

function markedIn(nodes: Nodes, identity: string): Marked[] {
  return leavesIn(nodes).flatMap(({ nodeId, place, value }): Marked[] => {
    const clean = cleanOf(identity, value);
    const path = nodes.get(nodeId)?.path ?? "";
    return clean === undefined ? [] : [{ nodeId, path, place, value: String(value), clean }];
  });
}

/** Returns a text that holds our marker, without it. */
function cleanOf(identity: string, value: Json): string | undefined {
  const clean = typeof value === "string" ? withoutMarkerOf(identity, value) : undefined;
  return clean === value ? undefined : clean;
}

async function cleanNode(run: RunContext, id: string, nodeId: string, leaves: readonly Marked[]): Promise<void> {
  const parts: Record<string, JsonMap> = {};
  for (const { place, path, clean } of leaves) {
    const [, part = "", name = ""] = /^(misc|style)\/([^/]+)$/.exec(place) ?? [];
    if (nodeId === "" || part === "") tellOfMarker(run, id, path);
    else parts[part] = { ...parts[part], [name]: clean };
  }
  if (Object.keys(parts).length > 0) await run.api.builder.updateNode({ page_id: id, node_id: nodeId, updates: parts });
}

function tellOfMarker(run: RunContext, id: string, path: string): void {
  const text =
    `page ${id} shows the name that it was created under at ${path === "" ? "the top" : path} of its builder tree, ` +
    `with a marker in brackets. Take the marker out in the builder.`;
  run.warnOnce({ code: "of-kind", kind: "page", id, topic: "marker-left", text });
}

/** Tells if the page may hold copies. A page made from nothing gets its texts from its name. Any other page only may hold some. */
function mayHoldCopies({ created, changed, now, object }: PagePass): boolean {
  const { templateId, duplicateOf } = now;
  const isBlank = templateId === undefined && duplicateOf === undefined && !object.declared.has("adoptId");
  const isPublished = now.publish !== undefined && (object.wrote || changed.has("publish"));
  const isNew = created || object.notes[UNCLEANED] === true;
  const isFirst = isBlank || object.answer["status"] !== "published";
  return isNew ? isBlank || isPublished : isFirst && isPublished;
}
