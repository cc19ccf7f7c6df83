/** What is asked of a provider, in the values that it understands: no secrets, no references; unknowns where they may be. */
import type { PropertyMap } from "../model/types.ts";

export interface Calls {
  check: Call<{ olds: PropertyMap; news: PropertyMap }, { inputs: PropertyMap; failures: CheckFailure[] }>;
  diff: Call<
    { id: string; oldInputs: PropertyMap; olds: PropertyMap; news: PropertyMap; ignoreChanges: string[] },
    { changes: "none" | "some" | "unknown"; replaceKeys: string[]; deleteBeforeReplace: boolean }
  >;
  create: Call<{ properties: PropertyMap; timeout: number }, { id: string; properties: PropertyMap }>;
  update: Call<
    {
      id: string;
      oldInputs: PropertyMap;
      olds: PropertyMap;
      news: PropertyMap;
      ignoreChanges: string[];
      timeout: number;
    },
    { properties: PropertyMap }
  >;
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

export interface CheckFailure {
  property: string;
  reason: string;
}

export type Method = keyof Calls;
export type Asked<Name extends Method> = Calls[Name]["asked"];
export type Answered<Name extends Method> = Calls[Name]["answered"];

/** The way to a process that serves providers. Answers errors as ProviderError, FailedToComeUp or HostError. */
export interface Wire {
  call<Name extends Method>(method: Name, urn: string, asked: Asked<Name>): Promise<Answered<Name>>;
  close(): Promise<void>;
}

/** The provider's own URN and id, and its inputs. */
export interface ProviderIdentity {
  urn: string;
  id: string;
  inputs: PropertyMap;
}

/** What exists though the call that made or changed it failed. */
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

/** The provider's text in the property maps of a call: of what is now, or of what was where that isn't known yet. */
export function propertiesOf<Name extends Method>(asked: Asked<Name>): PropertyMap[] {
  const { news, olds, properties, inputs } = asked as Partial<
    Record<"news" | "olds" | "properties" | "inputs", PropertyMap>
  >;
  return [news, olds, properties, inputs].filter((map) => map !== undefined);
}
