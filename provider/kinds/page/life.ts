/**
 * The life of a page after its creation, shared by pages and quizzes. A pass loads the draft, plans its writes, compares them with edits of
 * others, keeps what it writes over, writes, publishes and settles. Each step gets the findings of the step before. The order of the writes:
 * metadata, content and variables, delay, nodes. Then the pass takes the marker from every place to which the service copied it, and from
 * the name. The check before publishing and the publication come last. A managed change to a published page publishes it again, once.
 */
import { pageKey } from "./document/collection.ts";
import { applyContent } from "./draft/content.ts";
import { ownLag } from "./edits/dates.ts";
import { after, type PagePass, type Reached, type Step } from "./document/document.ts";
import { guard, type Guarded, tell } from "./edits/guard.ts";
import { applyDelay, applyMetadata, cleanCopies, expectingCopies, rename } from "./draft/metadata.ts";
import { applyNodes } from "./draft/nodes.ts";
import { awaitPublication, isAtItsPlace, PageRun, refuseToLeaveEmpty } from "./document/places.ts";
import { lookLive, publishNow, refuseElsewhere, textsToSee, whenReady } from "./public/publish.ts";
import { heldBy } from "./held.ts";
import { withOurs } from "./document/ours.ts";
import { BY_KEY, withDate } from "./document/readings.ts";
import { learnReleased, leaveToRelease } from "./public/release-draft.ts";
import { isReleased } from "./document/released.ts";
import { lastLook, noteMade, refuseDraft, settleAfterError, settleUnpublished } from "./public/settle.ts";
import { hasUnpublished, isPublicAgain, withDraft } from "./shown.ts";
import { withKeptValues } from "./document/texts.ts";
import { planWrites, type Writes } from "./document/writes.ts";
import { isOfOurs } from "../../messages/foreign-edits.ts";
import { isUndo } from "../../reconcile/foreign-edits.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { remove } from "../../reconcile/settled.ts";
import { camelKeys } from "../../values/json.ts";

/** Applies a pass. This one place turns the point that the pass has reached, also with an error, into the knowledge of the object. */
export async function applyPage(pass: PagePass): Promise<void> {
  let at = begun(pass);
  const reach = async (steps: Step): Promise<void> => {
    let step = await steps.next();
    for (; step.done !== true; step = await steps.next()) at = step.value;
    at = step.value;
  };
  try {
    if (pass.changed.size === 0) return;
    const { run, id, now, object } = at;
    const known = { ...object.answer };
    awaitPublication(at);
    run.part(PageRun).beginWork(id, known);
    if (isReleased(now)) at = { ...at, ...(await learnReleased(at)) };
    const writes = planWrites(at);
    const guarded = await guard(at, writes, known);
    await pass.keep(() => heldBy(pass, { ...pass, inputs: pass.now, writes, guarded }));
    const made = await noteMade(at, guarded);
    at = heldValues({ ...at, ...made.pass }, made.guarded.writes);
    await reach(carriedOut(at, made.guarded)).catch(async (error: unknown) => {
      at = await settleAfterError(at, made.guarded);
      throw error;
    });
    if (at.created || at.object.wrote) await reach(lookedAt(at, made.guarded.writes));
  } finally {
    pass.object.take(at.object);
  }
}

function begun(pass: PagePass): Reached {
  const { now, changed, removed } = pass;
  const isDue = changed.size > 0 && now.publish && pass.object.declared.has("publish");
  const begun = after(changed.size > 0 ? expectingCopies(pass) : pass, (object) => {
    if (removed.has("content")) Reflect.deleteProperty(object.answer, "content");
    object.notes = withKeptValues(object, now, object.notes);
    if (isDue) object.reapply("publish");
  });
  return { ...begun, sent: [] };
}

function lookingAt(at: Reached, writes: Writes) {
  const { id, now, object } = at;
  return { id, name: now.name, verify: now.publish?.verify, answer: object.answer, texts: textsToSee(at, writes) };
}

const WRITES = [applyMetadata, applyContent, applyDelay, applyNodes, cleanCopies, rename];

