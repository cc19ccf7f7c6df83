/**
 * The one runtime of a host process: its configuration, the services of the run, and the claims of its resources. The environment goes
 * before stack configuration, since a refresh or destroy is configured from the state, where a rotated key would be the old one. A provider
 * of the program's own (`Account`) goes before both.
 */
import { isOn, revealed } from "../api/config.ts";
import { KeptFile, type Restore, unseal } from "../history/kept.ts";
import type { StepFailure } from "../messages/failures.ts";
import type { Notice } from "../messages/notices.ts";
import { failureLine, hostLine, worthLines } from "../messages/host-lines.ts";
import { HiddenValues } from "../messages/hidden.ts";
import { Claims } from "../reconcile/check.ts";
import { type Configuration, type Handler, handlerFor, type Runtime } from "../reconcile/handler.ts";
import { patienceIn } from "../account/presence.ts";
import { nameOfKey, RunContext, SeenStates, type Settings } from "../reconcile/run-context.ts";
import { definitionOf, type Kind, registry } from "../kinds/registry.ts";
import { environmentHandler, existingHandler, leftOutHandler } from "../preview/stand-ins.ts";
import { changed, Ledger, reconcile, type Store } from "../ledger/ledger.ts";
import { FileStore, ledgerFileIn } from "../ledger/file-store.ts";
import { findStateFolder, ledgerFolderOf, ledgerFolderOfMachine } from "../ledger/place.ts";
import { TagStore } from "../ledger/tag-store.ts";
import { configInForce, foreignEditsInForce, type Get, verifyInForce, verifyWaitInForce } from "./settings-in-force.ts";
import { KEY_VARIABLE, runFacts, type RunFacts } from "./run-facts.ts";
import type { ObjectKey } from "../ledger/identity.ts";
import type { JsonMap } from "../values/json.ts";

const toStandardError = (line: string): Promise<void> =>
  new Promise((resolve) => process.stderr.write(`${line}\n`, () => resolve()));

export class HostRuntime implements Runtime {
  readonly claims = new Claims();
  readonly hidden = new HiddenValues();
  readonly ours: Set<ObjectKey>;
  readonly ledger: Ledger;
  readonly seen: SeenStates;
  readonly restore: Restore | undefined;
  readonly #env: NodeJS.ProcessEnv;
  readonly #facts: RunFacts;
  readonly #print: (line: string) => unknown;
  readonly #isWorthALine: (notice: Notice) => boolean;
  readonly #history: Pick<Settings, "keeper" | "restore">;
  #get: Get = () => undefined;
  #expectedAccount: string | undefined;
  #told: Promise<unknown> = Promise.resolve();
  #current: { fingerprint: string; run: RunContext } | undefined;

