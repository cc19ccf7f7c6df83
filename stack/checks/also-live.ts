/**
 * Looks for edits of others that the plan meets: those in drafts would go live with its changes, and values of kinds without a draft would
 * be written over. It only reads. A question that got no answer is told, and never taken for "nothing".
 */
import { verbOf } from "../intents.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { type Json, type JsonMap, mapOf, same } from "../../provider/values/json.ts";
import { valueAt } from "../../provider/values/paths.ts";
import { render } from "../../provider/values/placeholders.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { editsDigest, type ForeignEdit, isOfOurs, isWrittenOver } from "../../provider/messages/foreign-edits.ts";
import { isIgnored } from "../../provider/reconcile/diff.ts";
import { foreignEditsFor, waitingEdits } from "../../provider/reconcile/foreign-edits.ts";
import { allGoing } from "../../provider/reconcile/going.ts";
import { ObjectState, splitInputs } from "../../provider/reconcile/object-state.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { AccountReader } from "../run/account-reader.ts";
import {
  publicUrls,
  aboutOf,
  decisive,
  isRetained,
  operationOf,
  recordedAs,
  type Told,
  unaskedEdits,
  urlOf,
} from "../report/steps.ts";
import { heldBack } from "../report/build.ts";
import { sidesOf, unsaidEdits } from "../report/values.ts";
import type { Change, ChangeOp, GoingOfOthers, Impact, Report, AlsoLive } from "../report/model.ts";
import { nameOf, type StepEventMetadata } from "../../engine/index.ts";
import { type Check, heard, type Look, type Unanswered, unanswered, unansweredBy, warns } from "./check.ts";
import { releasedBy } from "../run/releases.ts";
import { goingOf } from "../review/expectations.ts";
import { isAsItIs, leftBy, type LearnedRows, oldOf } from "../report/decide.ts";
import { isSamePath } from "./objects.ts";
import { askEach } from "./planned.ts";
import { type FoundPage, withMoved } from "../report/addresses.ts";
import { isReviewed, objectAfter, policyFor, policyInForce } from "./drafts.ts";
import { keptForHeld } from "./kept-for-held.ts";

export const alsoLive: Check = {
  name: "also live",
  not: { "env down": "what somebody has tried in a preview goes with it, and that was asked for" },
  run: async (look, report) => {
    const { told, changes } = look.ran.preview;
    const kept = heldBack(look.ran.notices, told).filter(({ goes }) => goes === true);
    const isChanging = kept.length > 0 || [...told.values()].some(({ steps }) => operationOf(steps) !== undefined);
    const impact = impactOf(look, report);
    if (!isAnswered(look.ran.report, report) || impact === undefined || !isChanging) return {};
    const reader = await look.reader();
    const released = [...told.values()].flatMap((one) => releasedBy(one, told, (urn) => reader.stateOf(urn)));
    const refused = new Set(report.failures.map(({ urn }) => urn));
    const concerned = [...told.values()].filter(({ steps }) => CONCERNED.has(operationOf(steps)));
    const asked = [...concerned, ...released].filter(({ urn }) => !refused.has(urn));
    const { answers, open } = heard(await askEach(asked, (one) => looksAt(look, report, reader, one)));
    const back = answers.filter(({ isBack }) => isBack === true);
    const waiting = answers.filter(({ isBack }) => isBack !== true);
    const found = [...waiting, ...kept.map((one) => ({ ...one, policy: "hold" as const }))];
    const said = (one: Omit<AlsoLive, "digest">) => unsaidIn(withWord(one, look.intent), told);
    const left = new Set([...kept.map(({ urn }) => urn), ...leftBy(changes), ...givenBackBy(look)]);
    const going = await draftsGoing(look, reader, left);
    const alsoGoes = look.session.redactor.value(untold(going.answers, { found, told }).filter(losesSomething));
    const urls = [...impact.urls, ...goingOut(released, impact, told)];
    const now = withMoved({ changes: report.changes, urls }, movedIn(report.changes, going.answers));
    const leaving = makingWay(now, going.answers);
    const live = look.session.redactor.value([...found, ...editedIn(look, leaving)].map(said));
    const whole = {
      ...report,
      changes: now.changes,
      impact: {
        ...impact,
        // A destroy lists no addresses beside its rows.
        urls: report.impact === undefined ? urls : now.urls,
        ...(live.length > 0 && { alsoLive: live }),
        ...(alsoGoes.length > 0 && { alsoGoes }),
      },
    };
    const still = back.map(said);
    const { touched, rows, stays, blocked } = keptForHeld(whole, [...live, ...still], told);
    return {
      report: { ...whole, impact: { ...whole.impact, ...touched } },
      rows: new Map([...rows, ...publishedAlong(whole.changes, live)]),
      findings: [...unanswered([...open, ...going.open], look.intent), ...warns(stays), ...blocked],
      makesWay: Object.fromEntries(
        leaving.flatMap(({ id, editedAt }) => (editedAt === undefined ? [] : [[id, editedAt]])),
      ),
    };
  },
};

