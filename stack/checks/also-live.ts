/**
 * The plan's look at drafts: which edits of others would go live with what it changes. Reads alone. What can't be asked is
 * said, and never taken for "nothing": the publication itself looks again.
 */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { isMap, type Json, type JsonMap } from "../../provider/values/json.ts";
import type { ForeignEditsWord } from "../../provider/messages/foreign-edits.ts";
import { editsDigest, isWrittenOver, type ForeignEdit } from "../../provider/messages/foreign-edits.ts";
import { foreignEditsFor, waitingEdits } from "../../provider/reconcile/foreign.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { normalSlug } from "../../provider/kinds/page/path.ts";
import { isDeclaredReleased } from "../../provider/kinds/page/release-draft.ts";
import { foreignEditsInForce } from "../../provider/pulumi/settings-in-force.ts";
import type { RunRequest } from "../engines/types.ts";
import type { ForeignEditsWords } from "./planned.ts";
import { agreed } from "../run/confirm.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { draftGoing } from "./going.ts";
import { AccountReader } from "../run/account-reader.ts";
import { publicUrls } from "../report/public-urls.ts";
import { releasedPages } from "../run/released-pages.ts";
import { withKeptForHeld } from "../report/kept-for-held.ts";
import type { AlsoLive, DraftOfOthers } from "../report/going-live.ts";
import type { ChangeOp, Impact, Report } from "../report/model.ts";
import { leftBy } from "../report/stays.ts";
import { aboutOf, decisive, operationOf, urlOf } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import { nameOf, type StepEventMetadata } from "../../engine/index.ts";
import type { Ran, StackSession } from "../run/session.ts";

export interface ForeignEditsOptions {
  foreignEdits?: ForeignEditsWord;
  yes?: true;
  /** Of a reviewed plan, by URN: a digest of the edits that go live with it. Others have not been reviewed. */
  includes?: Readonly<Record<string, string>> | undefined;
}

/** The plan with what would go live beside it, and what others have in the drafts that it deletes. */
export async function withAlsoLive(
  session: StackSession,
  { report, preview }: Ran,
  options: ForeignEditsOptions,
): Promise<Report> {
  const changing = [...preview.told.values()].some(({ steps }) => operationOf(steps) !== undefined);
  if (report.result !== "succeeded" || report.impact === undefined || !changing) return report;
  const reader = await AccountReader.open(session, { told: preview.told });
  try {
    const released = releasedPages(preview.told, (urn) => reader.stateOf(urn));
    const planned = [...[...preview.told.values()].filter((told) => concerns(told)), ...released];
    const looks = await Promise.all(planned.map((told) => look(session, reader, told, options)));
    const found = looks.flatMap((one) => (typeof one === "object" ? [one] : []));
    const foreign = found.flatMap((one) => withEdits(one, (edit) => !isWrittenOver(edit)));
    const digested = foreign.map((one) => ({ ...one, digest: editsDigest(one.edits) }));
    const said = digested.map((one) => (isReviewed(one, options) ? { ...one, word: "include" as const } : one));
    const alsoLive = session.redactor.value(said);
    const writtenOver = session.redactor.value(found.flatMap(({ word, ...one }) => withEdits(one, isWrittenOver)));
    const told = new Set(found.map(({ urn }) => urn));
    const left = leftBy(preview.changes);
    const going = [...preview.told.values()].filter(({ urn }) => !told.has(urn) && !left.has(urn));
    const goes = await Promise.all(going.map((one) => draftGoing(one, reader)));
    const alsoGoes = goes.flatMap((one) => (typeof one === "object" ? [session.redactor.value(one)] : []));
    const unasked = [...looks, ...goes].filter((found) => typeof found === "string");
    const whole: Report = {
      ...report,
      warnings: [...report.warnings, ...unasked, ...reader.warnings],
      impact: {
        ...report.impact,
        urls: [...report.impact.urls, ...goingOut(released, preview.told)],
        ...(alsoLive.length > 0 && { alsoLive }),
        ...(writtenOver.length > 0 && { writtenOver }),
        ...(alsoGoes.length > 0 && { alsoGoes }),
      },
    };
    return withKeptForHeld(whole, alsoLive, preview.told);
  } finally {
    await reader.close();
  }
}