  constructor(env = process.env, print: (line: string) => unknown = toStandardError) {
    this.#env = env;
    this.#print = print;
    this.#isWorthALine = worthLines(env);
    this.#facts = runFacts(env);
    this.ours = new Set(this.#facts.ours);
    this.ledger = ledgerOf(this.#facts, env);
    this.seen = new SeenStates(this.ledger, this.#facts.shared);
    this.#history = historyOf(this.#facts, env[KEY_VARIABLE]);
    this.restore = this.#history.restore;
  }

  /** Synchronous on purpose: the host may call a method before an asynchronous configure ends (2026-11-21). */
  configure(request: Configuration): void {
    this.#get = (key) => request.config.get(key);
  }

  failed(failure: StepFailure): void {
    const line = failureLine(failure, this.#env);
    if (line !== undefined) this.#says(line);
  }

  tell(notice: Notice): void {
    if (this.#isWorthALine(notice)) this.#says(hostLine(this.hidden.notice(notice), this.#env));
  }

  told(): Promise<unknown> {
    return this.#told;
  }

  #says(line: string): void {
    this.#told = Promise.all([this.#told, this.#print(line)]);
  }

  expectAccount(account: string | undefined): void {
    this.#expectedAccount ??= account;
  }

  /** Returns the key. A fault of the settings is told where they are needed. */
  key(): string | undefined {
    try {
      return revealed(configInForce(this.#get, this.#env));
    } catch {
      return undefined;
    }
  }

  run(): RunContext {
    const config = configInForce(this.#get, this.#env);
    const fingerprint = [config.baseUrl, revealed(config), config.timeoutMs].join("\n");
    if (this.#current?.fingerprint !== fingerprint) {
      const name = nameOfKey(config);
      const settings = {
        ...settingsFrom(this.#env, this.#facts, this.#get),
        ledger: this.ledger,
        ours: this.ours,
        seen: this.seen,
        knowsStack: this.#facts.ours !== undefined,
        accountOfKey: this.#facts.keys?.find(({ key }) => key === name)?.account,
        warn: (notice: Notice) => this.tell(notice),
        ...this.#history,
      };
      this.#current = { fingerprint, run: new RunContext(config, settings) };
    }
    this.#current.run.expectAccount(this.#expectedAccount ?? this.#recordedAccount());
    return this.#current.run;
  }

  #recordedAccount(): string | undefined {
    const { accounts = [] } = this.#facts;
    return accounts.find(({ apiKeyEnv }) => apiKeyEnv === this.#get("landform:apiKeyEnv"))?.account;
  }
}

export type Handlers = Record<Kind | "environment" | "existing" | "leftOut", Handler>;

export function handlersOf(runtime: HostRuntime): Handlers {
  return {
    ...(Object.fromEntries(
      Object.entries(registry).map(([kind, definition]) => [kind, handlerFor(definition, runtime)]),
    ) as Record<Kind, Handler>),
    environment: environmentHandler,
    existing: existingHandler(runtime),
    leftOut: leftOutHandler,
  };
}

function settingsFrom(env: NodeJS.ProcessEnv, facts: RunFacts, get: Get): Omit<Settings, "ledger" | "warn"> {
  return {
    full: isOn("LANDFORM_FULL_REFRESH", env),
    patienceMs: patienceIn(env),
    halfWritten: new Map(Object.entries(facts.halfWritten ?? {}) as [ObjectKey, JsonMap][]),
    goesOn: facts.goesOn === true && facts.restore === undefined,
    savesAtEnd: facts.savesAtEnd === true,
    leaves: new Set(facts.leaves),
    creates: (facts.creates ?? []).flatMap((type) => definitionOf(type) ?? []),
    foreign: new Set((env["LANDFORM_NOT_OURS"] ?? "").split(",").map((id) => id.trim())),
    makesWay: facts.makesWay ?? {},
    foreignEdits: { ...facts.foreignEdits, stack: foreignEditsInForce(get, env) },
    verify: facts.verify ?? verifyInForce(get, env) !== undefined,
    verifyWaitMs: verifyWaitInForce(get, env),
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
export function ledgerOf(facts: RunFacts, env = process.env): Ledger {
  return new Ledger((stack) => storeOf(facts, stack, env));
}

function storeOf({ ledger, isNewLedger, tags, pending }: RunFacts, stack: string, env: NodeJS.ProcessEnv): Store {
  if (tags !== undefined) return new TagStore(tags);
  if (ledger !== undefined) return new FileStore(ledgerFileIn(ledger, stack), isNewLedger !== true);
  const root = findStateFolder(env, process.cwd());
  const folder = root === undefined ? ledgerFolderOfMachine(env) : ledgerFolderOf(root);
  const store = new FileStore(ledgerFileIn(folder, stack), root !== undefined);
  return pending === undefined ? store : withPending(store, pending);
}

/** Adds the creations that only the state tells of, if the ledger is on this machine: it does not have the runs of other machines. */
function withPending(store: FileStore, pending: NonNullable<RunFacts["pending"]>): Store {
  const kept = store.read();
  const untold = reconcile(kept, { holds: (_kind, _id, key) => key !== undefined, holdsNamed: () => false, pending });
  return {
    read: () => ({ ...kept, entries: changed(kept.entries, untold) }),
    write: (changes) => store.write(changes),
    note: (changes) => store.note(changes),
    mark: (run) => store.mark(run),
  };
}
