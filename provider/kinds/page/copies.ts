/**
 * Services copy the name of a page at its creation (the title of a blank page, a quiz's page), and keep the copy when the
 * page is renamed. A marker that went along is taken out of the content before visitors can see it.
 */
import type { Apply } from "../../definition/define.ts";
import type { Json } from "../../values/json.ts";
import { withoutMarkerOf } from "../../reconcile/identity.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { leavesOf } from "./drafts/leaves.ts";
import { lookAtTree } from "./drafts/page-look.ts";
import { fieldsMove, fieldsNow } from "./page-fields.ts";

interface MadeFrom {
  readonly templateId?: string;
  readonly duplicateOf?: string;
  readonly publish?: object;
}

/** Pages of older versions are looked at, too. */
export async function cleanCopies(pass: Apply<MadeFrom>): Promise<void> {
  const { object } = pass;
  if (object.identity !== undefined && mayHoldCopies(pass)) await clean(pass);
  const { [UNCLEANED]: _, ...notes } = object.notes;
  object.notes = notes;
}

/** Until that is done, also by a later run where this one fails before. */
export function expectCopies({ created, object }: Pick<Apply<MadeFrom>, "created" | "object">): void {
  if (created) object.notes = { ...object.notes, [UNCLEANED]: true };
}

/** The note of a page that was made and not looked at yet. */
const UNCLEANED = "copies";

async function clean(pass: Apply<MadeFrom>): Promise<void> {
  const { run, id, object } = pass;
  const { identity = "" } = object;
  const { fields } = await fieldsNow(pass);
  const isHidden = fields.keys().some((key) => fields.value(key) === undefined);
  if (isHidden && object.answer["status"] !== "published") await cleanNodes(pass, identity);
  const updates: Record<string, string> = {};
  for (const [key, value] of fields.entries()) {
    if (typeof value !== "string") continue;
    const plain = withoutMarkerOf(identity, value);
    if (plain !== value) updates[key] = plain;
  }
  if (Object.keys(updates).length === 0) return;
  fieldsMove(object);
  await run.api.pages.updateContent({ page_id: id, updates });
  object.wrote = true;
}

/** Where the content map shows no values, the builder does. */
async function cleanNodes({ run, id, object }: Apply<MadeFrom>, identity: string): Promise<void> {
  const { nodes } = await lookAtTree(run, id);
  for (const [nodeId, { own, path }] of nodes) {
    const marked = leavesOf(JSON.parse(own) as Json).flatMap(({ path: place, value }): [string, string][] => {
      const plain = typeof value === "string" ? withoutMarkerOf(identity, value) : value;
      return typeof plain === "string" && plain !== value ? [[place, plain]] : [];
    });
    const misc = marked.flatMap(([place, plain]): [string, string][] => {
      const [, name] = /^\/misc\/([^/]+)$/.exec(place) ?? [];
      return name === undefined || nodeId === "" ? [] : [[name, plain]];
    });
    if (misc.length < marked.length) tellOfMarker(run, id, path);
    if (misc.length === 0) continue;
    fieldsMove(object);
    await run.api.builder.updateNode({ page_id: id, node_id: nodeId, updates: { misc: Object.fromEntries(misc) } });
    object.wrote = true;
  }
}

/** No call takes it from there. */
function tellOfMarker(run: RunContext, id: string, path: string): void {
  const text =
    `page ${id} shows the name that it was created under at ${path === "" ? "the top" : path} of its builder tree, ` +
    `with a mark in brackets. Take that out in the builder.`;
  run.warnOnce({ code: "of-kind", kind: "page", id, topic: "marker-left", text });
}

/** What is made from nothing gets its texts from its name; of the rest it is only known that it may. */
function mayHoldCopies({ created, changed, now, object }: Apply<MadeFrom>): boolean {
  const isBlank = now.templateId === undefined && now.duplicateOf === undefined && !object.declared.has("adoptId");
  const isPublished = now.publish !== undefined && (object.wrote || changed.has("publish"));
  const isNew = created || object.notes[UNCLEANED] === true;
  const isFirst = isBlank || object.answer["status"] !== "published";
  return isNew ? isBlank || isPublished : isFirst && isPublished;
}