const CONCERNED: ReadonlySet<ChangeOp | undefined> = new Set(["update", "adopt", "replace"]);

/** A plan that is refused for single objects tells of the others all the same, unless the account did not answer. */
function isAnswered(planned: Report, { failures }: Report): boolean {
  return (
    planned.result === "succeeded" && failures.every(({ urn, cause }) => urn !== undefined && cause !== "operation")
  );
}

/** A destroy has no impact of its own: all goes. */
function impactOf({ intent }: Look, { impact }: Report): Impact | undefined {
  return impact ?? (verbOf(intent) === "destroy" ? { urls: [], funnels: [], scopes: [] } : undefined);
}

/** Adds the digest of the edits. A review that saw just these has said that they go along. */
function withWord(one: Omit<AlsoLive, "digest">, intent: Look["intent"]): AlsoLive {
  const digested = { ...one, digest: editsDigest(one.edits) };
  return isReviewed(digested, intent) ? { ...digested, policy: "include" } : digested;
}

/** Hides the edits of secrets. Digests are of the edits as they are. */
function unsaidIn<One extends Omit<GoingOfOthers, "type" | "name">>(one: One, told: ReadonlyMap<string, Told>): One {
  const sides = sidesOf(told.get(one.urn)?.steps.values() ?? []);
  const { edits, published, values } = one;
  return {
    ...{ ...one, edits: unsaidEdits(edits, sides) },
    ...(published && { published: unsaidEdits(published, sides) }),
    ...(values && { values: unsaidEdits(values, sides) }),
  };
}

/** Pages that have all declared values and that the run publishes all the same, for the edits in their drafts. */
function publishedAlong(changes: readonly Change[], live: readonly AlsoLive[]): LearnedRows {
  const included = new Set(live.flatMap(({ urn, policy }) => (policy === "include" ? [urn] : [])));
  const reason = { code: "adopts", along: true } as const;
  return new Map(changes.flatMap((one) => (isAsItIs(one) && included.has(one.urn) ? [[one.urn, { reason }]] : [])));
}

/** Returns the objects that an undo lets go of. They stay in the account. */
function givenBackBy({ undoing }: Look): string[] {
  return undoing?.steps.flatMap(({ kind, now, urn }) => (kind === "let go" ? [now?.urn ?? urn] : [])) ?? [];
}

/** An object that goes. `editedAt`: the date of its last edit when Landform looked. */
interface Leaving extends GoingOfOthers {
  readonly id: string;
  readonly editedAt?: string;
}

/** Returns what of others goes with what the plan takes away. `left`: what stays in the account. */
async function draftsGoing({ ran }: Look, reader: AccountReader, left: ReadonlySet<string>) {
  const going = [...ran.preview.told.values()].filter((one) => !left.has(one.urn) && !isRetained(one));
  return heard(await Promise.all(going.map((one) => draftGoing(one, reader))));
}

/** Leaves out the edits in the drafts of replaced pages: the replacement has told of them. */
function untold(
  going: readonly Leaving[],
  { found, told }: { readonly found: readonly Omit<AlsoLive, "digest">[]; readonly told: ReadonlyMap<string, Told> },
): GoingOfOthers[] {
  const known = new Set(found.flatMap(({ urn, goes }) => (goes === true ? [urn] : [])));
  return going.map(({ id, editedAt, ...one }) => unsaidIn(known.has(one.urn) ? { ...one, edits: [] } : one, told));
}

/** Returns the pages that the plan deletes and whose address another page takes: the run publishes them elsewhere first, with their drafts. */
function makingWay(
  { changes, urls }: { readonly changes: readonly Change[]; readonly urls: Impact["urls"] },
  going: readonly Leaving[],
): Leaving[] {
  const taken = new Set(urls.flatMap(({ url, effect }) => (effect === "delete" ? [] : [url])));
  const deleted = new Set(changes.flatMap(({ urn, op }) => (op === "delete" ? [urn] : [])));
  return going.filter(({ urn, url }) => url !== undefined && deleted.has(urn) && taken.has(url));
}

