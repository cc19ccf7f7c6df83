/**
 * A release of which a part is public, while all of it is held back: an earlier run ended on the way, or somebody has published a page
 * of it. What a run that was killed had published goes back; of what stays public it is said.
 */
import { isMap, type JsonMap } from "../../values/json.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { pages } from "../page/collection.ts";
import type { Member } from "./member.ts";
import type { Misplaced } from "../page/misplaced.ts";
import { elsewhereText, takeBack } from "./take-back.ts";

/** When pages were published that went back, by the service's clock: of another publication they are not public as they are due. */
const BACK = "back";

/** Published since its draft was written. A service without dates tells nothing. */
export function isOut({ notes }: Pick<ObjectState, "notes">, { id, draft, record }: Member): boolean {
  const { status, published_at: at } = record;
  return status === "published" && at !== null && at !== draft.at && backIn(notes)[id] !== at;
}

function backIn(notes: JsonMap): JsonMap {
  return isMap(notes[BACK]) ? notes[BACK] : {};
}

export async function noteBack(run: RunContext, object: ObjectState, id: string): Promise<void> {
  const record = await run.account.read(pages, id);
  object.notes = { ...object.notes, [BACK]: { ...backIn(object.notes), [id]: record?.published_at ?? null } };
}

/** Gives those that stay public. A page that somebody has published is none of a run's to take back. */
export async function takeHalfBack(
  run: RunContext,
  object: ObjectState,
  members: readonly Member[],
): Promise<Member[]> {
  const out = members.filter((member) => !run.putAside.has(member.id) && isOut(object, member));
  if (object.doubtful.size === 0) return out;
  const stuck: Member[] = [];
  for (const member of [...out].reverse()) {
    const isBack = await isTakenBack(run, member);
    if (isBack) await noteBack(run, object, member.id);
    else stuck.push(member);
  }
  return stuck;
}

async function isTakenBack(run: RunContext, member: Member): Promise<boolean> {
  const { id, draft } = member;
  let misplaced: Misplaced | undefined;
  try {
    misplaced = await takeBack(run, member);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const text = `publish: page ${id} ("${draft.name}") can't go back: ${why}.`;
    run.warn({ code: "of-kind", kind: "page", id, topic: "not-taken-back", text });
    return false;
  }
  const text =
    `publish: page ${id} ("${draft.name}") went out in a run that ended before the rest of its release was public, and is back at ` +
    `the texts that it had before.${misplaced === undefined ? "" : ` ${elsewhereText(misplaced)}`}`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "taken-back", text });
  return true;
}
