/**
 * Looks for edits of others that the plan meets: those in drafts would go live with its changes, and values of kinds without a draft would
 * be written over. It only reads. The report names what it could not ask, and never takes it for "nothing": the run looks again.
 */
import { verbOf } from "../intents.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { type JsonMap, same } from "../../provider/values/json.ts";
import { valueAt } from "../../provider/values/paths.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import {
  editsDigest,
  type ForeignEdit,
  type ForeignEditsPolicy,
  isWrittenOver,
} from "../../provider/messages/foreign-edits.ts";
import { foreignEditsFor, waitingEdits } from "../../provider/reconcile/foreign-edits.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { AccountReader } from "../run/account-reader.ts";
import {
  publicUrls,
  aboutOf,
  decisive,
  operationOf,
  recordedAs,
  type Told,
  unaskedEdits,
  urlOf,
  wantedOf,
} from "../report/steps.ts";
import { heldBack } from "../report/build.ts";
import type { RunRequest } from "../engines/contract.ts";
import { identityFor } from "../../provider/ledger/identity.ts";
import type { ChangeOp, Impact, TouchedFunnel, Report, Change, AlsoLive, Warning } from "../report/model.ts";
import { nameOf, type StepEventMetadata, typeOf } from "../../engine/index.ts";
import type { Ran, StackSession } from "../run/session.ts";
import { policiesOf } from "./planned.ts";
import type { Drafts, Intent } from "../review/plan.ts";
import { type Check, type CheckFinding, type Look, ONLY_LOOKS, warns } from "./check.ts";
import { duePages, type IsDue } from "../run/releases.ts";
import { draftGoing } from "../review/expectations.ts";
import { type LearnedRows, leftBy, placeOf, publicPlaceOf } from "../report/decide.ts";
import { shown } from "../report/values.ts";

export const alsoLive: Check = {
  name: "also live",
  not: {
    ...ONLY_LOOKS,
    "env down": "what somebody has tried in a preview goes with it, and that was asked for",
  },
  run: async (look, report) => {
    const {
      session,
      ran: { preview, notices },
    } = look;
    const kept = heldBack(notices, preview.told).filter(({ goes }) => goes === true);
    const changing =
      kept.length > 0 || [...preview.told.values()].some(({ steps }) => operationOf(steps) !== undefined);
    const isMany = verbOf(look.intent) === "destroy";
    const impact = report.impact ?? (isMany ? { urls: [], funnels: [], scopes: [] } : undefined);
    if (report.result !== "succeeded" || impact === undefined || !changing) return {};
    const reader = await look.reader();
    const released = releasedPages(preview.told, (urn) => reader.stateOf(urn));
    const planned = [...[...preview.told.values()].filter((told) => concerns(told)), ...released];
    const looks = (await Promise.all(planned.map((told) => looksAt(look, report, reader, told)))).flat();
    const found = [
      ...looks.flatMap((one) => (one && "edits" in one ? [one] : [])),
      ...kept.map((one) => ({ ...one, policy: "hold" as const })),
    ];
    const digested = found.map((one) => ({ ...one, digest: editsDigest(one.edits) }));
    const said = digested.map((one) => (isReviewed(one, look.intent) ? { ...one, policy: "include" as const } : one));
    const live = session.redactor.value(said);
    const keptUrns = new Set(kept.map(({ urn }) => urn));
    const told = new Set(found.flatMap(({ urn, goes }) => (goes === true ? [urn] : [])));
    const givenBack = look.undoing?.steps.flatMap(({ kind, now, urn }) => (kind === "let go" ? [now?.urn ?? urn] : []));
    const left = new Set([...leftBy(preview.changes), ...(givenBack ?? [])]);
    const going = [...preview.told.values()].filter(({ urn }) => !keptUrns.has(urn) && !left.has(urn));
    const goes = await Promise.all(going.map((one) => draftGoing(one, reader)));
    const alsoGoes = goes.flatMap((one) => {
      if (one === undefined || "text" in one) return [];
      // A replacement has told of the edits in its draft.
      const { edits, ...rest } = session.redactor.value(one);
      return told.has(one.urn) && rest.published === undefined
        ? []
        : [{ ...rest, edits: told.has(one.urn) ? [] : edits }];
    });
    const whole: Whole = {
      ...report,
      impact: {
        ...impact,
        urls: [...impact.urls, ...goingOut(released, preview.told)],
        ...(live.length > 0 && { alsoLive: live }),
        ...(alsoGoes.length > 0 && { alsoGoes }),
      },
    };
    const { touched, rows, stays, blocked } = keptForHeld(whole, live, preview.told);
    return {
      report: { ...whole, impact: { ...whole.impact, ...touched } },
      rows,
      findings: [
        ...warns([...looks, ...goes, ...stays].flatMap((one) => (one && "text" in one ? [one] : []))),
        ...blocked,
      ],
    };
  },
};

