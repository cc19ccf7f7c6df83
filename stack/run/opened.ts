/** What a session works on, opened: the stack, its engine, what no line may show, and what an earlier run could not save. */
import { existsSync, rmSync } from "node:fs";
import { openEngine, type EngineOptions } from "../engines/choose.ts";
import { beginSecrets } from "../engines/place.ts";
import type { Engine, RunRequest } from "../engines/contract.ts";
import type { OperationOptions } from "../options.ts";
import { checkAccess } from "../project/settings.ts";
import { openStack, type StackFolder } from "../project/open.ts";
import { secretsOf } from "../project/secrets.ts";
import { Redactor } from "../report/redact.ts";
import { refuseUnmeant, requireStack, withStacks } from "../stacks/stacks.ts";
import type { Entry } from "../../provider/ledger/entry.ts";
import type { StackLedger } from "../engines/ledger.ts";
import { UsageError } from "../exit/codes.ts";
import { listed } from "../report/text.ts";

export interface Opening extends Pick<EngineOptions, "spares" | "runsProgram"> {
  /**
   * Where there is none yet; others refuse, and leave nothing behind. A plan that fails leaves none behind, either, nor does a look,
   * or a command that ended before it had run anything.
   */
  makesStack?: boolean | "for a plan" | "for a look";
  /** Nobody looks at the name of a stack that is made. */
  unattended?: boolean;
  /** The program is to be run, too; `runsProgram`: at once. */
  runs?: boolean;
  /** What the reader has chosen, where the options are somebody else's. */
  typed?: object;
}

export interface Opened {
  readonly folder: StackFolder;
  readonly engine: Engine;
  readonly redactor: Redactor;
  readonly unsaved: Unsaved;
  /** As if nothing had been opened: a stack that was made for it, and the settings that were written with it. */
  readonly forgetNew: () => Promise<void>;
}

export async function openAll(
  options: OperationOptions,
  { makesStack = false, unattended = false, runs = true, runsProgram, spares }: Opening,
): Promise<Opened> {
  await beginSecrets(options.C, options.stack);
  const folder = await openStack(options.C, options.stack, undefined, { runs });
  checkAccess(folder);
  if (makesStack === false)
    await withStacks(options.engine, folder, (stacks) => requireStack(stacks, folder, options.stack));
  const hadSettings = existsSync(folder.config.file);
  if (unattended) await refuseUnmeant(options.engine, folder);
  const engine = await openEngine(options.engine, folder, { verbose: options.verbose === true, spares, runsProgram });
  const redactor = new Redactor([...(await secretsOf(folder)), ...(await engine.secretTexts())]);
  const unsaved = await Unsaved.find(engine);
  const forgetNew = async (): Promise<void> => {
    await engine.forgetNew();
    if (makesStack !== false && !hadSettings) rmSync(folder.config.file, { force: true });
  };
  return { folder, engine, redactor, unsaved, forgetNew };
}

/** Its mark tells no more: a preview may look while the run that made it goes on. */
const UNSAVED = "the last run has not saved the state (it was killed, or is still under way)";

export class Unsaved {
  /** Nothing, where each run has saved the state. */
  readonly #made: readonly Entry[] | undefined;

  constructor({ run, entries }: Pick<StackLedger, "run" | "entries">) {
    this.#made = run === "unsaved" ? entries : undefined;
  }

  static async find(engine: Pick<Engine, "ledger" | "stateFolder">): Promise<Unsaved> {
    const isInFolder = engine.stateFolder !== undefined;
    return new Unsaved(isInFolder ? await engine.ledger() : { run: undefined, entries: [] });
  }

  /** For who is about to run; undefined where there is nothing to say. */
  get note(): string | undefined {
    if (this.#made === undefined) return undefined;
    const made = this.#made.length;
    if (made === 0) return `${UNSAVED}: what it changed or deleted is planned once more, which does no harm.`;
    return `${UNSAVED}: ${made} of what it was creating are known by the ledger beside the state, and the next up takes them in.`;
  }

  /** Only an up brings into the state what a destroy would leave behind, and an undo couldn't see. */
  refuse({ kind, restore }: Pick<RunRequest, "kind" | "restore">): void {
    const made = this.#made ?? [];
    if ((kind !== "destroy" && restore === undefined) || made.length === 0) return;
    throw new UsageError(
      `${UNSAVED}, and ${made.length} of what it was creating are in no state: ${listed(made.map(({ kind, name }) => `${kind} "${name}"`))}. Run npx landform up first, which takes them in. Nothing was sent`,
    );
  }
}
