/** Tells the undo as a change of the source. Without that change, the next up would bring the run's change back. */
import { plain } from "../report/steps.ts";
import { join } from "node:path";
import { containsSecret, formatPath, type Json, type ResourceState } from "../../engine/index.ts";
import { ExportError } from "../../manifest/write/files.ts";
import { liveTexts, writeLiveTexts, type LiveValues } from "../../manifest/export/live-values.ts";
import type { Manifest } from "../../manifest/index.ts";
import type { StateResource } from "../engines/recorded.ts";
import { MANIFEST } from "../project/open.ts";
import { outsideOf } from "../sources/compared.ts";
import { type Field, SECRET } from "../report/model.ts";
import { shown, textsIn } from "../report/values.ts";
import { listed } from "../../provider/values/wording.ts";
import { cut } from "../report/text.ts";
import { writtenAt } from "../report/written-in.ts";
import { ownerIn } from "../run/write-drift.ts";
import type { StackSession } from "../run/session.ts";
import { pathOf, type Renewed, valueAt, valueWithRenewedIds } from "./leaves.ts";
import type { SettledStep, Write } from "./undo-plan.ts";
import { partsOf } from "./shown.ts";

/** The state after the undo. */
type Records = readonly Pick<StateResource, "urn" | "id">[];

interface Due {
  readonly at: string;
  readonly title: string;
  /** Absent for a resource as a whole. */
  readonly path?: string;
  readonly what: string;
}

/**
 * Returns one line for each place that the source has to change. `manifest`: knows the place of each value, also in data files. A cell that
 * several resources take is told once.
 */
export function sourceLines(steps: readonly SettledStep[], manifest?: Manifest): string[] {
  const due = dueIn(steps, manifest);
  const groups = Map.groupBy(due, ({ at, path, title }) =>
    JSON.stringify(at === "" || path === undefined ? [title, path] : [at, path]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { at, title, path, what } = first;
    if (others.length === 0 || path === undefined)
      return [`${at}${title}${path === undefined ? "" : ` ${path}`}: ${what}`];
    const isEach = others.some((other) => other.what !== what);
    // A run's own order is the one in which its work happened to end.
    const titles = listed([first, ...others].map((one) => one.title).sort(), 3);
    return [`${at}${path}: ${what}${isEach ? ", and so on" : ""} (${titles})`];
  });
}

function dueIn(steps: readonly SettledStep[], manifest?: Manifest): Due[] {
  const isDerived = derivedIn(steps);
  return steps.flatMap((step): Due[] => {
    const title = `${step.type} ${step.name}`;
    const where = placeOf(step.now ?? step.before);
    const row = rowOf(manifest, step);
    const at = row === undefined ? where : `${row.at}  `;
    if (step.kind === "remove" || step.kind === "let go") return [{ at, title, what: "take it out" }];
    // To destroy takes nothing out of the code.
    if (step.kind === "remake" && isDeclared(manifest, step)) return [];
    if (step.kind === "remake")
      return [{ at, title, what: `declare it again${row?.key ? `, as the row ${row.key}` : ""}` }];
    return step.due.filter(isInSource).flatMap((write) =>
      dueOf(write, step).flatMap(({ path, new: value }): Due[] => {
        if (isDerived(step, path, value)) return [];
        const own = writtenAt(manifest, step, path, value);
        if (own?.isSaid === true) return [];
        const wanted = own ? own.value : value;
        const what = wanted === undefined ? "take it out" : valueIn(wanted);
        return [{ at: own === undefined ? where : `${own.place}  `, title, path: formatPath(path), what }];
      }),
    );
  });
}

function valueIn(value: Json): string {
  return value === SECRET ? "the secret that it had" : cut(JSON.stringify(value), LONGEST);
}