function isReviewed({ urn, digest }: Pick<AlsoLive, "urn" | "digest">, { foreignEdits, saved }: Intent): boolean {
  return foreignEdits === undefined && saved?.includes?.[urn] === digest;
}

function goingOut(released: readonly Told[], told: ReadonlyMap<string, Told>): Impact["urls"] {
  const urls = publicUrls(told);
  return released.flatMap(({ urn }) => {
    const url = urls.get(urn);
    return url === undefined ? [] : [{ url, effect: "update" as const, page: nameOf(urn) }];
  });
}

/** Decides about the drafts of others: by the option, by the review, or by a person who has just seen them. */
export function draftsIn(
  { impact }: Pick<Report, "impact">,
  { preview }: Pick<Ran, "preview">,
  intent: Intent,
): Drafts {
  if (intent.foreignEdits !== undefined) return { said: { option: intent.foreignEdits }, asked: {} };
  const { alsoLive: all = [] } = impact ?? {};
  // A yes doesn't cover a draft that has changed since the review.
  const byId = (which: (one: AlsoLive) => boolean): Record<string, string> =>
    Object.fromEntries(all.filter(which).map((one) => [idAsked(one, preview.told.get(one.urn)), one.digest]));
  const reviewed = byId((one) => isReviewed(one, intent));
  return {
    said: Object.keys(reviewed).length === 0 ? {} : { reviewed },
    asked: byId(({ policy }) => policy === "ask"),
  };
}

/** Returns the id of the page that the edits are in. */
function idAsked({ goes }: AlsoLive, told: Told | undefined): string {
  if (goes === true) return told?.id ?? "";
  return idsIn(wantedOf(told)?.inputs ?? {}, told?.id ?? "").next;
}

function concerns({ steps }: Told): boolean {
  const op = operationOf(steps);
  return op === "update" || op === "adopt" || op === "replace";
}

type Looked = Omit<AlsoLive, "digest"> | Warning | undefined;

/** A replacement may take over an object with edits, and takes away those of the old one. */
async function looksAt(look: Look, report: Report, reader: AccountReader, told: Told): Promise<readonly Looked[]> {
  const along = lookAt(look, report, reader, told);
  if (operationOf(told.steps) !== "replace") return [await along];
  const going = await draftGoing(told, reader);
  const inputs = decisive(told.steps, "replace")?.new?.inputs ?? {};
  const policy = policyFor(look.session, inputs, look.intent);
  if (going === undefined || "text" in going) return [await along, going];
  const { published: _, ...draft } = going;
  return [await along, draft.edits.length === 0 ? undefined : { ...draft, goes: true, policy }];
}

/** Returns undefined if the plan meets no edit of others, and a warning if the account could not be asked. */
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
    const planned = await editsFor(op, definition, run, idsIn(inputs, id), state, inputs);
    // A change that only puts back what somebody has edited publishes the rest of the draft, too.
    const found = isOfAppAlone && planned.length === 0 ? await waitingEdits(definition, run, id, state ?? {}) : planned;
    const edits = found.filter((edit) => !isRepaired(edit, step, steps));
    if (edits.length === 0) return undefined;
    const policy = policyFor(session, inputs, intent);
    const reason = changes.find((change) => change.urn === urn)?.reason;
    const isAsItIs = reason?.code === "adopts" && reason.asItIs === true && policy !== "include";
    const more = {
      ...(definition.gathered?.waitsFor(inputs) !== undefined && { released: true as const }),
      ...(isAsItIs && { asItIs: true as const }),
      ...(noDraft && { noDraft: true as const }),
    };
    return { ...aboutOf({ urn, outputs }, step.type), edits, policy, ...more };
  } catch (error) {
    return unaskedEdits(urn, reasonOf(error), noDraft);
  }
}

/** A plan that has read the account puts back what it found: such a text would not go along. */
function isRepaired(edit: ForeignEdit, { old, new: now }: StepEventMetadata, steps: Told["steps"]): boolean {
  if (edit.kind !== "field" || isWrittenOver(edit) || !steps.has("refresh")) return false;
  const [found, code] = [old?.inputs, now?.inputs].map((inputs) => valueAt(inputs, edit.at));
  return code !== undefined && found !== undefined && !same(found, code);
}

