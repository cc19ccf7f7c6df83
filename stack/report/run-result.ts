/** The facts that an engine's run gives to its report, and the changes that a run is asked for. */
import type { Json, PropertyMap } from "../../engine/index.ts";
import type { ProgramPlaces } from "../../provider/pulumi/program-places.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";
import type { ChangeOp, Failure, Outcome } from "./model.ts";

/** One change of the plan that a run carries out. */
export interface PlannedStep {
  readonly urn: string;
  /** The engine's own name of the type. */
  readonly type: string;
  readonly op: ChangeOp;
  /** The declared inputs that an engine asks for. */
  readonly inputs: Partial<Record<"adoptId" | "publish" | "reuse", Json>>;
  /** The object that it gives up and leaves in the account. */
  readonly leaves?: readonly ObjectKey[];
}

export interface RunResult {
  result: Outcome;
  outputs: Record<string, { value: unknown; secret: boolean }>;
  failures: Failure[];
  pending: readonly Interrupted[];
  /** By id, the URNs of the state's entries that share one object. */
  shared?: ReadonlyMap<ObjectKey, readonly string[]>;
  /** By URN, the URN that the option `deletedWith` names. */
  goesWith?: ReadonlyMap<string, string>;
  /** By URN, the inputs as the last run left them, if a refresh has learned other values since. */
  left?: ReadonlyMap<string, PropertyMap>;
  /** The plan that a later run gets as `expected`. */
  plan?: unknown;
  /** By URN and input, the resources that a planned value is made of, where the events don't tell them. */
  dependencies?: (urn: string) => Readonly<Record<string, readonly string[]>>;
  /** For a preview: an apply would leave everything recorded as it is. Undefined where the engine doesn't tell. */
  unchanged?: boolean;
  places?: ProgramPlaces | undefined;
}

export interface Interrupted {
  readonly urn: string;
  readonly operation: string;
  /** The inputs that the resource was to get. */
  readonly asked: PropertyMap;
}