/** Returns the parts of an input that go back. Nobody has written the others, such as the id of a site. */
function dueOf({ leaf, declared }: Write, { now }: SettledStep): Pick<Field, "path" | "new">[] {
  const value = declared === undefined ? {} : { new: shown(declared) };
  const parts = leaf.key === undefined ? partsOf(leaf, valueAt(now?.inputs ?? {}, leaf), declared) : undefined;
  return parts ?? [{ path: pathOf(leaf), ...value }];
}

/**
 * Returns the row of the data file that declares the resource, if its entry stands for several. If it is no longer declared, returns the
 * file of its siblings' rows.
 */
function rowOf(
  manifest: Manifest | undefined,
  { type, name }: SettledStep,
): { readonly at: string; readonly key?: string } | undefined {
  const rows = (manifest?.entries ?? []).flatMap(({ definition, key, one, place }) =>
    one === undefined || definition.type !== type || one.row.isProduct === true || one.row.place.file === place.file
      ? []
      : [{ key, of: one.of, place: one.row.place }],
  );
  const own = rows.find(({ key }) => key === name);
  if (own !== undefined) return { at: own.place.file.locate(own.place.start) };
  if (isDeclared(manifest, { type, name })) return undefined;
  const sibling = rows.find(({ of }) => name.startsWith(`${of}-`));
  return sibling && { at: sibling.place.file.name, key: name.slice(sibling.of.length + 1) };
}

type Called = Pick<SettledStep, "type" | "name" | "isDeclared">;

function isDeclared(manifest: Manifest | undefined, { type, name, isDeclared: known = false }: Called): boolean {
  return manifest?.entries.some(({ definition, key }) => definition.type === type && key === name) ?? known;
}

/**
 * Writes the old values into landform.yaml and keeps the comments. Returns one line for each value that was written, or that a person has
 * to write.
 */
export async function writeSource(
  { folder, advised }: StackSession,
  steps: readonly SettledStep[],
  records: Records,
): Promise<string[]> {
  if (folder.manifest === undefined) {
    const title = "--write puts values into landform.yaml, and this project is a program. The code has to say:";
    const lines = sourceLines(steps).map((text) => `  ${text}`);
    return lines.length === 0 ? ["Nothing was written."] : [title, ...lines];
  }
  const outside = await outsideOf(folder.root, folder.stack);
  const path = join(folder.root, MANIFEST);
  const changed = steps.filter(({ kind }) => kind === "revert");
  const others = steps
    .filter(({ kind }) => kind !== "revert")
    .flatMap((step) => leftLines(step, changed, records, folder.manifest));
  try {
    const isDerived = derivedIn(steps);
    const values = changed.map((step) => valuesOf(step, isDerived));
    const texts = liveTexts(path, values, { outside, owner: ownerIn(records) });
    const files = writeLiveTexts(path, texts);
    const left = [...texts.kept, ...changed.flatMap(secretsIn), ...others];
    const again = left.length > 0 ? " The next up makes the change again." : "";
    return [
      ...texts.updated.map((what) => `  written  ${what}`),
      ...left.map((what) => `  left     ${what}`),
      files.length === 0
        ? `Nothing was written.${again}`
        : `${files.join(", ")} written: ${advised("preview")} shows what still differs.`,
    ];
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    return [`${MANIFEST} could not be written: ${error.message}`];
  }
}

function leftLines(
  step: SettledStep,
  changed: readonly SettledStep[],
  records: Records,
  manifest: Manifest | undefined,
): string[] {
  const id = records.find(({ urn }) => urn === step.target?.urn)?.id;
  const isNamed = changed.some(({ due }) =>
    due.some((write) => isInSource(write) && textsIn(write.declared).some(({ text }) => text === id)),
  );
  const until = isNamed ? ` (${MANIFEST} names it, and can't be used before)` : "";
  return sourceLines([step], manifest).map((text) => `${text}${until}`);
}

/** Tells if a write belongs into the source. A reference that follows to another id stays declared as it is. */
function isInSource({ inState, follows }: Write): boolean {
  return follows !== true && inState;
}

