/** The requests to a provider, in values that it understands: no secrets and no references, and unknowns only where they may be. */
import type { Events } from "../events.ts";
import type { Json, PropertyMap } from "../model/types.ts";
import type { CheckAnswer, DiffAnswer } from "../plan/types.ts";
import type { WaitingProcesses } from "../request.ts";
import type { Sdk } from "./sdk.ts";

export interface Calls {
  check: Call<{ olds: PropertyMap; news: PropertyMap }, CheckAnswer>;
  diff: Call<DiffAsked, DiffAnswer>;
  create: Call<{ properties: PropertyMap; timeout: number }, { id: string; properties: PropertyMap }>;
  update: Call<DiffAsked & { timeout: number }, { properties: PropertyMap }>;
  delete: Call<{ id: string; oldInputs: PropertyMap; properties: PropertyMap; timeout: number }, object>;
  read: Call<
    { id: string; inputs: PropertyMap; properties: PropertyMap },
    { id: string; properties: PropertyMap; inputs?: PropertyMap }
  >;
}

interface Call<Asked, Answered> {
  asked: Asked;
  answered: Answered;
}

interface DiffAsked {
  id: string;
  oldInputs: PropertyMap;
  olds: PropertyMap;
  news: PropertyMap;
  ignoreChanges: string[];
}

export type Method = keyof Calls;
export type Asked<Name extends Method> = Calls[Name]["asked"];
export type Answered<Name extends Method> = Calls[Name]["answered"];

/** The way to a process that serves providers. It reports errors as ProviderError, FailedToComeUp or HostError. */
export interface Wire {
  call: <Name extends Method>(method: Name, urn: string, asked: Asked<Name>) => Promise<Answered<Name>>;
  close: () => Promise<void>;
}

export interface ProviderIdentity {
  urn: string;
  id: string;
  inputs: PropertyMap;
}

/** An object that exists although the call that made or changed it failed. */
export interface InitFailure {
  id: string;
  properties: PropertyMap;
  inputs?: PropertyMap;
  reasons: string[];
}

export class FailedToComeUp extends Error {
  readonly failure: InitFailure;

  constructor(failure: InitFailure) {
    super(failure.reasons.join("\n"));
    this.failure = failure;
  }
}

/** Returns the milliseconds that a call may take. A resource's own time-out may be longer than the run's. */
export function patienceFor(asked: object, patienceMs = PATIENCE_MS): number {
  const { timeout = 0 } = asked as { timeout?: number };
  return Math.max(patienceMs, timeout * 1000);
}

/** No call of ours takes as long. A provider that never answers must not hold a run for ever. */
const PATIENCE_MS = 30 * 60_000;

export interface HostOptions {
  sdk: () => Sdk;
  cwd: string;
  project: string;
  env: NodeJS.ProcessEnv;
  events: Events;
  /** The milliseconds that a call may take. */
  patienceMs?: number | undefined;
  spares?: WaitingProcesses | undefined;
  modules?: readonly string[] | undefined;
}

/** A provider without code of the program: `exports.handler=()=>require("MODULE").NAME`. Functions that a program serialized need the SDK's host. */
export interface ModuleReference {
  module: string;
  name: string;
}

const REFERENCE = /^exports\.handler=\(\)=>require\("([\w@./-]+)"\)\.([A-Za-z_]\w*)$/;

export function moduleReference(provider: Json | undefined): ModuleReference | undefined {
  const [, module, name] = (typeof provider === "string" && REFERENCE.exec(provider)) || [];
  return module === undefined || name === undefined ? undefined : { module, name };
}
