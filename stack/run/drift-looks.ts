/** Finds drift, and drafts that others work on: these are news and no drift. It only reads. */
import { waitingEdits } from "../../provider/reconcile/foreign-edits.ts";
import { listed, reasonOf } from "../../provider/values/wording.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { nameOf, type PropertyMap } from "../../engine/index.ts";
import { isOfInterrupted, whoMoved } from "../report/drift.ts";
import {
  type Drift,
  type DriftField,
  type Report,
  SECRET,
  withFound,
  type DraftOfOthers,
  type SeenPage,
} from "../report/model.ts";
import { isWithin, valueAt, visible } from "../report/values.ts";
import { aboutOf, asWritten, recordedAs, shortName, type Told, unaskedEdits, urlOf } from "../report/steps.ts";
import type { AccountReader } from "./account-reader.ts";
import { withUnfinishedReleases } from "./releases.ts";
import type { Ran, StackSession } from "./session.ts";
import { isMap, type JsonMap, same } from "../../provider/values/json.ts";
import { lookOnce } from "../../provider/seen/look.ts";
import { isSeen, addressOf, withoutAddress } from "../../provider/seen/seen-live.ts";
import { isTelling } from "../../provider/seen/visible-text.ts";
import { unfinishedIn } from "../../provider/definition/steady.ts";

/** A preview that looks at the existing objects first knows all three sides. */
export async function driftOf(
  session: StackSession,
  { full, public: looksAtPublic }: { full?: true; public?: true },
): Promise<Pick<Ran, "report" | "preview">> {
  const planned = await session.run("drift", { kind: "preview", refresh: true, full }, { quiet: true });
  const whole = { ...planned, report: await withUnfinishedReleases(session, planned) };
  const ran = { ...whole, report: await withWritten(session, whole) };
  const report = await withDrafts(session, ran, { full });
  return { ...ran, report: looksAtPublic === true ? await withPublic(session, { ...ran, report }) : report };
}

/**
 * Adds the drafts that others work on to a drift. It looks only at pages that the refresh saw edited since their publication. `full` looks
 * at every page.
 */
async function withDrafts(session: StackSession, { report, preview }: Ran, { full }: { full?: true }): Promise<Report> {
  const published = [...preview.told.values()].filter(({ outputs }) => urlOf(outputs) !== undefined);
  const edited = published.filter(({ outputs }) => full === true || outputs["hasUnpublishedChanges"] === true);
  if (report.result !== "succeeded" || edited.length === 0) return report;
  const reader = await session.account({ told: preview.told });
  const looks = await Promise.all(edited.map((told) => draftOf(reader, told)));
  const found = looks.flatMap((one) => (typeof one === "object" ? [session.redactor.value(one)] : []));
  const drift = (report.drift ?? []).map((one) => withUnpublished(one, found));
  const drafts = found.flatMap((one) => besides(one, drift));
  const unasked = looks.filter((one) => typeof one === "string");
  return withFound({ ...report, drift, drafts }, "drafts", [...unasked, ...reader.warnings]);
}

async function draftOf(reader: AccountReader, told: Told): Promise<DraftOfOthers | string | undefined> {
  const { urn, steps, id } = told;
  const [step] = steps.values();
  const definition = step && definitionOf(step.type);
  const state = step && reader.stateOf(recordedAs(step), id);
  if (step === undefined || definition?.plan.foreignEdits === undefined || state === undefined) return undefined;
  try {
    const waiting = await waitingEdits(definition, reader.of(step.provider, recordedAs(step)), id, state);
    const edits = waiting.filter((edit) => edit.kind !== "field" || !isOfInterrupted(told, edit.at, edit.now));
    return { ...aboutOf(told, step.type), edits };
  } catch (error) {
    return unaskedEdits(urn, reasonOf(error));
  }
}

/**
 * The state has the values that the last run was asked for. Those that it held back were never written. Those that an interrupted run wrote
 * are in no state.
 */
async function withWritten(session: StackSession, { report, preview }: Ran): Promise<Report> {
  const { drift = [] } = report;
  const isConcerned = drift.some(({ fields }) => fields.length > 0);
  const states = (isConcerned ? await session.engine.states() : undefined) ?? [];
  const written = new Map(states.map((state) => [state.urn, visible(asWritten(state).inputs ?? {})]));
  const left = drift.flatMap((one) => asLeft(one, written.get(one.urn), preview.told.get(one.urn)));
  return { ...report, drift: session.redactor.value(left) };
}