type IsDerived = (step: SettledStep, path: Field["path"], then?: Json) => boolean;

/**
 * Returns a function that tells if a value goes back by itself: the code makes it of an output, such as the address of a page, of another
 * resource that goes back.
 */
function derivedIn(steps: readonly SettledStep[]): IsDerived {
  const moved = steps.flatMap(({ now, before }) => {
    const [outputs, earlier] = [plain(now?.outputs), plain(before?.outputs)];
    const texts = Object.entries(outputs).flatMap(([name, text]) => {
      const old = earlier[name];
      const isTelling = typeof text === "string" && text.length >= SHORTEST && typeof old === "string" && old !== text;
      return isTelling ? [{ text, old }] : [];
    });
    return now === undefined || texts.length === 0 ? [] : [{ urn: now.urn, texts }];
  });
  return ({ now }, path, then) => {
    const value = path.reduce<unknown>((here, key) => Reflect.get(Object(here) as object, key), plain(now?.inputs));
    const urns = now?.propertyDependencies?.[String(path[0])] ?? now?.dependencies ?? [];
    if (typeof value !== "string") return false;
    const sources = moved.filter(({ urn }) => urns.includes(urn)).flatMap(({ texts }) => texts);
    return sources.some(({ text, old }) => value.includes(text) && value.replaceAll(text, old) === then);
  };
}

/** Shorter texts occur in many others. */
const SHORTEST = 8;

function valuesOf(step: SettledStep, isDerived: IsDerived): LiveValues {
  const { type, name, due } = step;
  const open = due.filter((write) => isInSource(write) && !containsSecret(write.declared ?? null));
  const fields = open.flatMap(({ leaf, declared }) => {
    const value = declared && plain({ declared })["declared"];
    const path = pathOf(leaf);
    return isDerived(step, path, value) ? [] : [{ path, value }];
  });
  return { type, name, fields };
}

function secretsIn({ type, name, due }: SettledStep): string[] {
  return due
    .filter(isInSource)
    .flatMap(({ leaf, declared }) =>
      containsSecret(declared ?? null) ? [`${type} ${name} ${formatPath(pathOf(leaf))} (a secret)`] : [],
    );
}

/** `project:///index.ts#3,5` */
function placeOf(state: ResourceState | undefined): string {
  const [, file, line] = /^project:\/\/\/(.+)#(\d+)/.exec(state?.sourcePosition ?? "") ?? [];
  // The place counts only in the user's files: an undo registers resources by itself, a class of Landform stands for a whole release, and
  // Pulumi runs a manifest from a folder of Landform.
  return file === undefined || /^\.\.|(^|\/)node_modules\/|provider\/pulumi\/replay\./.test(file)
    ? ""
    : `${file}:${line ?? ""}  `;
}

const LONGEST = 60;

export function withNewIds(steps: readonly SettledStep[], records: Records): SettledStep[] {
  const now = new Map(records.map(({ urn, id }) => [urn, id]));
  const renewed = steps.flatMap((step) => renewedBy(step, now.get(step.target?.urn ?? "")));
  return steps.map((step) => ({
    ...step,
    due: step.due.map((write) => {
      const holder = step.target ?? step.now;
      if (write.declared === undefined || holder === undefined) return write;
      return { ...write, declared: valueWithRenewedIds(holder, pathOf(write.leaf), write.declared, renewed) };
    }),
  }));
}

function renewedBy({ before, now, knownAs = [], target }: SettledStep, id: string | undefined): Renewed[] {
  const { urn, type } = target ?? {};
  if (id === undefined || id === "" || urn === undefined || type === undefined) return [];
  const ids = [before?.id, now?.id, ...knownAs].filter((one) => one !== undefined && one !== "" && one !== id);
  return ids.length === 0 ? [] : [{ urn, type, ids: ids as string[], now: id }];
}
