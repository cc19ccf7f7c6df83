/** What the values are that a manifest takes from outside, as far as it can be told without running it. */
import type { Json } from "../../provider/values/json.ts";
import type { Deferred, Origin } from "../declare/model.ts";
import { coerce } from "../language/forms.ts";

export interface OutsideValues {
  /** Undefined where it can't be told: then it is not compared either. */
  valueOf(deferred: Deferred): { readonly value: Json } | undefined;
}

export interface OutsideSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined where no stack is chosen. */
  readonly stack?: string;
  /** Of the stack's configuration: undefined where it can't be read, and without a value where none is set. */
  readonly config?: (key: string) => { readonly value?: string } | undefined;
}

export function outsideValues(sources: OutsideSources): OutsideValues {
  return {
    valueOf: ({ origin, wanted }) => {
      const found = givenBy(origin, sources);
      if (found === undefined) return undefined;
      const value =
        wanted === "json" ? found : coerce(typeof found === "object" ? JSON.stringify(found) : String(found), wanted);
      return value === undefined ? undefined : { value };
    },
  };
}

function givenBy(origin: Origin, sources: OutsideSources): Json | undefined {
  const { env, stack, config = () => undefined } = sources;
  if (origin.from === "env") return env[origin.name] || origin.fallback;
  if (origin.from === "config") {
    const found = config(origin.key);
    return found && (found.value ?? origin.fallback);
  }
  if (origin.from === "stack") return stack;
  if (origin.from !== "text") return undefined;
  const parts = origin.parts.map((part) => (typeof part === "string" ? part : givenBy(part.origin, sources)));
  return parts.every((part) => part !== undefined) ? parts.map(String).join("") : undefined;
}
