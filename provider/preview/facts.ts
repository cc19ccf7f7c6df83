/** What a program has to know to run as a preview: of its environment, and of the base that it stays away from. */
import type { Json, JsonMap } from "../values/json.ts";
import type { SlugStyle } from "../definition/in-preview.ts";

/** What is asked of an environment, and what its record keeps. */
export interface EnvironmentFacts {
  readonly name: string;
  readonly branch?: string;
  readonly pr?: number;
  readonly commit?: string;
  /** Whose branches and requests are meant (repository.ts). */
  readonly repository?: string;
  /** The stack whose objects stand for those that a preview makes none of. */
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
  /** Public address of what is below it, with a slash at its end. */
  readonly root?: string;
}

export interface PreviewFacts {
  readonly environment: EnvironmentFacts;
  /** Undefined where nothing has been made yet, and the environment chooses one itself. */
  readonly token?: string;
  /** By kind: `--site` and `--project`. */
  readonly named: Readonly<Record<string, NamedObject>>;
  /** By URN without the stack (`urnInStack`). */
  readonly base: Readonly<Record<string, BaseObject>>;
}

/** A resource of the base, as far as a preview needs to know it. */
export interface BaseObject {
  readonly id: string;
  /** Where it is public. */
  readonly url?: string;
  readonly slug?: string;
  readonly siteId?: string;
  /** What it was made from, as the base's program says. */
  readonly origin: JsonMap;
  /** What else of it is known, where it stands for one of the preview's. */
  readonly outputs?: Readonly<Record<string, Json>>;
}

/** A URN without the name of its stack, so that those of two stacks can be held against each other. */
export function urnInStack(urn: string): string {
  return urn.split("::").slice(1).join("::");
}
