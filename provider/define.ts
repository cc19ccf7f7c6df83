/**
 * The shape of a resource definition. One file in resources/ calls `defineResource` once and holds everything about its
 * kind: inputs, outputs, how the service shows an input, which change replaces, and the calls of its life. The code in
 * lifecycle/ works on any definition and knows no kind by name.
 */
import { z } from "zod";
import type { Json, JsonMap } from "./json.ts";
import type { Path } from "./paths.ts";
import type { CheckFailure } from "./problems.ts";
import type { RunContext } from "./lifecycle/run-context.ts";
import type { ObjectState } from "./lifecycle/object-state.ts";

export interface FieldRule {
  /**
   * What a changed value does to an existing object (default `update`): `replace` makes a new one, `refuse` fails with
   * the definition's reason, `none` has no effect on the service.
   */
  readonly onChange?: "update" | "replace" | "refuse" | "none";
  /** How the service shows this input in its answer (outputs). Absent: it never does, so the last sent value counts. */
  readonly live?: (answer: JsonMap, declared: Json) => Json | undefined;
  /** What the service shows of an input that it never answers, such as a count: a changed one means that it was edited. */
  readonly witness?: (answer: JsonMap) => Json | undefined;
  /** The value is a map compared key by key; keys that nobody declared are left alone. */
  readonly perKey?: boolean;
}

/** Something only one resource of a program can have. */
export interface Claim {
  readonly kind: string;
  readonly thing: string;
  /** The input that lays the claim. */
  readonly path: Path;
  /** What the thing is called in a message. */
  readonly what: string;
}

/** One pass that brings an existing object to what is declared. Steps record what they achieved in `object`. */
export interface Apply<Inputs> {
  readonly run: RunContext;
  readonly id: string;
  readonly now: Inputs;
  /** Inputs to apply: added, changed, or left over from an unfinished run. */
  readonly changed: ReadonlySet<string>;
  /** Inputs that the program no longer declares. */
  readonly removed: ReadonlySet<string>;
  readonly object: ObjectState;
  /** The object was made in this run, so it still carries its marker until the last step. */
  readonly created: boolean;
}

export interface Created {
  readonly id: string;
  readonly answer: JsonMap;
  /** Inputs that the creating call already carried. */
  readonly sent: readonly string[];
}

/** An object as a search shows it. */
export interface Found {
  readonly id: string;
  readonly name: string;
  readonly answer: JsonMap;
}

export interface ResourceDefinition<Schema extends z.ZodObject> {
  /** Name of the handler in `landform/dynamic`, and of the section of landform.yaml in its plural. */
  readonly kind: string;
  /** Last part of the type token, and the class name. */
  readonly type: string;
  /** Section of landform.yaml. */
  readonly section: string;
  readonly doc: string;
  readonly inputs: Schema;
  /** Outputs beyond the inputs: wire fields in camelCase, with what they mean. */
  readonly outputs: z.ZodObject;
  readonly rules: Partial<Record<keyof z.output<Schema> & string, FieldRule>>;
  /** Inputs and outputs that are secret whatever the program says. */
  readonly secrets?: readonly string[];
  /** Why a `refuse` field can't change, with the remedy. `replaceOnChange: true` turns the refusal into a replacement. */
  readonly refusal?: string;
  /** `name` is an input that defaults to the logical name. */
  readonly named: boolean;
  /** Rules over several inputs. Values may be the unknown marker: `known` tells. */
  readonly check?: (inputs: JsonMap, known: (value: unknown) => boolean) => CheckFailure[];
  readonly claims?: (inputs: JsonMap) => Claim[];
  /** More inputs whose change replaces than single fields give; `old` are the outputs. */
  readonly diff?: (old: ObjectState, now: JsonMap) => string[];

  /** Takes over an existing thing instead of creating (a site of that name, a retired funnel, a video). */
  readonly reuse?: (run: RunContext, inputs: z.output<Schema>, name: string) => Promise<Created | undefined>;
  /** The one call that creates. `name` carries the marker where the kind has one. */
  readonly create: (run: RunContext, inputs: z.output<Schema>, name: string) => Promise<Created>;
  /** Looks for what a creation whose answer was lost has made, for kinds without a marker. */
  readonly refind?: (run: RunContext, inputs: z.output<Schema>, name: string) => Promise<Created | undefined>;
  /** Finds objects by text in their name; absent: the kind can't be found again. */
  readonly search?: (run: RunContext, text: string) => Promise<Found[]>;
  /** True for kinds that are created under a marker and renamed at the end. */
  readonly marked: boolean;
  /**
   * False where what an interrupted run left behind can't be carried on with, and has to be made anew. What it finished is
   * taken over all the same, with the note `blind`: something that only its making could tell is not known.
   */
  readonly resumes?: (inputs: JsonMap) => boolean;
  /** The id in the state for an `adoptId` that may be another id of the same object. */
  readonly identify?: (run: RunContext, adoptId: string) => Promise<string | undefined>;
  /** Undefined means gone: the service itself said so. `old` is what the state knows. */
  readonly read: (run: RunContext, id: string, old: ObjectState) => Promise<JsonMap | undefined>;
  readonly apply: (pass: Apply<z.output<Schema>>) => Promise<void>;
  /** Final look at the object after an apply: the answer that the next drift is measured against. */
  readonly settle?: (pass: Apply<z.output<Schema>>) => Promise<void>;
  readonly delete: (run: RunContext, id: string, old: ObjectState) => Promise<void>;
}

export interface AnyDefinition extends ResourceDefinition<z.ZodObject> {
  /** The inputs with `adoptId`, which every kind takes. */
  readonly schema: z.ZodObject;
  rule(field: string): FieldRule;
}

const WRITE_ONLY: FieldRule = {};

const ADOPT_ID = z
  .string()
  .min(1)
  .optional()
  .describe("Id of an existing object that this resource takes over instead of creating one.");

/**
 * Completes a definition. A field without a rule is compared with the output of its own name where there is one, and
 * is write-only otherwise.
 */
export function defineResource<Schema extends z.ZodObject>(definition: ResourceDefinition<Schema>): AnyDefinition {
  const rules = new Map<string, FieldRule>();
  for (const field of Object.keys(definition.inputs.shape)) {
    const given = definition.rules[field as keyof typeof definition.rules];
    const shown = field in definition.outputs.shape;
    const byName: FieldRule = shown ? { live: (answer) => answer[field] } : WRITE_ONLY;
    rules.set(field, { ...byName, ...given });
  }
  rules.set("adoptId", { onChange: "none" });
  return {
    ...(definition as unknown as ResourceDefinition<z.ZodObject>),
    schema: definition.inputs.extend({ adoptId: ADOPT_ID }),
    rule: (field) => rules.get(field) ?? WRITE_ONLY,
  };
}
