/** Edits that are not the program's, and that a publication would take along or a write would replace: as data, and in words. */
import { createHash } from "node:crypto";
import { isMap, type Json, type JsonMap, mapOf, same } from "../values/json.ts";
import { hasUnknown, type Path, propertyPath, UNKNOWN, valueAt } from "../values/paths.ts";

/** `hold`: the page stays as it is published, and a value of others stays. `include`: they go live with ours, and ours replaces a value. */
export type ForeignEditsPolicy = "hold" | "include";

/** The settings in the order in which they count. The one of the resource itself stands between the two. */
export interface ForeignEditsSettings {
  readonly option?: ForeignEditsPolicy;
  readonly stack?: ForeignEditsPolicy | undefined;
  /** For a plan about which a person is asked: it shows what a yes does. */
  readonly asking?: true | undefined;
  /** By id, the digest of edits that somebody looked at and wants to go along (`covers`). */
  readonly reviewed?: Readonly<Record<string, string>>;
}

/** The change writes a value that somebody has changed since the last run. */
export interface WrittenOver {
  /** The value that the last run left there, if that is known. */
  readonly then?: Json;
  /** Absent if the value goes with its object. */
  readonly code?: Json;
}

/** An edit of something that the code can declare. */
export interface FieldEdit {
  readonly kind: "field";
  /** The path of its input. */
  readonly at: Path;
  readonly now: Json | undefined;
  readonly over?: WrittenOver;
}

export type ReplacedField = FieldEdit & { readonly over: WrittenOver };

export type ForeignEdit =
  | FieldEdit
  | {
      readonly kind: "node";
      readonly nodeId: string;
      /** The path of the input that writes it over. */
      readonly at?: Path;
      readonly path: string;
      readonly isNew: boolean;
      readonly texts: readonly string[];
      /** Paths of inputs whose texts the draft no longer holds: one of those was here, or in another node that was edited. */
      readonly insteadOf?: readonly Path[];
      /** One of its settings, by its place in the node. */
      readonly over?: WrittenOver & { readonly place: string };
    }
  | { readonly kind: "gone"; readonly what: "field" | "setting"; readonly count: number }
  /** Nothing is known but the dates: of the last publication, or of the page that a killed run has made. */
  | { readonly kind: "unnamed"; readonly editedAt: string; readonly publishedAt?: string; readonly madeAt?: string };

/** The outcome of a publication for these edits. */
export interface ForeignEditsNotice {
  readonly code: "foreign-edits";
  readonly kind: string;
  readonly id: string;
  readonly name: string | undefined;
  /** `slipped-in`: they came after the look, and may be public. */
  readonly outcome: "held-back" | "included" | "slipped-in";
  readonly edits: readonly ForeignEdit[];
  /** Its own draft holds none: names of the pages of its release that do. */
  readonly heldBy?: readonly string[];
  /** It was never public. */
  readonly isDraft?: true;
  /** The object was to be replaced, and its draft would go with it. */
  readonly goes?: true;
  /** A kind without a draft: the edits are values of others in the account, which this run was to write over. */
  readonly noDraft?: true;
  /** For a page in a release: the page is public as the release has it, and the rest of the release isn't. */
  readonly isPublic?: true;
}

export function isOfOurs(edit: ForeignEdit, inputs: JsonMap): boolean {
  if (edit.kind === "node") return inputs["nodes"] !== undefined;
  if (edit.kind !== "field") return true;
  const [field = "", key = ""] = edit.at;
  return Object.hasOwn(mapOf(inputs[field]), key);
}

export function isWrittenOver(edit: ForeignEdit): boolean {
  return (edit.kind === "field" || edit.kind === "node") && edit.over !== undefined;
}

export function keyOf({ at }: Pick<FieldEdit, "at">): string {
  return String(at.at(-1));
}

/** Stands for the values of an input that the program keeps secret. */
export const HIDDEN = "[secret]";

/**
 * Two looks that found the same have the same digest, which has a word for each edit. Values of the code and of the last run don't count: no
 * plan may know them yet, and a digest of a secret would let somebody guess it.
 */
export function editsDigest(edits: readonly ForeignEdit[]): string {
  return edits.map(digestOf).sort().join(" ");
}

function digestOf(edit: ForeignEdit): string {
  const found = "over" in edit ? { ...edit, over: { ...edit.over, then: undefined, code: undefined } } : edit;
  return createHash("sha256").update(JSON.stringify(found)).digest("base64url").slice(0, 16);
}