function withEdits<Draft extends DraftOfOthers>(draft: Draft, which: (edit: ForeignEdit) => boolean): Draft[] {
  const edits = draft.edits.filter(which);
  return edits.length === 0 ? [] : [{ ...draft, edits }];
}

/** Of each draft of others, what would go live and what is written over. */
export function draftsOfOthers({ impact }: Report): Map<string, DraftOfOthers> {
  const drafts = new Map<string, DraftOfOthers>();
  for (const one of [...(impact?.alsoLive ?? []), ...(impact?.writtenOver ?? [])])
    drafts.set(one.urn, { ...one, edits: [...(drafts.get(one.urn)?.edits ?? []), ...one.edits] });
  return drafts;
}

/** By URN, a digest of the edits that go live with the plan. */
export function includedEdits({ impact }: Report): Record<string, string> {
  const included = (impact?.alsoLive ?? []).filter(({ word }) => word === "include");
  return Object.fromEntries(included.map(({ urn, digest }) => [urn, digest]));
}

function isReviewed(
  { urn, digest }: Pick<AlsoLive, "urn" | "digest">,
  { foreignEdits, includes }: ForeignEditsOptions,
): boolean {
  return foreignEdits === undefined && includes?.[urn] === digest;
}

function goingOut(released: readonly Told[], told: ReadonlyMap<string, Told>): Impact["urls"] {
  const urls = publicUrls(told);
  return released.flatMap(({ urn }) => {
    const url = urls.get(urn);
    return url === undefined ? [] : [{ url, effect: "update" as const, page: nameOf(urn) }];
  });
}

/**
 * A drift with the drafts that others are at work on. Only where a refresh saw that the page was edited since it was
 * published is it looked for which edits those are; `full` asks everywhere.
 */
export async function withDrafts(
  session: StackSession,
  { report, preview }: Ran,
  { full }: { full?: true },
): Promise<Report> {
  const published = [...preview.told.values()].filter(({ outputs }) => urlOf(outputs) !== undefined);
  const edited = published.filter(({ outputs }) => full === true || outputs["hasUnpublishedChanges"] === true);
  if (report.result !== "succeeded" || edited.length === 0) return report;
  const reader = await AccountReader.open(session, { told: preview.told });
  try {
    const looks = await Promise.all(edited.map((told) => draftOf(reader, told, report)));
    const drafts = looks.flatMap((found) => (typeof found === "object" ? [session.redactor.value(found)] : []));
    const unasked = looks.filter((found) => typeof found === "string");
    return { ...report, drafts, warnings: [...report.warnings, ...unasked, ...reader.warnings] };
  } finally {
    await reader.close();
  }
}

async function draftOf(
  reader: AccountReader,
  { urn, steps, outputs, id }: Told,
  { drift = [] }: Report,
): Promise<DraftOfOthers | string | undefined> {
  const [step] = steps.values();
  const definition = step && definitionOf(step.type);
  const state = step && reader.stateOf(recordedAs(step));
  if (step === undefined || definition?.stowaways === undefined || state === undefined) return undefined;
  try {
    const drifted = new Set(
      drift.filter((one) => one.urn === urn).flatMap(({ fields }) => fields.map(({ path }) => path.at(-1))),
    );
    const waiting = await waitingEdits(definition, reader.of(step.provider, recordedAs(step)), id, state);
    const edits = waiting.filter((edit) => edit.kind !== "field" || !drifted.has(edit.key));
    return edits.length === 0 ? undefined : { ...aboutOf({ urn, outputs }, step.type), edits };
  } catch (error) {
    return unasked(urn, error instanceof Error ? error.message : String(error));
  }
}

/** What the run does about drafts of others: as the option says, as was reviewed, or as somebody answers who has just seen them. */
export async function foreignEditsOf(
  session: StackSession,
  { impact }: Report,
  { preview }: Ran,
  options: ForeignEditsOptions,
): Promise<RunRequest["foreignEdits"]> {
  if (options.foreignEdits !== undefined) return { option: options.foreignEdits };
  const { alsoLive = [] } = impact ?? {};
  const reviewed = alsoLive.filter((one) => isReviewed(one, options));
  const asked = alsoLive.filter(({ word }) => word === "ask");
  const said = asked.length > 0 && (await agreed(session, QUESTION)) ? [...reviewed, ...asked] : reviewed;
  if (said.length === 0) return {};
  // What has moved since is not what was said yes to.
  return {
    reviewed: Object.fromEntries(said.map(({ urn, digest }) => [idToBe(preview.told.get(urn)), digest])),
  };
}

