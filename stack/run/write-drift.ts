/** Hand edits taken back into the code that declares them. */
import { nameOf, typeOf } from "../../engine/index.ts";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ExportError } from "../../manifest/export/index.ts";
import { liveTexts, writeLiveTexts, type LiveTexts } from "../../manifest/index.ts";
import { isMap } from "../../provider/values/json.ts";
import { UsageError } from "../exit/codes.ts";
import { MANIFEST } from "../project/open.ts";
import { outsideOf } from "../project/applied.ts";
import { whoMoved } from "../report/drift.ts";
import { LATER, SECRET, type Drift, type DriftField, type Report } from "../report/model.ts";
import type { Told } from "../report/told.ts";
import { programTexts } from "./drift-in-program.ts";
import type { StackSession } from "./session.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import type { StateResource } from "../engines/recorded.ts";
import { shortName } from "../report/steps.ts";
import { pathText } from "../report/values.ts";

/** A line each: what was written, and what was left for somebody to do. */
export async function writeDrift(
  session: StackSession,
  report: Report,
  told: ReadonlyMap<string, Told>,
): Promise<string[]> {
  const { advised } = session;
  const texts = await driftTexts(session, report);
  const files = usable(() => writeLiveTexts(manifestPath(session), texts));
  const says = `${files.join(", ")} ${files.length === 1 ? "says" : "say"} now what the account holds${texts.kept.length > 0 ? ", but for what is left" : ""}.`;
  return [
    "",
    ...texts.updated.map((what) => `  written  ${what}`),
    ...texts.kept.map((what) => `  left     ${what}`),
    files.length > 0
      ? `${says} ${advised("npx landform up --refresh")} takes it into the state${publishing(report, told)}.`
      : "Nothing was written.",
  ];
}

/** What is written in a draft alone, visitors don't get: once the code says it, the next up publishes it. */
function publishing({ drift = [] }: Report, told: ReadonlyMap<string, Told>): string {
  const drafted = drift.filter(({ urn }) => {
    const meta = told.get(urn)?.outputs["__landform"];
    return isMap(meta) && meta["unpublished"] !== undefined;
  });
  const names = drafted.map(({ type, name }) => `${type} ${name}`);
  return names.length === 0 ? "" : `, and publishes ${names.join(", ")}: visitors don't get these edits yet`;
}

/** What the files of the code would say, and what can't be written into them. */
export async function driftTexts(session: StackSession, { drift = [] }: Report): Promise<LiveTexts> {
  const found = drift.filter(({ kind }) => kind === "changed").map(shownFields);
  const changed = found.map((one) => ({ ...one, fields: one.fields.filter(isEdit) }));
  const texts =
    session.folder.manifest === undefined
      ? await programTexts(changed, session.options)
      : await manifestTexts(changed, session);
  const gone = drift.filter(({ kind }) => kind === "gone").map(goneText);
  return { ...texts, kept: [...texts.kept, ...found.flatMap(contestedIn), ...drift.flatMap(secretsIn), ...gone] };
}

/** What the code alone has changed is no edit to keep: the next apply brings it. */
function isEdit(field: DriftField): boolean {
  return whoMoved(field) !== "code" && !isContested(field);
}

/** The code has changed since the last run, and the app otherwise: somebody has to choose. */
function isContested({ lastRun, live, code }: DriftField): boolean {
  if (lastRun === undefined || code === undefined || JSON.stringify(code).includes(LATER)) return false;
  return !isDeepStrictEqual(code, lastRun) && !isDeepStrictEqual(code, live);
}

function contestedIn({ type, name, fields }: Drift): string[] {
  return fields.filter(isContested).map(({ path, live, code }) => {
    const sides = `the code says ${JSON.stringify(code)} now, the app ${JSON.stringify(live)}`;
    return `${type} ${name} ${pathText(path)} (changed in both: ${sides})`;
  });
}

async function manifestTexts(changed: readonly Drift[], session: StackSession): Promise<LiveTexts> {
  const records = (await session.engine.records()) ?? [];
  const outside = await outsideOf(session.folder.root, session.folder.stack);
  const live = changed.map(({ type, name, fields }) => ({
    type,
    name,
    fields: fields.map(({ path, live: value }) => ({ path, value })),
  }));
  return usable(() => liveTexts(manifestPath(session), live, { outside, owner: ownerIn(records) }));
}

function manifestPath({ folder }: StackSession): string {
  return join(folder.root, MANIFEST);
}

function usable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExportError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** What a report hides is no text to write. */
function isHidden({ live }: Drift["fields"][number]): boolean {
  return JSON.stringify(live ?? null).includes(SECRET);
}

function shownFields(drift: Drift): Drift {
  return { ...drift, fields: drift.fields.filter((field) => !isHidden(field)) };
}

function secretsIn({ kind, type, name, fields }: Drift): string[] {
  if (kind !== "changed") return [];
  return fields.filter(isHidden).map(({ path }) => `${type} ${name} ${pathText(path)} (a secret)`);
}

function goneText({ type, name }: Drift): string {
  return `${type} ${name} (deleted in the app: take it out, or let up make it again)`;
}

interface Owner {
  readonly type: string;
  readonly name: string;
}

export function ownerIn(
  records: readonly Pick<StateResource, "urn" | "id">[],
): (id: string, kinds: readonly string[]) => Owner | undefined {
  const owners = new Map(
    records.map(({ id = "", urn }) => [
      keyOfType(typeOf(urn), id),
      { type: shortName(typeOf(urn)), name: nameOf(urn) },
    ]),
  );
  return (id, kinds) => kinds.map((kind) => owners.get(keyOfKind(kind, id))).find((one) => one !== undefined);
}
