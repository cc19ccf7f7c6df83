/** What a pass leaves known of a page: what its publication shipped, or what is public of what it has written and could not publish. */
import { type Json, same } from "../../values/json.ts";
import { isInLedgerAlone, noteCreation } from "../../reconcile/creation.ts";
import { withoutMarkerOf } from "../../reconcile/identity.ts";
import { mayComeOf } from "../../account/spelling.ts";
import type { PagePass } from "./declared.ts";
import type { Draft, PageDocument } from "./document.ts";
import { type Guarded, leftPublished, slippedIn, tell } from "./guard.ts";
import { valuesNow } from "./kept-values.ts";
import { countAsUnsent, learnContent, onceOurs, onceTextsAreOurs, strangeTexts } from "./learned-texts.ts";
import type { Published } from "./life.ts";
import { withOurs, withoutOurs } from "./ours.ts";
import { shippedAs, shippedIn, withShipped } from "./readings.ts";
import { render } from "./variables.ts";

/**
 * Of a page that is made to be published: what its creation gave us is noted before the first write, so that what somebody
 * edits in it is told from what we wrote, by whatever run goes on with it.
 */
export async function noteMade(pass: PagePass, guarded: Guarded): Promise<Guarded> {
  const { run, object, created, now } = pass;
  if (!created || now.publish === undefined) return guarded;
  const isNoted = guarded.shipped !== undefined;
  const document = isNoted ? guarded.document : await pass.document.tree();
  if (!isNoted && document && guarded.edits.length === 0)
    object.notes = withShipped(
      object.notes,
      shippedAs(pass.id, document, (value) => asWritten(pass, value)),
    );
  if (isInLedgerAlone(run, object)) await noteCreation(run, object, noted(pass, guarded));
  return { ...guarded, document, shipped: shippedIn(object.notes, pass.id) };
}

function noted({ object }: PagePass, { writes }: Guarded) {
  const shipped = object.notes["shipped"];
  return withOurs(shipped === undefined ? {} : { shipped }, writes.ours);
}

/** Of a page that no state has yet, what is included goes out with ours: a run that is killed then leaves that to the next one. */
export async function noteGoingPublic(pass: PagePass, guarded: Guarded): Promise<void> {
  const { run, id, object } = pass;
  const { edits, document, writes } = guarded;
  if (edits.length === 0 || document === undefined || !isInLedgerAlone(run, object)) return;
  await noteCreation(run, object, withOurs(withShipped({}, shippedAs(id, document)), writes.ours));
}

/**
 * The look afterwards. Of a page that goes public for the first time, what its creation gave us and what we wrote is what went out
 * with it: nothing else of it was public, and what comes in between, the next look finds.
 */
export async function settlePublished(pass: PagePass, published: Published, sent: readonly string[]): Promise<void> {
  const { id, object, now } = pass;
  const { guarded, draft, isFirst } = published;
  const { writes, document: before, shipped: known } = guarded;
  const after = isFirst ? draft : draft.written();
  // What goes public after all was sent by a pass that failed, or was held, whose look may have shown what was public then.
  const goesOn = pass.changed.has("publish") && known !== undefined;
  const settled = now.content ? await onceTextsAreOurs(pass, after, { writes, sent }, true) : after;
  const keys = goesOn ? [...sent, ...(await keysSaid(pass, settled))] : [...Object.keys(writes.content)];
  await learnContent(pass, settled, keys);
  const document = isFirst && before ? await asMade(pass, before, settled) : await settled.whole();
  const slipped = before && !isFirst ? slippedIn(id, before, document, { writes, known }) : [];
  const made = shippedAs(id, document, isFirst ? (value) => asWritten(pass, value) : undefined);
  object.notes = withoutOurs(withShipped(object.notes, { ...made, at: undefined, lag: known?.lag }));
  object.published = {};
  tell(pass, "slipped-in", slipped);
}

async function asMade({ now }: PagePass, { nodes }: PageDocument, draft: Draft): Promise<PageDocument> {
  if (now.content === undefined && now.variables === undefined) return { nodes, fields: undefined };
  const { fields } = await draft.fields();
  return { nodes, fields: new Map(fields.keys().map((key) => [key, fields.value(key)])) };
}

/** A leaf of a page that was just made, once its placeholders are replaced and the marker is gone. */
function asWritten({ now, object }: PagePass, value: Json): Json {
  const text = render(value, valuesNow(object, now.variables));
  return typeof text === "string" && object.identity !== undefined ? withoutMarkerOf(object.identity, text) : text;
}

/** Content keys of which the page shows what the code says, as far as anybody can tell. */
async function keysSaid({ now, object }: PagePass, draft: Draft): Promise<string[]> {
  if (!now.content) return [];
  const { fields } = await draft.fields();
  const values = valuesNow(object, now.variables);
  return Object.entries(now.content).flatMap(([key, value]) => {
    const [text, shown] = [render(value, values), fields.value(key)];
    return same(shown, text) || (text !== "" && shown !== undefined && mayComeOf(text, shown)) ? [key] : [];
  });
}

/** The draft stays one: what is public of it stays known. */
export async function settleUnpublished(
  pass: PagePass,
  draft: Draft,
  guarded: Guarded,
  sent: readonly string[],
): Promise<void> {
  const { writes, shipped } = guarded;
  const isMade = pass.created && shipped?.fields.size === 0;
  const fields = isMade
    ? shippedAs(pass.id, await asMade(pass, { nodes: new Map(), fields: undefined }, draft)).fields
    : undefined;
  keepPublished(pass, fields && shipped ? { ...guarded, shipped: { ...shipped, fields } } : guarded);
  // Of a page that is public the content map may be of what is live: that a text is as it was tells nothing.
  const settled = pass.now.content ? await onceOurs(pass, draft, { writes, sent }, false) : draft;
  await learnContent(pass, settled, Object.keys(writes.content));
}

function keepPublished({ id, now, object }: PagePass, guarded: Guarded): void {
  const { document, shipped, edits } = guarded;
  object.published = leftPublished(guarded, now);
  if (shipped !== undefined) object.notes = withShipped(object.notes, shipped);
  // Nobody had edited the draft: it is what is public. As long as somebody has, and nobody knows what, dates go on to decide.
  else if (document !== undefined && edits.length === 0 && guarded.writes.then.answer["status"] === "published")
    object.notes = withShipped(object.notes, shippedAs(id, document));
}

/** An error has ended the pass: what it wrote already is not taken for somebody else's by the next one. */
export async function settleAfterError(pass: PagePass, guarded: Guarded): Promise<void> {
  const { object } = pass;
  if (!object.wrote) return;
  if (object.answer["status"] === "published") keepPublished(pass, guarded);
  if (!pass.now.content) return;
  const { writes } = guarded;
  const sent = Object.keys(writes.content);
  try {
    const draft = pass.document.written();
    const strange = Object.keys(await strangeTexts(pass, draft, { writes, sent }));
    await learnContent(
      pass,
      draft,
      sent.filter((key) => !strange.includes(key)),
    );
    if (strange.length > 0) countAsUnsent(object, writes.then, strange);
  } catch {
    // The next look finds it.
  }
}
