/** The facts that a program needs to run as a preview: of its environment, and of the base that it stays away from. */
import type { Json, JsonMap } from "../values/json.ts";
import type { SlugStyle } from "../definition/in-preview.ts";

/** The settings of an environment, which its record keeps. */
export interface EnvironmentFacts {
  readonly name: string;
  readonly branch?: string;
  readonly pr?: number;
  readonly commit?: string;
  /** The repository whose branches and requests are meant. */
  readonly repository?: string;
  /** The stack whose objects stand for those that a preview doesn't make. */
  readonly base?: string;
  readonly slugStyle: SlugStyle;
  readonly hooks: boolean;
  readonly drafts: boolean;
  readonly seed: boolean;
  readonly ttlDays: number;
}

/** An object that stands for all of its kind. */
export interface NamedObject {
  readonly id: string;
  readonly name?: string;
  /** The public address of the pages below it, with a slash at its end. */
  readonly root?: string;
}

export interface PreviewFacts {
  readonly environment: EnvironmentFacts;
  /** The text that makes its addresses unguessable. */
  readonly token: string;
  /** By kind: `--site` and `--project`. */
  readonly named: Readonly<Record<string, NamedObject>>;
  /** By URN without the stack (`urnInStack`). */
  readonly base: Readonly<Record<string, BaseObject>>;
}

/** A resource of the base, as far as a preview needs to know it. */
export interface BaseObject {
  readonly id: string;
  readonly url?: string;
  readonly slug?: string;
  readonly siteId?: string;
  /** The inputs that it was made from, as the base's program says. */
  readonly origin: JsonMap;
  /** It stays what it is: the preview makes none of its own in its place. */
  readonly stays?: true;
  /** Its other known outputs, if it is one of the preview's objects. */
  readonly outputs?: Readonly<Record<string, Json>>;
}

/** Returns a URN without the name of its stack, to compare the URNs of two stacks. */
export function urnInStack(urn: string): string {
  return urn.split("::").slice(1).join("::");
}