/** Nobody is asked about them: a no could only refuse the plan. */
function editedIn({ session, intent, ran }: Look, leaving: readonly Leaving[]): Omit<AlsoLive, "digest">[] {
  return leaving.flatMap(({ urn, type, name, url, edits }) => {
    if (edits.length === 0) return [];
    const { steps } = ran.preview.told.get(urn) ?? {};
    const inputs = (steps && decisive(steps, "delete")?.old?.inputs) ?? {};
    const policy = policyInForce(session, inputs, intent) ?? "hold";
    return [{ urn, type, name, ...(url !== undefined && { url }), edits, makesWay: true as const, policy }];
  });
}

function losesSomething({ edits, published = [], values = [] }: GoingOfOthers): boolean {
  return edits.length + published.length + values.length > 0;
}

/** Returns the pages that are not where the state has them. */
function movedIn(changes: readonly Change[], going: readonly GoingOfOthers[]): FoundPage[] {
  return going.flatMap(({ urn, url: now }) => {
    const change = changes.find((one) => one.urn === urn);
    return change === undefined || change.url === now || isSamePath(change.url, now ?? "") ? [] : [{ change, now }];
  });
}

/** Returns the addresses of these pages, but for those that the plan has already. */
function goingOut(released: readonly Told[], { urls: known }: Impact, told: ReadonlyMap<string, Told>): Impact["urls"] {
  const urls = publicUrls(told);
  return released.flatMap(({ urn }) => {
    const url = urls.get(urn);
    return url === undefined || known.some((one) => one.url === url)
      ? []
      : [{ url, effect: "update" as const, page: nameOf(urn) }];
  });
}

/** `isBack`: an undo goes back to what visitors have all along, since the run was held back. It publishes nothing. */
type Met = Omit<AlsoLive, "digest"> & { readonly isBack?: true };
type Looked = Met | Unanswered | undefined;

/** A replacement may take over an object with edits, and takes away those of the old one. */
async function looksAt(look: Look, report: Report, reader: AccountReader, told: Told): Promise<readonly Looked[]> {
  const along = lookAt(look, report, reader, told);
  if (operationOf(told.steps) !== "replace") return [await along];
  const stays = decisive(told.steps, "replace")?.old?.retainOnDelete === true;
  const going = stays && !movesAside(report, told) ? undefined : await draftGoing(told, reader);
  if (going === undefined || "text" in going) return [await along, going];
  const { published, values, id, editedAt, ...draft } = going;
  if (draft.edits.length === 0) return [await along];
  const inputs = decisive(told.steps, "replace")?.new?.inputs ?? {};
  const policy = policyFor(look.session, inputs, look.intent);
  // A page that makes way is published once more, elsewhere.
  return [await along, { ...draft, ...(!stays && { goes: true as const }), policy }];
}

function movesAside({ changes }: Report, { urn }: Told): boolean {
  return changes.some((change) => change.urn === urn && oldOf(change).movesAside === true);
}

/** Returns what of others goes with an object that the plan deletes or replaces, or the question if the account can't be asked. */
async function draftGoing(told: Told, reader: AccountReader): Promise<Leaving | Unanswered | undefined> {
  const going = goingOf(told, reader);
  if (going === undefined) return undefined;
  const { about, definition, run, id, state, lost, becomes } = going;
  try {
    const object = ObjectState.fromState(definition, id, state);
    const { edits, published, live, values } = await allGoing({ definition, run, object }, becomes);
    const editedAt = live?.["updatedAt"];
    return {
      // Visitors find nothing of a page that somebody has deleted.
      ...{ ...about, url: live && urlOf(live), edits, id },
      ...(typeof editedAt === "string" && { editedAt }),
      ...(published.length > 0 && { published }),
      ...(values.length > 0 && { values }),
      ...(lost !== undefined && { lost }),
    };
  } catch (error) {
    const { collection } = definition;
    const row = collection === undefined ? null : await run.account.row(collection, id).catch(() => null);
    // Nothing goes with an object that somebody has deleted.
    if (row === undefined) return undefined;
    const { name, urn } = about;
    const text = `${name}: Landform could not ask if edits of others go with it: ${reasonOf(error)}`;
    return unansweredBy(error, { text, urn });
  }
}