async function* carriedOut(begun: Reached, guarded: Guarded): Step {
  let at = begun;
  const { run, changed, now, created } = at;
  const { writes, isHeld, edits } = guarded;
  const isLeft = isReleased(now);
  const look = now.publish && !isLeft ? await lookLive(run, lookingAt(begun, writes)) : undefined;
  for (const step of WRITES) yield (at = yield* step(at, guarded));
  // A page that holds its change back holds its release, also if it has written nothing.
  const holdsRelease = isLeft && isHeld && holdsValues(writes);
  const due = at.object.wrote || changed.has("publish") || writes.interrupted.size > 0 || holdsRelease;
  // If nothing of ours is to go public, there is nothing to hold back.
  const isBack = isUndo(run) && isPublicAgain(writes.then, now) && !edits.some((edit) => isOfOurs(edit, now));
  if (isHeld && !isBack && (due || holdsValues(writes))) yield (at = heldBack(at, guarded));
  // The run had nothing to write: the code's values change nothing on the page.
  else if (isHeld && !isBack && !isLeft && run.adopted.has(pageKey(at.id)))
    yield (at = { ...at, object: withDraft(run, at.object, now.name, edits) });
  // A publication tells the edits that go out with it, and a release those that its pages' own passes have not written over.
  if (!isHeld && (isLeft || now.publish === undefined)) tell(at, "included", edits);
  const publishes = now.publish !== undefined && due && !isLeft && !isHeld;
  if (publishes) yield (at = yield* publishNow(at, guarded));
  if (publishes) await look?.(at.object.answer);
  if (isLeft && due) yield (at = yield* whenReady(at, await run.api.pages.validate(at.id)));
  const isLooked = !publishes && now.publish !== undefined && (at.object.wrote || (isLeft && due));
  if (isLooked) yield (at = yield* settleUnpublished(at, guarded));
  if (isHeld && isUndo(run)) at = releaseUndone(at);
  if (isLeft && due) at = await leaveToRelease(at, guarded);
  if (!created && at.object.wrote && hasUnreadParts(at)) at = after(at, (object) => (object.unread = true));
  return at;
}

function holdsValues({ held }: Writes): boolean {
  return Object.values(held).some((all) => all.length > 0);
}

/** Keeps values of others that are held for a later pass, also if this one fails. */
function heldValues(at: Reached, { held }: Writes): Reached {
  return after(at, ({ unfinished, sent }) => {
    for (const field of BY_KEY) if (held[field].length > 0) unfinished.set(field, "held");
    // The state keeps the value that we left there, so that the next run meets the edit again.
    for (const field of held.record) {
      unfinished.set(field, "held");
      sent.delete(field);
    }
  });
}

function heldBack(at: Reached, { edits }: Guarded): Reached {
  tell(at, "held-back", edits);
  return after(at, ({ unfinished }) => {
    if (at.now.publish) unfinished.set("publish", "held");
  });
}

/** Handles an undo of a run that was held back: if all the values that it goes back to are public, nothing waits to be published. */
function releaseUndone(at: Reached): Reached {
  const { object, now } = at;
  if (!isAtItsPlace(object, now.publish) || Object.keys(object.published).length > 0) return at;
  if (object.isHeld("content") || object.isHeld("nodes")) return at;
  return after(at, ({ unfinished }) => {
    unfinished.delete("publish");
  });
}

function hasUnreadParts({ changed, now: { content = {}, nodes = {}, publish } }: Reached): boolean {
  const isContentRead = publish !== undefined || changed.has("content") || changed.has("variables");
  const unread = { ...(!isContentRead && content), ...(!changed.has("nodes") && nodes) };
  return Object.keys(unread).length > 0;
}

/** Takes the last look after an apply. The next drift is measured against this answer, updated_at included. */
async function* lookedAt(at: Reached, { then, ours, held }: Writes): Step {
  const { run, now, object } = at;
  const isHeld = object.isHeld("publish");
  const isPublic = now.publish !== undefined && !isHeld && !isReleased(now);
  const { url, slug } = object.answer;
  const sent = { ...at, changed: new Set([...at.changed].filter((field) => !held.record.includes(field))) };
  const record = await run.account.documents.record(await lastLook(at, then.answer, isPublic), sent, then, isPublic);
  const learned = after(at, (next) => {
    next.learn({
      ...camelKeys(record),
      // The page will be there. Others may point to the address before.
      ...(isReleased(now) && url !== undefined && { url }),
      hasUnpublishedChanges: isHeld || (!isPublic && hasUnpublished(record, undefined)),
    });
    // A text that the code no longer has is still ours when the page goes public for the first time.
    if (record.status === "draft") next.notes = withOurs(next.notes, ours);
  });
  yield learned;
  if (!isPublic) return learned;
  refuseDraft(record, run.settings.patienceMs);
  const placed = yield* refuseElsewhere(learned, record, slug);
  return after(placed, (next) => (next.notes = withDate(next.notes, record.published_at, ownLag(record))));
}

export async function deletePage(run: RunContext, id: string): Promise<void> {
  await refuseToLeaveEmpty(run, id);
  await remove(run, {
    kind: "page",
    id,
    call: `DELETE /pages/${id}`,
    send: () => run.api.pages.delete(id),
    look: () => run.api.pages.read(id),
  });
}
