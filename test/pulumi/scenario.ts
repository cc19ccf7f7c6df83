import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { OperationKind, OperationOptions } from "./engine.ts";
import type { ConfigValue } from "./sandbox.ts";
import type { Fault, ToyStore } from "./toy/store.ts";
import type { Program, ThingArgs } from "./toy/kit.ts";

/** One operation of a scenario. The real engine decides the right result; a scenario only says if it fails. */
export interface Step {
  /** Default: up. */
  kind?: OperationKind;
  program?: Program;
  options?: OperationOptions;
  fails?: boolean;
  faults?: Fault[];
  config?: Record<string, ConfigValue>;
  outside?: (store: ToyStore) => void;
  /** Changes the checkpoint's deployment, as `pulumi state` would. */
  edit?: (deployment: Deployment) => void;
  /** True if a later preview may plan something, because not everything was applied (targets, retained failures). */
  unsettled?: boolean;
}

export type Scenario = { name: string; steps: Step[] };

export type Resource = Record<string, unknown> & { urn: string; type: string };

export interface Deployment {
  resources?: Resource[];
  pending_operations?: { resource: Resource; type: string }[];
  secrets_providers?: { type: string; state?: { salt?: string } };
}

const thingType = "pulumi-nodejs:dynamic/toy:Thing";

/** Returns the URN of a thing, below components if their types are given. */
export function urn(name: string, ...parents: string[]): string {
  return `urn:pulumi:test::differential::${[...parents, thingType].join("$")}::${name}`;
}

export const groupType = "toy:index:Group";

/** Each step is an operation, or the program of an `up`. */
export function scenario(name: string, ...steps: readonly (Program | Step)[]): Scenario {
  return { name, steps: steps.map((step) => (typeof step === "function" ? { program: step } : step)) };
}

export const destroy: Step = { kind: "destroy" };

export const preview = (program: Program, more: Step = {}): Step => ({ kind: "preview", program, ...more });

export const previewAndUp = (program: Program): Step[] => [preview(program), { program }];

export const nothing: Program = () => undefined;

export function one(name: string, args?: ThingArgs, options?: CustomResourceOptions): Program {
  return ({ Thing }) => {
    new Thing(name, args, options);
  };
}

/** a <- b <- c, and d alone, which the program registers first. */
export function four(size: number): Program {
  return ({ Thing }) => {
    new Thing("d", { size });
    const a = new Thing("a", { size });
    const b = new Thing("b", { size, note: a.label });
    new Thing("c", { size, note: b.label });
  };
}
