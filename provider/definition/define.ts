/**
 * The shape of a resource definition. One file in kinds/ calls `defineResource` once and holds everything about its kind: inputs, outputs,
 * how the service shows an input, which change replaces, and the calls of its life. The code in reconcile/ works on any definition and
 * knows no kind by name.
 */
import { z } from "zod";
import { faultOfId } from "../api/wire.ts";
import type { LandformApi, OperationName } from "../api/index.ts";
import type { Collection, Found, Identified } from "./collection.ts";
import type { ExportRules } from "./exporting.ts";
import type { Known } from "./steady.ts";
import type { FieldRule, FieldRules, Leaving } from "./field-rule.ts";
import type { ForeignEdit } from "../messages/foreign-edits.ts";
import type { Gathered, Gathering } from "./gathering.ts";
import type { Held } from "../history/kept.ts";
import { type Camel, camelKeys, type Json, type JsonMap } from "../values/json.ts";
import type { Path } from "../values/paths.ts";
import type { InPreview } from "./in-preview.ts";
import type { CheckFailure } from "../values/problems.ts";
import { refersTo } from "./schema-walk.ts";
import type {
  ForeseenDeletion,
  Foreseen,
  PlannedChange,
  PlannedCreation,
  PlannedDeletion,
  TakenOver,
} from "./foresight.ts";
import type { RunContext } from "../reconcile/run-context.ts";
import type { ObjectState } from "../reconcile/object-state.ts";

/** The state in which an object stays in the account after its resource was deleted. */
export type Leftover = "in place" | "retired";

/** A limit of the API for a kind, and what Landform does instead. */
export interface Limit {
  readonly api: string;
  readonly landform: string;
}

/** The operations that a kind can't do without, by step of its life. The scopes that a key needs follow from them. */
export interface Calls {
  readonly create: readonly OperationName[];
  readonly adopt: readonly OperationName[];
  readonly update: readonly OperationName[];
  readonly delete: readonly OperationName[];
  /** The operations that make it public, or bring a public change to its visitors. */
  readonly publish?: readonly OperationName[];
}

/** Something that only one resource of a program can have. */
export interface Claim {
  readonly kind: string;
  readonly thing: string;
  readonly path: Path;
  readonly what: string;
}

/** One pass that brings an existing object to its declared values. Steps record their results in `object`. */
export interface Apply<Inputs, Document = unknown> {
  readonly run: RunContext;
  readonly id: string;
  readonly now: Inputs;
  /** Inputs to apply: added, changed, or left over from an unfinished run. */
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly object: ObjectState;
  /** The object was made in this run, so it still carries its marker until the last step. */
  readonly created: boolean;
  /** The object as the kind loads it, before the first write (`load`). */
  readonly document: Document;
  /**
   * Keeps the values that the pass is about to write over. A kind that finds edits of others itself (`plan.foreignEdits`) calls it between its
   * look and its first write, and hands on what it has found. `held` reads only.
   */
  readonly keep: (held?: () => Promise<Held>) => Promise<void>;
}

/** The places in objects of a kind that may point to other objects by id, or to addresses. */
export interface Pointing {
  readonly shown: (answer: JsonMap) => JsonMap;
  readonly texts?: (api: LandformApi, id: string) => Promise<JsonMap>;
}