/** Tells if a review saw each of the edits. A page of a release meets those that it writes over, and its release meets the others. */
export function covers(reviewed: string | undefined, digest: string): boolean {
  const seen = new Set(reviewed?.split(" "));
  return digest.split(" ").every((one) => seen.has(one));
}

const MOST = 8;
const LONGEST = 100;

/** Names the three values of a field that somebody has changed in the account itself: of a list or a map, those of the parts that differ. */
export function valuesText(edit: ForeignEdit): string {
  if (edit.kind !== "field" || edit.over === undefined) return editText(edit);
  const { now, over } = edit;
  const key = keyOf(edit);
  if (now === HIDDEN) return `${key}: a secret that is no longer as the last run left it`;
  const isThenKnown = over.then !== undefined;
  const parts = partsOf([key], { then: over.then, now, code: over.code }, isThenKnown ? "then" : "code");
  return parts
    .map(([path, part]) => {
      const then = isThenKnown ? [`${bare(part.then ?? null)} at the last run`] : [];
      const code = over.code === undefined ? [] : [`${bare(part.code ?? null)} in the code`];
      return `${propertyPath(path)}: ${[...then, `${bare(part.now ?? null)} in the app`, ...code].join(", ")}`;
    })
    .join("; ");
}

type Sides = Readonly<Record<"then" | "now" | "code", Json | undefined>>;

/** Returns the parts that differ in the app from one of the other sides. Two long lists, cut, would look alike. */
function partsOf(path: Path, sides: Sides, other: "then" | "code"): [Path, Sides][] {
  const whole = [sides.then, sides.now, sides.code].filter((side) => side !== undefined && side !== UNKNOWN);
  const isList = whole.every((side) => Array.isArray(side));
  if (whole.length < 2 || !(isList || whole.every((side) => isMap(side)))) return [[path, sides]];
  const keys = new Set(whole.flatMap((side) => Object.keys(side)));
  const parts = [...keys].flatMap((key) => {
    const side = (of: Json | undefined): Json | undefined =>
      of === UNKNOWN ? of : (valueAt(of, [key]) as Json | undefined);
    const inner = { then: side(sides.then), now: side(sides.now), code: side(sides.code) };
    return same(inner.now, inner[other]) ? [] : partsOf([...path, isList ? Number(key) : key], inner, other);
  });
  return parts.length === 0 ? [[path, sides]] : parts;
}

function bare(value: Json): string {
  if (value === null || value === "") return "nothing";
  if (hasUnknown(value)) return "a value that is known later";
  return typeof value === "string" ? quoted(value) : printable(shortened(JSON.stringify(value)));
}

export function editText(edit: ForeignEdit): string {
  switch (edit.kind) {
    case "field":
      return (edit.now === undefined ? keyOf(edit) : `${keyOf(edit)} ${quoted(edit.now)}`) + overText(edit.over);
    case "node":
      return nodeText(edit) + overText(edit.over);
    case "gone":
      return edit.count === 1
        ? `a ${edit.what} that is no longer there`
        : `${edit.count} ${edit.what}s that are no longer there`;
    case "unnamed":
      return `edits from ${edit.editedAt} or before (it was ${lastKnown(edit)})`;
  }
}

function lastKnown({ madeAt, publishedAt = "" }: Extract<ForeignEdit, { kind: "unnamed" }>): string {
  return madeAt === undefined ? `last published at ${publishedAt}` : `made at ${madeAt}`;
}

/** Names all three values: the public one stands before this text. */
function overText(over: WrittenOver | undefined): string {
  if (over === undefined) return "";
  const then = over.then === undefined ? "" : `${quoted(over.then)} at the last run, `;
  return ` in the app (${then}${quoted(over.code ?? null)} in the code)`;
}

function nodeText({ nodeId, path, isNew, texts, over }: Extract<ForeignEdit, { kind: "node" }>): string {
  if (nodeId === "") return "order or settings of the page's sections";
  const said = texts.slice(0, 3).map(quoted).join(", ");
  const place = over === undefined ? "" : ` ${over.place}`;
  return `${isNew ? "new " : ""}node ${nodeId} (${path})${place}${said === "" ? "" : ` ${said}`}`;
}

function quoted(value: Json): string {
  return printable(JSON.stringify(shortened(typeof value === "string" ? value : JSON.stringify(value))));
}

