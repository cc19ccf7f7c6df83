/** Reads the account for looks: it has the state with its secrets, and a client for each provider of the stack. It only reads. */
import type { JsonMap } from "../../provider/values/json.ts";
import { noticeText, type Notice } from "../../provider/messages/notices.ts";
import { unkeptLedger } from "../../provider/ledger/ledger.ts";
import { RunContext } from "../../provider/reconcile/run-context.ts";
import type { AccountOfKey } from "../../provider/pulumi/run-facts.ts";
import { configInForce } from "../../provider/pulumi/settings-in-force.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";

import { byUrn, halfWritten, type StateResource } from "../engines/recorded.ts";
import type { StackSettings } from "../settings/settings.ts";
import { TIMEOUT_MS } from "../settings/whose-key.ts";
import { type Told, wantedOf } from "../report/steps.ts";
import type { CheckedConfig } from "../../provider/api/index.ts";
import { revealed } from "../../provider/api/config.ts";

/** An account that a look was told so short a time ago need not be asked for again by the run that follows. */
const FRESH_MS = 30_000;

export interface Looking {
  /** Reads everything, even if nothing seems to have changed. */
  readonly full?: boolean;
  readonly told?: ReadonlyMap<string, Told>;
}

export class AccountReader {
  readonly #settings: StackSettings;
  readonly #records: ReadonlyMap<string, StateResource>;
  /** Objects that replacements left behind. Each has the URN of its successor. */
  readonly #condemned: readonly StateResource[];
  readonly #runs = new Map<string, RunContext>();
  /** By the name of the account in the settings. */
  readonly #named = new Map<string, RunContext>();
  /** The questions that could not be asked, in words. */
  readonly warnings: string[] = [];

  readonly #full: boolean;
  #told: ReadonlyMap<string, Told> = new Map();
  /** By object, the inputs that a killed run was writing. */
  readonly #halfWritten = new Map<ObjectKey, JsonMap>();

  constructor(settings: StackSettings, records: readonly StateResource[], full: boolean) {
    this.#full = full;
    this.#settings = settings;
    this.#records = byUrn(records);
    this.#condemned = records.filter((one) => one.delete === true);
  }

  hears(told: ReadonlyMap<string, Told> | undefined): this {
    this.#told = told ?? this.#told;
    const pending = [...this.#told.values()].flatMap(({ urn, asked }) => {
      const resource = asked && this.#records.get(urn);
      return resource ? [{ type: "updating", resource: { ...resource, inputs: asked } }] : [];
    });
    const found = halfWritten({ resources: [...this.#records.values()], pending });
    for (const [key, asked] of Object.entries(found)) this.#halfWritten.set(key as ObjectKey, asked);
    return this;
  }

  /** Returns the outputs in the state. `id`: the object, if it may be one that a replacement left behind. */
  stateOf(urn: string, id?: string): JsonMap | undefined {
    const left = this.#condemned.find((one) => one.urn === urn && one.id === id);
    return (left ?? this.#records.get(urn))?.outputs as JsonMap | undefined;
  }

  recordOf(urn: string): StateResource | undefined {
    return this.#records.get(urn);
  }

  /** Returns a client with the settings of the provider, whose reference is `URN::ID`, or of the stack if the resource has no provider of its own. */
  of(provider: string | undefined, urn: string): RunContext {
    const reference = this.#records.get(urn)?.provider ?? provider ?? "";
    const urnOfProvider = reference.slice(0, reference.lastIndexOf("::"));
    // The provider's inputs from the last run, or else from this run's plan.
    const own: Record<string, unknown> | undefined =
      this.#records.get(urnOfProvider)?.inputs ?? wantedOf(this.#told.get(urnOfProvider))?.inputs;
    const { values } = this.#settings;
    const get = (key: string): unknown =>
      own?.["landform:apiKeyEnv"] === undefined ? values[key.slice("landform:".length)] : own[key];
    const account = JSON.stringify([get("landform:apiKeyEnv"), get("landform:baseUrl")]);
    const run = this.#named.get(account) ?? this.at(configInForce(get, process.env));
    this.#named.set(account, run);
    return run;
  }

  /** Returns one client for each key and address, so that each question is asked once. */
  at(config: CheckedConfig): RunContext {
    const key = `${config.baseUrl} ${revealed(config)}`;
    const known = this.#runs.get(key);
    if (known) return known;
    const settings = {
      ...{ full: this.#full, patienceMs: 0, onlyLooks: true, halfWritten: this.#halfWritten },
      ...{ foreign: new Set<string>(), ledger: unkeptLedger() },
      warn: (notice: Notice) => this.warnings.push(noticeText(notice)),
    };
    const run = new RunContext({ ...config, timeoutMs: Math.min(config.timeoutMs, TIMEOUT_MS) }, settings);
    this.#runs.set(key, run);
    return run;
  }

  /** Returns a client with the stack's key for this account, if it has one. If the account is unknown, the usual key is taken. */
  async ofAccount(account: string | undefined): Promise<RunContext | undefined> {
    const references = new Set(["", ...[...this.#records.values()].map(({ provider = "" }) => provider)]);
    for (const run of new Set([...references].map((reference) => this.of(reference, ""))))
      if (account === undefined || (await run.accountId()) === account) return run;
    return undefined;
  }

  toldAccounts(): AccountOfKey[] {
    return [...this.#runs.values()].flatMap((run) => {
      const account = run.accountToldWithin(FRESH_MS);
      return account === undefined ? [] : [{ key: run.nameOfKey(), account }];
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.api.close()));
  }
}