function asLeft(drift: Drift, inputs: PropertyMap | undefined, told: Told | undefined): Drift[] {
  if (inputs === undefined || drift.fields.length === 0) return [drift];
  const fields = drift.fields.flatMap((field): DriftField[] => {
    const then = field.lastRun === SECRET ? undefined : valueAt(inputs, field.path);
    if (then === undefined || (told && isOfInterrupted(told, field.path, field.live))) return [field];
    return same(then, field.live) && same(then, field.code) ? [] : [{ ...field, lastRun: then }];
  });
  const isEdited = fields.some((field) => whoMoved(field) !== "code");
  if (fields.length === 0) return [];
  return [{ ...drift, fields, kind: drift.kind === "changed" && !isEdited ? "unsettled" : drift.kind }];
}

/** Marks the edits that wait in a draft: visitors don't get them yet. */
function withUnpublished(drift: Drift, drafts: readonly DraftOfOthers[]): Drift {
  const { edits = [] } = drafts.find(({ urn }) => urn === drift.urn) ?? {};
  const isWaiting = ({ path }: DriftField): boolean =>
    edits.some((edit) => edit.kind === "field" && isWithin(path, edit.at));
  return {
    ...drift,
    fields: drift.fields.map((field) => (isWaiting(field) ? { ...field, unpublished: true as const } : field)),
  };
}

/** Returns the edits of a draft that are no drift. */
function besides(draft: DraftOfOthers, drift: readonly Drift[]): DraftOfOthers[] {
  const { fields = [] } = drift.find(({ urn }) => urn === draft.urn) ?? {};
  const edits = draft.edits.filter(
    (edit) => edit.kind !== "field" || !fields.some(({ path }) => isWithin(path, edit.at)),
  );
  return edits.length === 0 ? [] : [{ ...draft, edits }];
}

/** Pages that are looked at in parallel. Most are on one host. */
const AT_ONCE = 8;

async function withPublic(session: StackSession, { report, preview }: Ran): Promise<Report> {
  if (report.result !== "succeeded") return report;
  const published = [...preview.told.values()].filter(isPublic);
  const reader = await session.account({ told: preview.told });
  const pages: SeenPage[] = [];
  const warnings: string[] = [];
  const unsent: string[] = [];
  const work = async (): Promise<void> => {
    for (let told = published.pop(); told !== undefined; told = published.pop()) {
      const found = await lookAt(reader, told);
      if (typeof found === "string") warnings.push(found);
      else if (found?.unsent === true) unsent.push(...found.keys.map((key) => `${key} of ${found.type} ${found.name}`));
      else if (found !== undefined) pages.push(found);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  pages.sort((a, b) => (a.urn < b.urn ? -1 : 1));
  const more = unsent.length === 0 ? [] : [unsentText(unsent)];
  return session.redactor.value(withFound({ ...report, public: pages }, "public", [...warnings, ...more]));
}

/** A page with a form may thank only those who have sent it. From outside, nobody can tell. */
function unsentText(texts: readonly string[]): string {
  return `not seen on pages that have a form and show their other texts: ${listed(texts.toSorted())}. If they are shown only after somebody has sent the form or quiz, all is well`;
}

interface Looked extends SeenPage {
  /** The missing texts may be shown only after the form was sent. */
  readonly unsent?: boolean;
}

/** A service that tells no address of a page still says that it is published. */
function isPublic({ outputs: { status, slug } }: Told): boolean {
  return status === "published" && slug !== undefined;
}

/** Returns undefined if the page shows everything, and a text if that can't be told. */
async function lookAt(reader: AccountReader, { urn, steps, outputs }: Told): Promise<Looked | string | undefined> {
  const [step] = steps.values();
  const state = reader.stateOf(urn);
  const url = addressOf(outputs);
  if (step === undefined || state === undefined) return undefined;
  const looked = { urn, type: shortName(step.type), name: nameOf(urn) };
  if (url === undefined) return { ...looked, ...withoutAddress };
  if (waits(state))
    return `${nameOf(urn)}: what it last published is not known while a change of it waits; its public page was not looked at`;
  const content = isMap(state["content"]) ? state["content"] : {};
  const texts = Object.entries(content).flatMap(([key, now]) =>
    typeof now === "string" ? [{ key, now, before: undefined }] : [],
  );
  if (!texts.some(({ now }) => isTelling(now)))
    return `${nameOf(urn)}: the code declares no text of it to look for, so whether visitors get what was published can't be told`;
  const { publicPages } = reader.of(step.provider, urn);
  const { final, speaks, asks, ...found } = await lookOnce(publicPages, { url, texts });
  if (found.outcome === "hidden")
    return `${nameOf(urn)}: its HTML shows none of its texts, so whether visitors get what was published can't be told without a browser (Chromium on PATH)`;
  if (isSeen(found)) return undefined;
  const isPart = found.outcome === "absent" && found.keys.length < texts.filter(({ now }) => isTelling(now)).length;
  return { ...looked, ...found, url, afterMs: 0, ...(isPart && asks === true && { unsent: true }) };
}

/** Tells if a change is only in the draft. */
function waits({ __landform: meta }: JsonMap): boolean {
  return "publish" in unfinishedIn(meta);
}