function shortened(text: string): string {
  const whole = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST).join("")}…` : text;
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "\ufffd");
}

export function editsText(edits: readonly ForeignEdit[]): string {
  const more = edits.length > MOST ? `; ${edits.length - MOST} more` : "";
  return edits.slice(0, MOST).map(editText).join("; ") + more;
}

export function foreignEditsText(notice: ForeignEditsNotice): string {
  if (notice.noDraft === true) return directText(notice);
  return { "held-back": heldBack, included: wentAlong, "slipped-in": slippedIn }[notice.outcome](notice);
}

function directText({ kind, id, name, outcome, edits }: ForeignEditsNotice): string {
  const [object, values] = [named(`${kind} ${id}`, name), edits.map(valuesText).join("; ")];
  if (outcome === "included") return `As asked, the run writes over these values of ${object}: ${values}.`;
  return `${object} keeps values that somebody has changed since the last run: ${values}. ${WAYS_ON}`;
}

/** Plain pulumi has no such option, so its variable is named, too. */
export const INCLUDE =
  '--foreign-edits include (with plain pulumi: LANDFORM_FOREIGN_EDITS=include; in the code: onForeignEdits: "include")';

export const WAYS_ON =
  "Put them into the code, put the old ones back in the app, or write over them with --foreign-edits include (with plain pulumi: LANDFORM_FOREIGN_EDITS=include).";

function called(id: string, name: string | undefined): string {
  return named(`page ${id}`, name);
}

function named(object: string, name: string | undefined): string {
  return name === undefined ? object : `${object} ("${name}")`;
}

function heldBack({ id, name, edits, heldBy, isPublic, isDraft, goes }: ForeignEditsNotice): string {
  if (goes === true) {
    return (
      `${called(id, name)} is not replaced, because its draft holds somebody's unpublished edits, which would be deleted ` +
      `with it: ${editsText(edits)}. Publish or undo those edits in the builder, or say --foreign-edits include ` +
      `(onForeignEdits: "include"), which deletes them, and run again.`
    );
  }
  if (heldBy) {
    const drafts = `${heldBy.length === 1 ? "the draft" : "the drafts"} of ${heldBy.map((one) => `"${one}"`).join(", ")}`;
    const state = isPublic
      ? "was published before, and the rest of its release is held back, so visitors see only a part of the release"
      : "is held back with its release and keeps its last published revision";
    return (
      `publish: ${called(id, name)} ${state}: ` +
      `${drafts} ${heldBy.length === 1 ? "holds" : "hold"} somebody's unpublished edits.`
    );
  }
  const state = isPublic
    ? "is held back and stays as it was published, though the rest of its release is not public,"
    : isDraft
      ? "is held back and stays a draft,"
      : "is held back and keeps its last published revision,";
  const why = eachSort(edits, {
    along: (texts) => `its draft holds somebody's unpublished edits, which would also go live: ${texts}`,
    over: (texts) => `somebody has changed values that this run was to write: ${texts}`,
  });
  const cures = eachSort(edits, {
    along: () => "publish or undo those edits in the builder",
    over: () => "put the value of the account into the code",
  });
  const remedies = [...cures, `say ${INCLUDE}`].join(", or ");
  return (
    `publish: ${called(id, name)} ${state} because ${why.join("; and ")}. The draft has every other value of the code. ` +
    `${remedies.charAt(0).toUpperCase()}${remedies.slice(1)}, and run again: the next run goes on from here.`
  );
}

export function halfDoneText(source: string, edits: readonly ForeignEdit[]): string {
  return (
    `duplicateOf: a copy of page ${source} would show visitors somebody's unpublished edits of its draft: ` +
    `${editsText(edits)}. Publish or undo them in the builder, or say ${INCLUDE}.`
  );
}

type Say = (texts: string) => string;

/** Speaks of the edits that go along with a publication, and of those that a write replaces, where there are some. */
function eachSort(edits: readonly ForeignEdit[], { along, over }: { along: Say; over: Say }): string[] {
  const [replaced, others] = [edits.filter(isWrittenOver), edits.filter((edit) => !isWrittenOver(edit))];
  return [
    ...(others.length > 0 ? [along(editsText(others))] : []),
    ...(replaced.length > 0 ? [over(editsText(replaced))] : []),
  ];
}

function wentAlong({ id, name, edits }: ForeignEditsNotice): string {
  const page = called(id, name);
  const told = eachSort(edits, {
    along: (texts) => `publish: somebody's unpublished edits go live with ${page}: ${texts}.`,
    over: (texts) => `As asked, the run writes over these values of ${page}: ${texts}.`,
  });
  return told.join(" ");
}

function slippedIn({ id, name, edits }: ForeignEditsNotice): string {
  return (
    `publish: ${called(id, name)} was edited while it was being published, so these edits, which nobody saw before, may be public, too: ` +
    `${editsText(edits)}.`
  );
}