function idToBe(told: Told | undefined): string {
  const step = [...(told?.steps.values() ?? [])].findLast((one) => one.new !== undefined);
  return idsIn(step?.new?.inputs ?? {}, told?.id ?? "").next;
}

const QUESTION = "Publish the edits of others, too? Otherwise these pages stay as they are published.";

function concerns({ steps }: Told): boolean {
  const op = operationOf(steps);
  return op === "update" || op === "adopt" || op === "replace";
}

/** Undefined where nothing goes along; a text where that could not be asked. */
async function look(
  session: StackSession,
  reader: AccountReader,
  { urn, steps, outputs, id }: Told,
  options: ForeignEditsOptions,
): Promise<Omit<AlsoLive, "digest"> | string | undefined> {
  const op = operationOf(steps);
  const step = op ? decisive(steps, op) : [...steps.values()].at(-1);
  const definition = step && definitionOf(step.type);
  if (step?.new === undefined || definition?.stowaways === undefined) return undefined;
  const { inputs } = step.new;
  try {
    const then = recordedAs(step);
    const run = reader.of(step.provider, then);
    const state = op === "adopt" ? undefined : reader.stateOf(then);
    if (op !== "adopt" && state === undefined) return unasked(urn, "the state can't be read");
    const edits = await editsFor(op, definition, run, idsIn(inputs, id), state, inputs);
    if (edits.length === 0) return undefined;
    const word = wordFor(session, inputs, options);
    const released = isDeclaredReleased(inputs) && { released: true as const };
    return { ...aboutOf({ urn, outputs }, step.type), edits, word, ...released };
  } catch (error) {
    return unasked(urn, error instanceof Error ? error.message : String(error));
  }
}

interface Ids {
  /** Of what is there now. */
  readonly id: string;
  /** Of what it is to be: another object, where the code takes one over. */
  readonly next: string;
}

function idsIn({ adoptId }: JsonMap, id: string): Ids {
  return { id, next: typeof adoptId === "string" ? adoptId : id };
}

/** `op`: none of its own, where only its release publishes it. */
async function editsFor(
  op: ChangeOp | undefined,
  definition: AnyDefinition,
  run: RunContext,
  { id, next }: Ids,
  state: JsonMap | undefined,
  inputs: JsonMap,
): Promise<readonly ForeignEdit[]> {
  if (op === undefined) return waitingEdits(definition, run, id, state ?? {});
  if (op !== "replace") return foreignEditsFor(definition, run, op === "adopt" ? next : id, state, inputs);
  const taken = next === id ? [] : await foreignEditsFor(definition, run, next, undefined, inputs);
  return [...taken, ...(await editsOfReplaced(definition, run, id, state ?? {}, inputs))];
}

/** The old page makes way where the new one takes its path: it is published elsewhere for as long as it is there. */
async function editsOfReplaced(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  state: JsonMap,
  inputs: JsonMap,
): Promise<readonly ForeignEdit[]> {
  const place = isMap(inputs["publish"]) ? inputs["publish"] : {};
  const isSame =
    place["siteId"] === state["siteId"] && normalSlug(textOf(place["slug"])) === normalSlug(textOf(state["slug"]));
  return isSame ? waitingEdits(definition, run, id, state) : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A resource that an alias found has another URN in the state. */
function recordedAs({ urn, old }: StepEventMetadata): string {
  return old?.urn ?? urn;
}

function unasked(urn: string, reason: string): string {
  return `${nameOf(urn)}: whether edits of others would go live with it could not be asked (${reason}); up looks before it publishes`;
}

function wordFor(session: StackSession, inputs: JsonMap, options: ForeignEditsOptions): AlsoLive["word"] {
  const own = inputs["onForeignEdits"];
  const { option, stack } = wordsOf(session, options);
  const word = option ?? (own === "hold" || own === "include" ? own : undefined) ?? stack;
  return word ?? (session.output.interactive && options.yes !== true ? "ask" : "hold");
}

/** Between the two stands the word of the page itself. */
export function wordsOf({ folder }: StackSession, { foreignEdits }: ForeignEditsOptions): ForeignEditsWords {
  const stack = foreignEditsInForce((key) => folder.config.get(key), process.env);
  return { stack, ...(foreignEdits && { option: foreignEdits }) };
}