interface Ids {
  /** The id of the present object. */
  readonly id: string;
  /** The id of the object that the resource is to have. It is another one if the code takes an object over. */
  readonly next: string;
}

function idsIn({ adoptId }: JsonMap, id: string): Ids {
  return { id, next: typeof adoptId === "string" ? adoptId : id };
}

/** `op`: undefined for a page that only its release publishes. */
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
  return next === id ? [] : foreignEditsFor(definition, run, next, undefined, inputs);
}

/** Returns the policy of the option, the resource or the stack; undefined if none has one. */
export function policyInForce(
  { folder }: StackSession,
  inputs: JsonMap,
  intent: Intent,
): ForeignEditsPolicy | undefined {
  const own = inputs["onForeignEdits"];
  const { option, stack } = policiesOf(folder, intent);
  return option ?? (own === "hold" || own === "include" ? own : undefined) ?? stack;
}

function policyFor(session: StackSession, inputs: JsonMap, intent: Intent): AlsoLive["policy"] {
  const policy = policyInForce(session, inputs, intent);
  return policy ?? (asksIn(session, intent) ? "ask" : "hold");
}

function asksIn({ teller }: StackSession, { yes, saved }: Intent): boolean {
  return teller.interactive && yes !== true && saved === undefined;
}

/** Returns the choice for the plan itself. A review tells the resource and not yet the object. */
export function draftsToPlan(session: StackSession, intent: Intent): RunRequest["foreignEdits"] {
  const { foreignEdits: option, saved } = intent;
  const includes = Object.entries(saved?.includes ?? {}).map(([urn, digest]) => [identityFor(urn), digest]);
  return {
    option,
    ...(includes.length > 0 && { reviewed: Object.fromEntries(includes) as Record<string, string> }),
    ...(asksIn(session, intent) && { asking: true }),
  };
}

/** `stateOf`: returns the outputs of a URN in the state. */
function releasedPages(
  told: ReadonlyMap<string, Told>,
  stateOf: (urn: string) => JsonMap | undefined,
): readonly Told[] {
  const all = [...told.values()];
  const standing = all.filter(({ id, steps }) => id !== "" && operationOf(steps) === undefined);
  return all.flatMap((release) => {
    const due = dueBy(release, stateOf);
    // Few of thousands of resources are releases. Only these look at all the others.
    return due === undefined
      ? []
      : standing.filter(({ urn, id }) => due({ type: typeOf(urn), id, outputs: stateOf(urn) }));
  });
}

function dueBy({ urn, id, steps }: Told, stateOf: (urn: string) => JsonMap | undefined): IsDue | undefined {
  const step = [...steps.values()].find((one) => one.new !== undefined);
  const outputs = stateOf(step?.old?.urn ?? urn);
  if (step === undefined || outputs === undefined || operationOf(steps) === undefined) return undefined;
  return duePages({ type: step.type, id, inputs: step.new?.inputs ?? {}, outputs });
}

type Whole = Report & { readonly impact: Impact };

/**
 * Visitors of a held page keep seeing it as it is. Its address keeps the object that is there: the run deletes that one only once the page is
 * public.
 */
function keptForHeld(
  { changes, impact }: Whole,
  found: readonly AlsoLive[],
  told: ReadonlyMap<string, Told>,
): {
  readonly touched: Partial<Impact>;
  readonly rows: LearnedRows;
  readonly stays: readonly Warning[];
  readonly blocked: CheckFinding[];
} {
  const held = found.filter(({ policy }) => policy === "hold");
  const places = new Map(held.flatMap((one) => wantedBy(one, told).map((place) => [place, one] as const)));
  const kept = changes.flatMap((change) => {
    const { outputs = {} } = goingWith(change, told)?.old ?? {};
    const successor = places.get(publicPlaceOf(outputs) ?? "");
    return successor === undefined ? [] : [{ change, successor, url: urlOf(outputs) ?? "" }];
  });
  const staying = new Set(kept.flatMap(({ url, successor }) => [url, successor.url]));
  const names = namesHeld(
    held.filter(({ noDraft }) => noDraft !== true),
    told,
  );
  const isHeld = (page: string, effect: ChangeOp): boolean => effect === "update" && names.has(page);
  const going = new Set(changes.flatMap(({ name, op }) => (op === "delete" || op === "replace" ? [name] : [])));
  // A held page keeps its address, and gets no new one.
  const isKept = (page: string): boolean => names.has(page) && !going.has(page);
  const { urls: all, funnels: flows } = impact;
  const urls = all.filter(
    ({ url, page, effect }) =>
      !isHeld(page, effect) && !isKept(page) && (!staying.has(url) || !(effect === "delete" || effect === "create")),
  );
  const funnels = flows.flatMap(({ pages, steps, ...flow }): TouchedFunnel[] => {
    const left = pages.filter(({ name, op }) => !isHeld(name, op));
    if (flow.op === undefined && left.length === 0) return [];
    const shown = steps?.map(({ op, ...step }) =>
      op !== undefined && isHeld(step.to ?? "", op) ? step : { ...step, ...(op && { op }) },
    );
    return [{ ...flow, pages: left, ...(shown && { steps: shown }) }];
  });
  const stays = kept.map(({ change: { urn, type, name, op }, successor, url }) => ({
    text: `${op === "replace" ? "the old " : ""}${type} ${name} stays at ${url} until its replacement (${successor.type} ${successor.name}) can be published`,
    urn,
  }));
  return {
    touched: { urls, funnels },
    rows: new Map(releasedWith(held, changes, told).map((urn) => [urn, { held: "draft" }])),
    stays,
    blocked: blockedBy(urls, new Map([...publicUrls(told)].filter(([urn]) => isKept(nameOf(urn))))),
  };
}

