/**
 * The values that a manifest takes from outside when it runs: environment, configuration and lookups. It finds all of them before it registers the
 * first resource, so one message lists everything that is missing.
 */
import { landform } from "../../provider/values/command-line.ts";
import { ApiError } from "../../provider/api/index.ts";
import { LookupError } from "../../provider/lookups/index.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import { coerce } from "../language/forms.ts";
import { Deferred, deferredIn, type Manifest, type Tree, type TreeMap } from "../declare/model.ts";

export interface Outside {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stack: string;
  readonly config: (key: string) => { readonly value: string; readonly secret: boolean } | undefined;
  /** Returns the id of the only thing of that name. `account` has the settings of a further account. */
  readonly lookup: (what: string, name: string, account: AccountSettings | undefined) => Promise<string>;
}

interface AccountSettings {
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
}

interface Value {
  readonly value: string | number | boolean;
  readonly secret: boolean;
}

/** The values of all deferred ones except those of resources. It reports the missing ones. */
export class Values {
  readonly #outside: Outside;
  readonly #diagnostics: Diagnostics;
  readonly #found = new Map<Deferred, Value>();
  readonly #lookups = new Map<string, Promise<string>>();

  private constructor(outside: Outside, diagnostics: Diagnostics) {
    this.#outside = outside;
    this.#diagnostics = diagnostics;
  }

  static async find(manifest: Manifest, outside: Outside, diagnostics: Diagnostics): Promise<Values> {
    const values = new Values(outside, diagnostics);
    for (const { settings } of manifest.accounts) values.#direct(settings);
    for (const { inputs } of manifest.entries) values.#direct(inputs);
    if (!diagnostics.failed) await values.#lookUpAll(manifest);
    return values;
  }

  get(deferred: Deferred): Value | undefined {
    return this.#found.get(deferred);
  }

  account(settings: TreeMap): AccountSettings {
    const plain = Object.entries(settings).map(([name, tree]) => [name, this.#plain(tree)]);
    return Object.fromEntries(plain) as AccountSettings;
  }

  #plain(tree: Tree | undefined): unknown {
    return tree instanceof Deferred ? this.#found.get(tree)?.value : tree;
  }

  #direct(inputs: TreeMap): void {
    for (const deferred of deferredIn(inputs)) {
      const value = this.#valueOf(deferred);
      if (value) this.#found.set(deferred, value);
    }
  }

  #valueOf(deferred: Deferred): Value | undefined {
    const { origin } = deferred;
    if (origin.from === "env") {
      const value = this.#outside.env[origin.name];
      if (value === undefined || value === "")
        return this.#fallback(deferred, origin.fallback, "environment", `the variable ${origin.name} is not set`);
      return this.#fitting(deferred, value, origin.secret, "environment", `the variable ${origin.name}`);
    }
    if (origin.from === "stack") return { value: this.#outside.stack, secret: false };
    if (origin.from === "text") return this.#text(deferred, origin.parts);
    if (origin.from !== "config") return undefined;
    const found = this.#outside.config(origin.key);
    if (!found) return this.#fallback(deferred, origin.fallback, "config", `the stack has no setting ${origin.key}`);
    return this.#fitting(deferred, found.value, found.secret, "config", `the setting ${origin.key}`);
  }

  /** The text is secret if a part is. */
  #text(deferred: Deferred, parts: readonly (string | Deferred)[]): Value | undefined {
    const found = parts.map((part) =>
      typeof part === "string" ? { value: part, secret: false } : this.#valueOf(part),
    );
    if (!found.every((part) => part !== undefined)) return undefined;
    const text = found.map(({ value }) => String(value)).join("");
    return this.#fitting(
      deferred,
      text,
      found.some(({ secret }) => secret),
      "config",
      "the text that is filled in",
    );
  }

  #fallback(deferred: Deferred, fallback: unknown, code: "environment" | "config", what: string): Value | undefined {
    if (typeof fallback === "string" || typeof fallback === "number" || typeof fallback === "boolean")
      return this.#fitting(deferred, fallback, false, code, "the default");
    const { origin } = deferred;
    const remedy = origin.from === "config" ? `Set it with "${landform("config set", origin.key, "VALUE")}"` : "Set it";
    this.#error(code, deferred, what, `${remedy}, or give a default.`);
    return undefined;
  }

  #fitting(
    deferred: Deferred,
    found: string | number | boolean,
    secret: boolean,
    code: "environment" | "config",
    what: string,
  ): Value | undefined {
    const { wanted } = deferred;
    const value = wanted === "json" ? found : coerce(String(found), wanted);
    if (value !== undefined) return { value, secret };
    // The value itself may be a secret.
    this.#error(code, deferred, `${what} is no ${wanted}`, `Give it a value that is a ${wanted}.`);
    return undefined;
  }

  async #lookUpAll({ entries, accounts }: Manifest): Promise<void> {
    const settings = new Map(accounts.map((account) => [account.key, this.account(account.settings)]));
    const waiting = entries.flatMap((entry) => {
      const account = entry.account === undefined ? undefined : settings.get(entry.account);
      return [...deferredIn(entry.inputs)].map((deferred) => this.#lookUp(deferred, account));
    });
    await Promise.all(waiting);
  }

  async #lookUp(deferred: Deferred, account: AccountSettings | undefined): Promise<void> {
    const { origin } = deferred;
    if (origin.from !== "lookup") return;
    const name = String(this.#plain(origin.name));
    const key = JSON.stringify([origin.what, name, account ?? null]);
    const finding = this.#lookups.get(key) ?? this.#outside.lookup(origin.what, name, account);
    this.#lookups.set(key, finding);
    try {
      this.#found.set(deferred, { value: await finding, secret: false });
    } catch (error) {
      if (!(error instanceof LookupError || error instanceof ApiError)) throw error;
      this.#error("lookup", deferred, error.message);
    }
  }

  #error(code: "environment" | "config" | "lookup", { place, path }: Deferred, what: string, hint?: string): void {
    this.#diagnostics.error(code, place, `${path}: ${what}`, { path, hint });
  }
}

/** Returns an output of a resource as an input has it. A draft has no address: an input that gets nothing is left out. */
export function asInput<Value>(told: Value | null | undefined): Value | undefined {
  return told ?? undefined;
}
