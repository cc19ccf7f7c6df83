/** The content map of a page; within one pass it is read once for all who ask, and anew after a write that may have moved it. */
import type { Apply } from "../../definition/define.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { ContentFields } from "../../account/content-map.ts";

export interface PageFields {
  readonly fields: ContentFields;
  readonly variables: readonly string[];
}

type Pass = Pick<Apply<unknown>, "run" | "id" | "object">;

/** By the state of the object, of which every pass has one of its own. */
const known = new WeakMap<ObjectState, Promise<PageFields>>();

export function fieldsNow({ run, id, object }: Pass): Promise<PageFields> {
  const before = known.get(object);
  if (before) return before;
  const fields = readFields(run, id);
  known.set(object, fields);
  // A failure is no answer: the next who asks tries again.
  fields.catch(() => known.delete(object));
  return fields;
}

/** What was read and still stands; undefined where nothing does. */
export function fieldsKnown(object: ObjectState): Promise<PageFields> | undefined {
  return known.get(object);
}

/** To be called before each write that may move them. */
export function fieldsMove(object: ObjectState): void {
  known.delete(object);
}

export async function readFields(run: RunContext, id: string): Promise<PageFields> {
  const map = await run.api.builder.contentMap(id);
  return { fields: new ContentFields(map.fields), variables: map.variables };
}
