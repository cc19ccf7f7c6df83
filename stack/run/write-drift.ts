/** Writes hand edits back into the code that declares them. */
import { nameOf, typeOf } from "../../engine/index.ts";
import { join, relative } from "node:path";
import { ExportError } from "../../manifest/write/files.ts";
import { liveTexts, writeLiveTexts, type LiveTexts } from "../../manifest/export/live-values.ts";
import { refusalText } from "../../manifest/write/splices.ts";
import type { Sharing } from "../../manifest/index.ts";
import { withCells } from "../../manifest/write/data.ts";
import { isMap, type Json } from "../../provider/values/json.ts";
import { UsageError } from "../exit/codes.ts";
import { MANIFEST } from "../project/open.ts";
import { outsideOf } from "../sources/compared.ts";
import { isContested, whoMoved } from "../report/drift.ts";
import type { Drift, DriftField, Report } from "../report/model.ts";
import { type Told, shortName } from "../report/steps.ts";
import type { StackSession } from "./session.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import type { StateResource } from "../engines/recorded.ts";
import { cut, isHidden } from "../report/text.ts";
import { pathText } from "../report/values.ts";
import type { StateOptions } from "../options.ts";
import { openTexts } from "../sources/open.ts";
import type { RecordedObject, SourceText } from "../sources/texts.ts";

/** Returns one line for each text that was written, or that a person has to write. */
export async function writeDrift(
  session: StackSession,
  report: Report,
  { told, sharing }: { readonly told: ReadonlyMap<string, Told>; readonly sharing?: Sharing | undefined },
): Promise<string[]> {
  const { advised } = session;
  if (sharing !== undefined && session.folder.manifest === undefined)
    throw new UsageError(
      "--shared is for cells that several entries of a landform.yaml take, and this project is a program",
    );
  const texts = await driftTexts(session, report, sharing);
  const files = usable(() => writeLiveTexts(manifestPath(session), texts));
  const isLeft = texts.kept.length > 0;
  const says = `Landform wrote the values of the account into ${files.join(", ")}${isLeft ? ", without those that are left" : ""}.`;
  const next = isLeft
    ? `Write those that are to stay into the code yourself: ${advised("up", "--refresh")} writes the code's values over the rest.`
    : `${advised("up", "--refresh")} takes it into the state${publishing(report, told)}.`;
  return [
    "",
    ...texts.updated.map((what) => `  written  ${what}`),
    ...texts.kept.map((what) => `  left     ${what}`),
    files.length > 0 ? `${says} ${next}` : ["Nothing was written.", ...(isLeft ? [next] : [])].join(" "),
    ...(sharing === "all" && files.length > 0
      ? ["The next up also changes every other place that uses the same cells."]
      : []),
    ...sharedLines(session, texts),
  ];
}

/** Shows by an example what each choice writes for a value that several places take. */
function sharedLines({ advised }: Pick<StackSession, "advised">, { shared }: LiveTexts): string[] {
  const example = (way: Sharing): string[] => {
    const one = shared.find(({ ways }) => ways.length > 1) ?? shared.find(({ ways }) => ways.includes(way));
    if (one === undefined) return [];
    const { what, place, uses } = one;
    const value = way === "all" ? one.forAll : one.value;
    const effect = way === "all" ? `into ${place}, for all ${uses} places` : `into ${MANIFEST}, for this one alone`;
    return [
      `  ${advised("drift", "--write", "--shared", way)} writes ${what} ${cut(JSON.stringify(value), LONGEST)} ${effect}`,
    ];
  };
  const lines = [...example("all"), ...example("own")];
  return lines.length === 0 ? [] : [`Several places use the same cell. Choose, for example:`, ...lines];
}

const LONGEST = 60;

/** Names edits that are only in a draft. Visitors don't get them until the next up publishes them from the code. */
function publishing({ drift = [] }: Report, told: ReadonlyMap<string, Told>): string {
  const drafted = drift.filter(({ urn }) => {
    const meta = told.get(urn)?.outputs["__landform"];
    return isMap(meta) && meta["unpublished"] !== undefined;
  });
  const names = drafted.map(({ type, name }) => `${type} ${name}`);
  return names.length === 0 ? "" : `, and publishes ${names.join(", ")}: visitors don't get these edits yet`;
}

