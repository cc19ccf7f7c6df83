/** The ledger as tags of the stack, if the state is in no folder. A run reads it before and tidies it up after. */
import { stackOf } from "../../../provider/ledger/identity.ts";
import { type Change, changed, type Kept, reconcile } from "../../../provider/ledger/ledger.ts";
import { FileStore, ledgerFileIn } from "../../../provider/ledger/file-store.ts";
import { ledgerFolderOfMachine } from "../../../provider/ledger/place.ts";
import { furtherIn, keptIn, setTag, tagsOf } from "../../../provider/ledger/tag-store.ts";
import type { StackFolder } from "../../project/open.ts";
import {
  begunWith,
  type LedgerFacts,
  type LedgerPlace,
  NOT_BEGUN,
  type RunBegins,
  type RunEnds,
  settledBy,
  stateOfCreations,
} from "../ledger.ts";
import type { RecordedState } from "../recorded.ts";
import { type PulumiCli, PulumiCliError } from "./cli.ts";

type Tags = Readonly<Record<string, string>>;

export class StackTags implements LedgerPlace {
  readonly #cli: PulumiCli;
  readonly #folder: StackFolder;
  #begun = NOT_BEGUN;
  /** Read once between two runs, since each question is a process. */
  #tags: Promise<Tags> | undefined;

  constructor(cli: PulumiCli, folder: StackFolder) {
    this.#cli = cli;
    this.#folder = folder;
  }

  async read(): Promise<Kept> {
    return keptIn(await (this.#tags ??= this.#read()));
  }

  write(changes: readonly Change[]): Promise<void> {
    return this.#change(({ entries, run }) => ({ entries: changed(entries, changes), run }));
  }

  /** Writes nothing here: only the holder of the stack's lock may write. */
  async begin(recorded: RecordedState, run: RunBegins): Promise<LedgerFacts> {
    if (run.changesNothing) return {};
    this.#tags = undefined;
    const before = this.#withMachine(await this.read());
    this.#begun = begunWith(before, recorded, run);
    this.#tags = undefined;
    const entries = changed(before.entries, reconcile(before, stateOfCreations(recorded)));
    return { tags: { ...this.#place, kept: { ...before, entries } } };
  }

  async end({ read, writesLedger, ...run }: RunEnds): Promise<void> {
    if (!writesLedger && !this.#begun.savesAtEnd && this.#begun.before === undefined) return;
    const after = await read();
    await this.#change((kept) => {
      const { changes, ended } = settledBy(kept, after, run, this.#begun);
      const isOver = ended || kept.run === "begun";
      return { entries: changed(kept.entries, changes), run: isOver ? undefined : kept.run };
    });
  }

  async #change(change: (kept: Kept) => Pick<Kept, "entries" | "run">): Promise<void> {
    const tags = await this.#read();
    this.#tags = undefined;
    const now = new Map(tagsOf(change(keptIn(tags))));
    for (const [name, value] of now)
      if (tags[name] !== value) await setTag(this.#place, name, value, { ...process.env, ...this.#cli.env });
    for (const name of furtherIn(tags))
      if (!now.has(name)) await this.#cli.ask("stack", "tag", "rm", name, "--stack", this.#folder.stack);
  }

  async #read(): Promise<Tags> {
    try {
      return JSON.parse(await this.#cli.ask("stack", "tag", "ls", "--json", "--stack", this.#folder.stack)) as Tags;
    } catch (error) {
      if (error instanceof PulumiCliError && error.noStack) return {};
      throw error;
    }
  }

  get #place() {
    return { command: this.#cli.found.path, cwd: this.#cli.workDir, stack: this.#folder.stack };
  }

  /** Adds the entries that runs of plain Pulumi on this machine have written down. */
  #withMachine(kept: Kept): Kept {
    const { project, stack } = this.#folder;
    const file = ledgerFileIn(ledgerFolderOfMachine(process.env), stackOf(project.name, stack));
    return { ...kept, entries: changed(new FileStore(file).read().entries, kept.entries) };
  }
}