export interface PlannedWrites {
  readonly inputs: JsonMap;
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

export interface Created {
  readonly id: string;
  readonly answer: JsonMap;
  /** Inputs that the creating call already carried. */
  readonly sent: readonly string[];
}

/** How the service shows an object, and where it stands in outputs and lists. */
export interface Shown<Row extends Identified, Beside extends string = string> {
  /** Outputs that are no field of its records: other answers tell them, or Landform does. */
  readonly beside?: readonly Beside[];
  /** Tells if a record of the collection is of this kind, where not all are. */
  isOne?(row: Row): boolean;
  /** A record as outputs. Default: its names in camelCase. */
  answerOf?(row: Row): JsonMap;
  /** Outputs that a release changes when it publishes the object. A refresh that finds them changed reports no drift. */
  readonly movedByRelease?: readonly string[];
  /** By the place of an input, other outputs that repeat it: Pulumi keeps a secret in an output of its name alone. */
  readonly repeats?: Readonly<Record<string, readonly string[]>>;
  /** By input, the outputs of the objects it refers to that stand in outputs of this one, too. */
  readonly ofOthers?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Outputs that stay while these inputs stay. An output that is also an input depends on that input. */
  readonly steady?: Readonly<Record<string, readonly string[]>>;
  /** Foretells a steady output from the inputs that it depends on; undefined if only the service can tell it. */
  follows?(output: string, now: JsonMap, known: Known): Json | undefined;
  /** Tells if the digests of an object's notes, which outputs show, have the record of a publication of ours. */
  hasPublished?(digests: JsonMap): boolean;
  /** Landform looks through these places in the records of `lookup`, before an address or an object goes. */
  readonly pointing?: Pointing;
}

/** The steps of a life that not every kind has. */
export interface Life<Inputs, Document> {
  /** Takes over an existing thing instead of creating (a site of that name, a retired funnel, a video). */
  readonly reuse?: (run: RunContext, inputs: Inputs, name: string) => Promise<Created | undefined>;
  /** Finds the object of a creation whose answer was lost, for kinds without a marker. */
  readonly refind?: (run: RunContext, inputs: Inputs, name: string) => Promise<Created | undefined>;
  /** For a kind that nobody can find again: returns sentences about an earlier object that is still there: the consequence, and the ways out. */
  readonly doubled?: (inputs: JsonMap) => string | undefined;
  /** Returns a text by which a person finds this object among others of its kind in the app. It holds no secret. */
  readonly searchHint?: (inputs: JsonMap) => string;
  /**
   * Tells if a run can go on with an object that an interrupted run left behind. False: the object has to be made anew. A finished object
   * is taken over all the same. It gets the note `blind` if the ledger has no notes of it: something that only its making could tell is
   * not known.
   */
  readonly resumes?: (inputs: JsonMap) => boolean;
  /** Returns the notes of an object with the texts that a killed run was writing: they are ours. `asked`: its inputs. Pure. */
  readonly begun?: (object: ObjectState, asked: JsonMap) => JsonMap;
  /** Returns the id in the state for an `adoptId`, which may be another id of the same object. */
  readonly identify?: (run: RunContext, adoptId: string) => Promise<string | undefined>;
  /** Returns what it finds, and inputs to apply although the object shows them already. `changed`: applied anyway. */
  readonly takenOver?: (
    run: RunContext,
    object: ObjectState,
    inputs: JsonMap,
    changed: ReadonlySet<string>,
  ) => Promise<{ readonly object: ObjectState; readonly due: readonly string[] }>;
  /** Waits for another creation that tells if this one can succeed. The creation calls the returned function at its end. */
  readonly inTurn?: (run: RunContext, inputs: JsonMap) => Promise<() => void>;
  /** Loads the object for a pass. One read before the first write serves all steps. */
  readonly load?: (run: RunContext, id: string) => Document;
}

/** The parts of a plan that the single fields don't tell. */
export interface Planning {
  readonly check?: (inputs: JsonMap, known: (value: unknown) => boolean) => CheckFailure[];
  readonly claims?: (inputs: JsonMap) => Claim[];
  /** Returns the scopes that the key needs for these values, if these are less than the calls say. */
  readonly scopes?: (value: (field: string) => unknown) => readonly string[] | undefined;
  /**
   * True: applied, though declared as before. False: a change that needs no write. Undefined: the values tell. Pure.
   */
  readonly due?: (field: string, old: ObjectState, now: JsonMap) => boolean | undefined;
  /** Returns further inputs whose change replaces the object, beyond the rules of single fields. `old` are the outputs. */
  readonly diff?: (old: ObjectState, now: JsonMap) => string[];
  /** Returns why the declared values are sure to fail, with the remedy, on this object or on one made `anew`. Pure. */
  readonly fails?: (old: ObjectState, now: JsonMap, on: "anew" | "this") => Failing | undefined;
  /** The reason why a `refuse` field can't change, with the remedy. `replaceOnChange: true` turns the refusal into a replacement. */
  readonly refusal?: string;
  /** Tells if a refused change may pass: the old value of the object is gone, and no call can give it another. */
  readonly letsPass?: (run: RunContext, field: string, live: JsonMap) => Promise<boolean>;
  /** Returns the parts of a planned change that are sure to fail, as far as reads of the account can tell: a sentence each. */
  readonly foresee?: (api: LandformApi, planned: PlannedChange) => Promise<readonly Foreseen[]>;
  readonly foreseeDeletion?: (api: LandformApi, planned: PlannedDeletion) => Promise<ForeseenDeletion>;
  /** Returns the objects of which a creation takes over the first free one, where that is certain. Reads only. */
  readonly takesOver?: (api: LandformApi, planned: PlannedCreation) => Promise<readonly TakenOver[]>;
  /** Returns the inputs in which other inputs are filled in, as visitors see them: maps of texts. `old`: adds texts of the object itself. Pure. */
  readonly rendered?: (inputs: JsonMap, old?: ObjectState) => JsonMap;
  /** Returns the inputs that the object shows without the values that fill them in: maps of texts, as it shows them. Pure. */
  readonly unfilled?: (old: ObjectState, now: JsonMap) => JsonMap;
  /**
   * Returns the values that are public otherwise than declared: by input, as visitors get them, and as the code says. Pure. `found`:
   * answers before and after a refresh of this run, which no state holds yet.
   */
  readonly unpublished?: (
    old: ObjectState,
    now: JsonMap,
    found?: { readonly before: JsonMap; readonly after: JsonMap },
  ) => { readonly then: JsonMap; readonly now: JsonMap };
  /** Tells if all that a held pass left is public as these inputs say it, and they change nothing else public. Pure. */
  readonly isPublicAgain?: (old: ObjectState, now: JsonMap) => boolean;
  /** Returns edits of others that applying this change would bring before visitors; without a change, the edits that wait. Reads only. */
  readonly foreignEdits?: (
    run: RunContext,
    id: string,
    old: ObjectState,
    change?: PlannedWrites,
  ) => Promise<readonly ForeignEdit[]>;
  /** Returns what of others goes with an object that is deleted or replaced. `isMoved`: its date tells of an edit. */
  readonly going?: (run: RunContext, id: string, old: ObjectState, isMoved: boolean) => Promise<Going>;
}

export interface Going {
  readonly edits: readonly ForeignEdit[];
  /** The texts that are public, and that the code doesn't declare. */
  readonly published: readonly ForeignEdit[];
}

export interface Failing {
  readonly field: string;
  readonly why: string;
}

/** The parts of an undo that a kind does in its own way. Otherwise `read` and the declared values tell. */
export interface Undoing<Inputs, Document> {
  /** Reads only. Default: the values that `read` shows, and the declared ones where it shows nothing. */
  readonly held?: (
    over: Pick<Apply<Inputs, Document>, "run" | "id" | "object" | "document">,
    writes: PlannedWrites | undefined,
  ) => Promise<Held>;
  /** Returns the inputs that an undo still has to write beside a pass and that the object can take. It reports the rest. Default: all. */
  readonly restores?: (pass: Apply<Inputs, Document>, values: JsonMap) => Promise<JsonMap>;
  /**
   * Writes values back into a draft, and leaves them there. `now`: the declared ones, perhaps for a release to write.
   */
  readonly restoresDraft?: (run: RunContext, id: string, values: JsonMap, now?: JsonMap) => Promise<void>;
  /** Returns the reason why an object that was taken over and deleted can't be made anew from these inputs. */
  readonly lost?: (inputs: JsonMap) => string | undefined;
}

/** A kind. A simple one says what it is, which calls it takes, and how it is created, applied and deleted. The groups hold its special parts. */
export interface ResourceDefinition<
  Schema extends z.ZodObject,
  Row extends Identified = Identified,
  Details = unknown,
  Lookup extends Collection | undefined = Collection | undefined,
  Document = unknown,
> {
  /** Name of the handler in `landform/dynamic`; the class and the type token are called the same, with a capital. */
  readonly kind: string;
  /** Section of landform.yaml. */
  readonly section: string;
  readonly doc: string;
  /** `name` is an input that defaults to the logical name. */
  readonly named: boolean;
  readonly inputs: Schema;
  /** Outputs beyond the inputs: wire fields in camelCase, with what they mean. */
  readonly outputs: z.ZodObject;
  readonly rules: Partial<Record<keyof z.output<Schema> & string, FieldRule>>;
  /** Inputs and outputs that are secret whatever the program says. */
  readonly secrets?: readonly string[];
  readonly collection?: Collection<Row>;
  /** The lists that programs look it up in; `collection` where there are no others. */
  readonly lookup?: Lookup;
  readonly calls: Calls;
  readonly limits: readonly Limit[];
  /** The state in which a deletion leaves the object behind; absent if the object goes. */
  readonly leaves?: Leftover;
  readonly inPreview: InPreview;
  /** How visitors meet it: at an address of its own, or as a way through such addresses. */
  readonly public?: "address" | "flow";
  /** It publishes objects together that a run first writes as drafts. */
  readonly gathers?: Gathering;
  /** Another may publish it. */
  readonly gathered?: Gathered;
  /** The one call that creates. `name` carries the marker where the kind has one. */
  readonly create: (run: RunContext, inputs: z.output<Schema>, name: string) => Promise<Created>;
  /** Undefined means gone: the service itself said so. `old` is the object in the state. Default: the collection's read. */
  readonly read?: (run: RunContext, id: string, old: ObjectState) => Promise<JsonMap | undefined>;
  readonly apply: (pass: Apply<z.output<Schema>, Document>) => Promise<void>;
  readonly delete: (run: RunContext, id: string, old: ObjectState) => Promise<void>;
  readonly shown?: Shown<Row>;
  readonly life?: Life<z.output<Schema>, Document>;
  readonly plan?: Planning;
  readonly undo?: Undoing<z.output<Schema>, Document>;
  readonly exporting?: ExportRules<Row, Details>;
}

/** A completed definition, with everything that follows from it. */
export interface AnyDefinition extends ResourceDefinition<z.ZodObject>, FieldRules {
  readonly type: string;
  readonly schema: z.ZodObject;
  /** It is created under a marker and renamed at the end. */
  readonly marked: boolean;
  /** Finds objects by text in their name; absent: the kind can't be found again. */
  readonly search?: ((run: RunContext, text: string) => Promise<Found[]>) | undefined;
  readonly read: (run: RunContext, id: string, old: ObjectState) => Promise<JsonMap | undefined>;
  readonly shown: Shown<Identified> & Required<Pick<Shown<Identified>, "answerOf">>;
  readonly life: Life<Record<string, unknown>, unknown>;
  readonly plan: Planning;
  readonly undo: Undoing<Record<string, unknown>, unknown>;
  readonly lookup?: Collection;
  /** Top-level inputs that are ids of other objects. */
  readonly references: readonly string[];
}

type OptionalIn<Shape> = string extends keyof Shape
  ? never
  : { [K in keyof Shape & string]: Shape[K] extends z.ZodOptional ? K : never }[keyof Shape & string];

type Unshown<Shape, Row, Beside extends string> = Exclude<keyof Shape & string, Camel<keyof Row & string> | Beside>;

/** Makes the type check name an optional input whose removal no rule describes, and an output that schema/api.yaml doesn't have. */
type Complete<Schema extends z.ZodObject, Row, Outputs extends z.ZodObject, Beside extends string> = {
  readonly rules: Readonly<Record<OptionalIn<Schema["shape"]>, FieldRule & Leaving>>;
  readonly outputs: Outputs;
  readonly shown?: { readonly beside?: readonly Beside[] };
} & (Identified extends Row
  ? unknown
  : [Unshown<Outputs["shape"], Row, Beside>] extends [never]
    ? unknown
    : { readonly outputs: `schema/api.yaml shows no ${Unshown<Outputs["shape"], Row, Beside>}` });

const WRITE_ONLY: FieldRule = {};

const ADOPT_ID = z
  .string()
  .min(1)
  .superRefine((id, context) => {
    const fault = id === "" ? undefined : faultOfId(id);
    if (fault !== undefined) context.addIssue({ code: "custom", message: `this ${fault}, and is no id` });
  })
  .optional()
  .describe("Id of an existing object that this resource takes over instead of creating one.");

/** A field without a rule is compared with the output of its own name, and is write-only if there is none. */
export function defineResource<
  Schema extends z.ZodObject,
  Row extends Identified,
  Details = undefined,
  Lookup extends Collection | undefined = Collection<Row>,
  Outputs extends z.ZodObject = z.ZodObject,
  Beside extends string = never,
  Document = undefined,
>(
  definition: ResourceDefinition<Schema, Row, Details, Lookup, Document> & Complete<Schema, Row, Outputs, Beside>,
): AnyDefinition & { readonly lookup: Lookup } {
  const own = definition as unknown as ResourceDefinition<z.ZodObject>;
  const { kind, collection, inputs, shown = {}, life = {}, plan = {}, undo = {} } = own;
  const answerOf = (row: Identified): JsonMap => shown.answerOf?.(row) ?? camelKeys(row);
  // An update removes the marker.
  const marked = own.named && own.calls.update.length > 0;
  return {
    ...own,
    ...{ life, plan, undo, marked },
    type: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    shown: { ...shown, answerOf },
    lookup: (definition.lookup ?? collection) as Lookup & Collection,
    search: marked && collection ? searchIn(collection, answerOf) : undefined,
    read: own.read ?? readFrom(kind, collection, answerOf),
    schema: inputs.extend({ adoptId: ADOPT_ID }),
    rule: rulesOf(own),
    references: Object.entries(inputs.shape).flatMap(([field, schema]) => (refersTo(schema).length > 0 ? [field] : [])),
  };
}

function searchIn(collection: Collection, answerOf: (row: Identified) => JsonMap): AnyDefinition["search"] {
  return async ({ api }, text) => {
    const rows = await collection.search(api, text);
    return rows.map((row) => ({ id: row.id, name: collection.nameOf(row) ?? "", answer: answerOf(row) }));
  };
}

function readFrom(
  kind: string,
  collection: Collection | undefined,
  answerOf: (row: Identified) => JsonMap,
): AnyDefinition["read"] {
  if (!collection) throw new TypeError(`${kind}: a kind that the service never lists needs a read of its own`);
  return async (run, id, old) => {
    const row = await run.row(collection, id, old);
    return row && answerOf(row);
  };
}

function rulesOf({ inputs, outputs, rules: given }: ResourceDefinition<z.ZodObject>): (field: string) => FieldRule {
  const rules = new Map<string, FieldRule>();
  for (const field of Object.keys(inputs.shape)) {
    const shown = field in outputs.shape;
    const byName: FieldRule = shown ? { shownValue: (answer) => answer[field] } : WRITE_ONLY;
    rules.set(field, { ...byName, ...given[field] });
  }
  rules.set("adoptId", { onChange: "none", changeDoc: "replace if it names another object, else nothing" });
  return (field) => rules.get(field) ?? WRITE_ONLY;
}