/** Works out the new texts of the code's files, and the edits that can't be written into them. */
async function driftTexts(session: StackSession, { drift = [] }: Report, sharing?: Sharing): Promise<LiveTexts> {
  const moved = drift.filter(({ kind }) => kind === "changed");
  const found = moved.map((one) => ({ ...one, fields: one.fields.filter(({ live }) => !isHidden(live)) }));
  // A value that only the code changed is no edit: the next apply brings it.
  const isEdit = (field: DriftField): boolean => whoMoved(field) !== "code" && !isContested(field);
  const changed = found.map((one) => ({ ...one, fields: one.fields.filter(isEdit) }));
  const texts =
    session.folder.manifest === undefined
      ? await programTexts(changed, session.options)
      : await manifestTexts(changed, session, sharing);
  const gone = drift
    .filter(({ kind }) => kind === "gone")
    .map(({ type, name }) => `${type} ${name} (deleted in the app: take it out, or let up make it again)`);
  return { ...texts, kept: [...texts.kept, ...found.flatMap(contestedIn), ...moved.flatMap(secretsIn), ...gone] };
}

function contestedIn({ type, name, fields }: Drift): string[] {
  return fields.filter(isContested).map(({ path, live, code }) => {
    const sides = `the code says ${said(code)} now, the app ${said(live)}`;
    return `${type} ${name} ${pathText(path)} (changed in both: ${sides})`;
  });
}

function said(value: Json | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

async function manifestTexts(
  changed: readonly Drift[],
  session: StackSession,
  sharing: Sharing | undefined,
): Promise<LiveTexts> {
  const records = (await session.engine.records()) ?? [];
  const outside = await outsideOf(session.folder.root, session.folder.stack);
  const live = changed.map(({ type, name, fields }) => ({
    type,
    name,
    fields: fields.map(({ path, live: value }) => ({ path, value })),
  }));
  return usable(() => liveTexts(manifestPath(session), live, { outside, owner: ownerIn(records), sharing }));
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

function secretsIn({ type, name, fields }: Drift): string[] {
  return fields.filter(({ live }) => isHidden(live)).map(({ path }) => `${type} ${name} ${pathText(path)} (a secret)`);
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

async function programTexts(changed: readonly Drift[], options: StateOptions): Promise<LiveTexts> {
  const { sources, objects, folder } = await openTexts(options);
  const replacements: (Replacement & { readonly what: string })[] = [];
  const kept: string[] = [];
  for (const one of changed) {
    const object = objects.find(({ urn }) => urn === one.urn);
    for (const field of one.fields) {
      const what = `${one.type} ${one.name} ${pathText(field.path)}`;
      const found = literalOf(field, sources, object);
      if (typeof found === "string") kept.push(`${what} (${found})`);
      else replacements.push({ ...found, what });
    }
  }
  const [files, base] = [new Map<string, string>(), new Map<string, string>()];
  const updated: string[] = [];
  for (const [file, own] of Map.groupBy(replacements, ({ source }) => source.place.file)) {
    const name = relative(folder.root, file.path);
    const changes = own.map(({ source: { place }, now }) => ({ place, value: now }));
    const after = withCells(file, changes);
    if (typeof after === "string") {
      files.set(name, after);
      base.set(name, file.text);
      updated.push(...own.map(({ what }) => `${name}: ${what}`));
    } else kept.push(...own.map(({ what }) => `${what} (${refusalText(after)})`));
  }
  return { files, base, updated, kept, shared: [] };
}

interface Replacement {
  readonly source: SourceText;
  readonly now: string;
}

/** Returns the one literal that says the code's value, or the reason in words why there is none. */
function literalOf(
  { live, code }: DriftField,
  sources: readonly SourceText[],
  object: RecordedObject | undefined,
): Replacement | string {
  const declaredAt = object?.declaredAt;
  const place = declaredAt === undefined ? "" : `, declared at ${declaredAt.name}:${declaredAt.line}`;
  if (typeof live !== "string" || typeof code !== "string") return `no text${place}`;
  const saying = sources.filter((source) => says(source, code));
  const [only] = saying;
  if (only !== undefined && saying.length === 1) return { source: only, now: live + only.value.slice(code.length) };
  if (saying.length === 0) return `the code computes it${place}`;
  return `${saying.length} places of the code say so (${saying.map(placeOf).slice(0, 3).join(", ")}${saying.length > 3 ? ", …" : ""})`;
}

/** Readers often drop the line end of a file that is one text. */
function says({ value, isWhole }: SourceText, text: string): boolean {
  return value === text || (isWhole === true && value.startsWith(text) && /^\r?\n$/.test(value.slice(text.length)));
}

function placeOf({ name, place: { file, start } }: SourceText): string {
  return `${name}:${file.text.slice(0, start).split("\n").length}`;
}
