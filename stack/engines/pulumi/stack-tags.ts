/** The ledger as tags of the stack, if the state is in no folder. A run reads it before and tidies it up after. */
import { stackOf } from "../../../provider/ledger/identity.ts";
import { changed, type Kept, reconcile } from "../../../provider/ledger/entry.ts";
import { FileStore, ledgerFileIn } from "../../../provider/ledger/file-store.ts";
import { ledgerFolderOfMachine } from "../../../provider/ledger/place.ts";
import { keptIn, setTag, TAG, tagsOf } from "../../../provider/ledger/tag-store.ts";
import type { RunFacts } from "../../../provider/pulumi/run-facts.ts";
import type { StackFolder } from "../../project/open.ts";
import { ledgerFrom, type StackLedger, stateOfCreations } from "../ledger.ts";
import type { RecordedState } from "../recorded.ts";
import { type PulumiCli, PulumiCliError } from "./cli.ts";

export class StackTags {
  readonly #cli: PulumiCli;
  readonly #folder: StackFolder;

  constructor(cli: PulumiCli, folder: StackFolder) {
    this.#cli = cli;
    this.#folder = folder;
  }

  /** Writes nothing here: only the holder of the stack's lock may write. */
  async begin(recorded: RecordedState): Promise<Pick<RunFacts, "tags">> {
    const before = this.#withMachine(keptIn(await this.#read()));
    const entries = changed(before.entries, reconcile(before, stateOfCreations(recorded)));
    return { tags: { ...this.#place, kept: { ...before, entries } } };
  }

  async end(recorded: RecordedState): Promise<void> {
    await this.#change((kept) => ({
      entries: changed(kept.entries, reconcile({ ...kept, isWhole: true }, stateOfCreations(recorded))),
    }));
  }

  async kept(): Promise<Kept> {
    return keptIn(await this.#readIfThere());
  }

  async open(recorded: RecordedState): Promise<StackLedger> {
    return ledgerFrom(await this.kept(), recorded, (changes) =>
      this.#change(({ entries, run }) => ({ entries: changed(entries, changes), run })),
    );
  }

  async #change(change: (kept: Kept) => Pick<Kept, "entries" | "run">): Promise<void> {
    const tags = await this.#readIfThere();
    const now = new Map(tagsOf(change(keptIn(tags))));
    const [[, nothing] = ["", ""]] = tagsOf({ entries: [] });
    for (const name of Object.keys(tags)) if (name.startsWith(`${TAG}:`) && !now.has(name)) now.set(name, nothing);
    for (const [name, value] of now)
      if (tags[name] !== value) await setTag(this.#place, name, value, { ...process.env, ...this.#cli.env });
  }

  async #readIfThere(): Promise<Record<string, string>> {
    try {
      return await this.#read();
    } catch (error) {
      if (error instanceof PulumiCliError && error.noStack) return {};
      throw error;
    }
  }

  async #read(): Promise<Record<string, string>> {
    return JSON.parse(await this.#cli.ask("stack", "tag", "ls", "--json", "--stack", this.#folder.stack)) as Record<
      string,
      string
    >;
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