/** Returns undefined if the plan meets no edit of others, and the question if the account could not be asked. */
async function lookAt(
  { session, intent, undoing }: Look,
  { changes }: Report,
  reader: AccountReader,
  { urn, steps, outputs, id }: Told,
): Promise<Looked> {
  const op = operationOf(steps);
  const step = op ? decisive(steps, op) : [...steps.values()].at(-1);
  const definition = step && definitionOf(step.type);
  if (step?.new === undefined || definition === undefined) return undefined;
  const noDraft = definition.plan.foreignEdits === undefined;
  // An undo compares live values itself.
  if (noDraft && (op !== "update" || undoing !== undefined)) return undefined;
  const { inputs } = step.new;
  try {
    const then = recordedAs(step);
    const run = reader.of(step.provider, then);
    const state = op === "adopt" ? undefined : reader.stateOf(then);
    if (op !== "adopt" && state === undefined) return unaskedEdits(urn, "the state can't be read", noDraft);
    const isOfAppAlone = op === "update" && steps.has("refresh") && !noDraft;
    const next = objectAfter(inputs, id);
    const planned = await editsFor(op, definition, run, { id, next }, state, inputs);
    // A change that only puts back what somebody has edited publishes the rest of the draft, too.
    const found =
      isOfAppAlone && planned.length === 0 ? await waitingEdits({ definition, run }, id, state ?? {}) : planned;
    const edits = found.filter((edit) => !isRepaired(edit, step, steps));
    if (edits.length === 0) return undefined;
    // The plan of an adoption knows no address of the object.
    const answer = op === "adopt" ? await definition.read(run, next, new ObjectState(definition, next)) : undefined;
    const reason = changes.find((change) => change.urn === urn)?.reason;
    const isUnwritten = isAsItIs({ reason });
    const isReleased = definition.gathered?.waitsFor(inputs) !== undefined;
    // A release publishes only the pages that the run writes.
    const policy = isUnwritten && isReleased ? "hold" : policyFor(session, inputs, intent);
    const old = ObjectState.fromState(definition, id, state ?? {});
    const isAgain = undoing !== undefined && definition.plan.isPublicAgain?.(old, inputs) === true;
    if (isAgain && policy !== "include" && !edits.some((edit) => isOfOurs(edit, inputs)))
      return { ...aboutOf({ urn, outputs }, step.type), edits, policy: "hold", isBack: true };
    const more = {
      ...(isReleased && { released: true as const }),
      ...(isUnwritten && policy !== "include" && { asItIs: true as const }),
      ...(noDraft && { noDraft: true as const }),
    };
    return { ...aboutOf({ urn, outputs: answer ?? outputs }, step.type), edits, policy, ...more };
  } catch (error) {
    return unansweredBy(error, unaskedEdits(urn, reasonOf(error), noDraft));
  }
}

/** A plan that has read the account puts back what it found, or the code says the same by now: such a text would not go along. */
function isRepaired(edit: ForeignEdit, { old, new: now }: StepEventMetadata, steps: Told["steps"]): boolean {
  if (edit.kind !== "field" || isWrittenOver(edit) || !steps.has("refresh")) return false;
  const [found, code] = [old?.inputs, now?.inputs].map((inputs) => valueAt(inputs, edit.at));
  // The program leaves an ignored key to others: its value there is theirs.
  if (code === undefined || found === undefined || isIgnored(splitInputs(now?.inputs ?? {}).ignored, edit.at))
    return false;
  // Somebody may have typed the very text of the code.
  const [wanted, shown] = [code, edit.now].map((text) => render(text as Json, mapOf(now?.inputs["variables"])));
  return !same(found, code) || same(wanted, shown);
}

/** `op`: undefined for a page that only its release publishes. */
async function editsFor(
  op: ChangeOp | undefined,
  definition: AnyDefinition,
  run: RunContext,
  { id, next }: { readonly id: string; readonly next: string },
  state: JsonMap | undefined,
  inputs: JsonMap,
): Promise<readonly ForeignEdit[]> {
  if (op === undefined) return waitingEdits({ definition, run }, id, state ?? {});
  if (op !== "replace") return foreignEditsFor({ definition, run }, op === "adopt" ? next : id, state, inputs);
  return next === id ? [] : foreignEditsFor({ definition, run }, next, undefined, inputs);
}
