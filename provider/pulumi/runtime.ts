/**
 * The one runtime of a host process: its configuration, the services of the run, and the claims of its resources. The environment goes
 * before stack configuration, since a refresh or destroy is configured from the state, where a rotated key would be the old one. A provider
 * of the program's own (`Account`) goes before both.
 */
import { revealed } from "../api/config.ts";
import { KeptFile, type Restore, unseal } from "../history/kept.ts";
import type { StepFailure } from "../messages/failures.ts";
import type { Notice } from "../messages/notices.ts";
import { failureLine, hostLine, worthLines } from "../messages/host-lines.ts";
import { Claims } from "../reconcile/check.ts";
import type { Configuration, Runtime } from "../reconcile/handler.ts";
import { patienceIn } from "../account/patience.ts";
import { RunContext, SeenStates, type Settings } from "../reconcile/run-context.ts";
import { definitionOf } from "../kinds/registry.ts";
import { changed, reconcile } from "../ledger/entry.ts";
import { FileStore, ledgerFileIn } from "../ledger/file-store.ts";
import { Ledger, type Store } from "../ledger/ledger.ts";
import { findStateFolder, ledgerFolderOf, ledgerFolderOfMachine } from "../ledger/place.ts";
import { TagStore } from "../ledger/tag-store.ts";
import { configInForce, foreignEditsInForce, type Get, verifyInForce, verifyWaitInForce } from "./settings-in-force.ts";
import { KEY_VARIABLE, runFacts, type RunFacts } from "./run-facts.ts";
import type { ObjectKey } from "../ledger/identity.ts";

export class HostRuntime implements Runtime {
  readonly claims = new Claims();
  readonly ours = new Set(runFacts().ours);
  readonly ledger = ledgerOf(runFacts());
  readonly seen = new SeenStates(this.ledger, runFacts().shared);
  readonly #history = historyOf(runFacts(), process.env[KEY_VARIABLE]);
  readonly restore = this.#history.restore;
  #get: Get = () => undefined;
  #expectedAccount: string | undefined;
  #current: { fingerprint: string; run: RunContext } | undefined;

  /** Synchronous on purpose: the host may call a method before an asynchronous configure ends (2026-11-21). */
  configure(request: Configuration): void {
    this.#get = (key) => request.config.get(key);
  }

  failed(failure: StepFailure): void {
    const line = failureLine(failure, process.env);
    if (line !== undefined) process.stderr.write(`${line}\n`);
  }

  tell(notice: Notice): void {
    tellLine(worthLines(process.env), notice);
  }

  expectAccount(account: string | undefined): void {
    this.#expectedAccount ??= account;
  }

  /** Returns the key. A fault of the settings is told where they are needed. */
  key(): string | undefined {
    try {
      return revealed(configInForce(this.#get, process.env));
    } catch {
      return undefined;
    }
  }

  run(): RunContext {
    const config = configInForce(this.#get, process.env);
    const fingerprint = [config.baseUrl, revealed(config), config.timeoutMs].join("\n");
    if (this.#current?.fingerprint !== fingerprint) {
      const settings = {
        ...settingsFrom(process.env, this.#get, this.ledger),
        ours: this.ours,
        seen: this.seen,
        knowsStack: runFacts().ours !== undefined,
        ...this.#history,
      };
      this.#current = { fingerprint, run: new RunContext(config, settings) };
    }
    this.#current.run.expectAccount(this.#expectedAccount ?? this.#recordedAccount());
    return this.#current.run;
  }

  #recordedAccount(): string | undefined {
    const { accounts = [] } = runFacts();
    return accounts.find(({ apiKeyEnv }) => apiKeyEnv === this.#get("landform:apiKeyEnv"))?.account;
  }
}

function tellLine(isWorthALine: (notice: Notice) => boolean, notice: Notice): void {
  if (isWorthALine(notice)) process.stderr.write(`${hostLine(notice, process.env)}\n`);
}

function settingsFrom(env: NodeJS.ProcessEnv, get: Get, ledger: Ledger): Settings {
  const isWorthALine = worthLines(env);
  return {
    full: env["LANDFORM_FULL_REFRESH"] === "1",
    patienceMs: patienceIn(env),
    halfWritten: new Map(Object.entries(runFacts().halfWritten ?? {}) as [ObjectKey, readonly string[]][]),
    creates: (runFacts().creates ?? []).flatMap((type) => definitionOf(type) ?? []),
    foreign: new Set((env["LANDFORM_NOT_OURS"] ?? "").split(",").map((id) => id.trim())),
    ledger,
    foreignEdits: { ...runFacts().foreignEdits, stack: foreignEditsInForce(get, env) },
    verify: runFacts().verify ?? verifyInForce(get, env) !== undefined,
    verifyWaitMs: verifyWaitInForce(get, env),
    warn: (notice) => {
      tellLine(isWorthALine, notice);
    },
  };
}

/** The command line may keep no history. There is no key then. */
function historyOf({ history, restore }: RunFacts, key: string | undefined): Pick<Settings, "keeper" | "restore"> {
  if (key === undefined) return {};
  return {
    keeper: history === undefined ? undefined : new KeptFile(history, key),
    restore: restore === undefined ? undefined : (unseal(key, restore) as Restore),
  };
}

/** Returns the ledger: beside the state or in the stack's tags, wherever the state goes. If neither can be, it is on this machine. */
export function ledgerOf(facts: RunFacts, cwd = process.cwd()): Ledger {
  return new Ledger((stack) => storeOf(facts, stack, cwd));
}

function storeOf({ ledger, isNewLedger, tags, pending }: RunFacts, stack: string, cwd: string): Store {
  if (tags !== undefined) return new TagStore(tags);
  if (ledger !== undefined) return new FileStore(ledgerFileIn(ledger, stack), isNewLedger !== true);
  const root = findStateFolder(process.env, cwd);
  const folder = root === undefined ? ledgerFolderOfMachine(process.env) : ledgerFolderOf(root);
  const store = new FileStore(ledgerFileIn(folder, stack), root !== undefined);
  return pending === undefined ? store : withPending(store, pending);
}

/** Adds the creations that the state alone tells of, if the ledger is on this machine: other machines have runs of their own. */
function withPending(store: FileStore, pending: NonNullable<RunFacts["pending"]>): Store {
  const kept = store.read();
  const untold = reconcile(kept, { holds: () => false, holdsNamed: () => false, pending });
  return {
    read: () => ({ ...kept, entries: changed(kept.entries, untold) }),
    write: (changes) => store.write(changes),
    note: (changes) => {
      store.note(changes);
    },
  };
}
