/** What the values are that a manifest takes from outside, as far as it can be told without running it. */
import type { Json } from "../../provider/json.ts";
import type { Deferred } from "../declarations/model.ts";
import { coerce } from "../language/forms.ts";

export interface OutsideValues {
  /** Undefined where it can't be told: then it is not compared either. */
  valueOf(deferred: Deferred): { readonly value: Json } | undefined;
}

export interface OutsideSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A value of the stack's configuration; undefined where there is none, or none that may be read. */
  readonly config?: (key: string) => string | undefined;
}

export function outsideValues({ env, config = () => undefined }: OutsideSources): OutsideValues {
  return {
    valueOf: ({ origin, wanted }) => {
      if (origin.from !== "env" && origin.from !== "config") return undefined;
      const given = origin.from === "env" ? env[origin.name] || undefined : config(origin.key);
      // A configuration that can't be read may still have a value.
      const found = given ?? (origin.from === "env" ? origin.fallback : undefined);
      if (found === undefined) return undefined;
      const value =
        wanted === "json" ? found : coerce(typeof found === "object" ? JSON.stringify(found) : String(found), wanted);
      return value === undefined ? undefined : { value };
    },
  };
}