/** A page can't come to an address that a held page keeps: to make way, that one would be published elsewhere, with the edits in its draft. */
function blockedBy(urls: Impact["urls"], held: ReadonlyMap<string, string>): CheckFinding[] {
  const holders = new Map([...held].map(([urn, url]) => [url, nameOf(urn)]));
  return urls.flatMap(({ url, page, effect }) => {
    const holder = effect === "delete" ? undefined : holders.get(url);
    if (holder === undefined) return [];
    const text = `page ${page} can't come to ${url}: page ${holder} is there, and is held back because of edits in the app. Publish or undo these, or say --foreign-edits include`;
    return [{ weight: "refuse", cause: "refused", text } as const];
  });
}

/** Returns the URNs of the changes that wait with a held page: its release, and the other pages of it. */
function releasedWith(
  held: readonly AlsoLive[],
  changes: readonly Change[],
  told: ReadonlyMap<string, Told>,
): string[] {
  const pages = held.flatMap(({ urn }) => (releaseOf(told.get(urn)) === undefined ? [] : (told.get(urn) ?? [])));
  const releases = new Set(pages.map(releaseOf));
  const ids = new Set(pages.map(({ id }) => id));
  const waits = (one: Told | undefined): boolean => {
    const release = releaseOf(one);
    return release === undefined ? membersOf(one).some((id) => ids.has(id)) : releases.has(release);
  };
  return changes.flatMap(({ urn, op }) => (op !== "delete" && op !== "replace" && waits(told.get(urn)) ? [urn] : []));
}

function membersOf(one: Told | undefined): string[] {
  const gathers = one && definitionOf(typeOf(one.urn))?.gathers;
  return gathers?.memberIds(shown(wantedOf(one)?.inputs ?? {}) as JsonMap) ?? [];
}

/** Returns the names of the held pages. A release is held back as a whole. */
function namesHeld(drafts: readonly AlsoLive[], told: ReadonlyMap<string, Told>): Set<string> {
  const releases = new Set(drafts.map(({ urn }) => releaseOf(told.get(urn))));
  const released = [...told].flatMap(([urn, one]) => {
    const release = releaseOf(one);
    return release !== undefined && releases.has(release) ? [nameOf(urn)] : [];
  });
  return new Set([...drafts.map(({ name }) => name), ...released]);
}

function releaseOf(one: Told | undefined): string | undefined {
  const wanted = wantedOf(one);
  const release = wanted && definitionOf(wanted.type)?.gathered?.waitsFor(wanted.inputs);
  return release === undefined ? undefined : JSON.stringify(release);
}

function wantedBy({ urn }: AlsoLive, told: ReadonlyMap<string, Told>): string[] {
  const place = placeOf(wantedOf(told.get(urn))?.inputs["publish"]);
  return place === undefined ? [] : [place];
}

/** Returns the step that takes an object away. */
function goingWith(
  { urn, op, id = "", stays }: Change,
  told: ReadonlyMap<string, Told>,
): StepEventMetadata | undefined {
  const { steps, leftovers } = told.get(urn) ?? {};
  if (steps === undefined || stays === "in place" || (op !== "delete" && op !== "replace")) return undefined;
  return (op === "delete" ? leftovers?.get(id) : undefined) ?? decisive(steps, op);
}
