/** The record of creations where the state is in no folder: tags of the stack, read before a run and tidied up after it. */
import type { RecordedCreation, UnwantedCreation } from "../../../provider/reconcile/creation-record.ts";
import { identityFor, ownIn, stackOf } from "../../../provider/reconcile/identity.ts";
import { specOfName } from "../../../provider/reconcile/leftovers.ts";
import { RecordFile, recordFileIn } from "../../../provider/ledger/record-file.ts";
import { recordFolderOfMachine } from "../../../provider/ledger/record-place.ts";
import { recordIn, setTag, tagsOf, type StackRecord } from "../../../provider/ledger/record-tags.ts";
import type { RunFacts } from "../../../provider/pulumi/run-facts.ts";
import type { StackFolder } from "../../project/open.ts";
import { isHeldBy, type RecordedState } from "../recorded.ts";
import { type Ended, NOTHING_KEPT, type KeptCreations } from "../kept-creations.ts";
import { type PulumiCli, PulumiCliError } from "./command.ts";

/** What a run that begins now is to know. Pure. */
export function recordToBegin(
  before: StackRecord | undefined,
  ofMachine: readonly RecordedCreation[],
  recorded: RecordedState,
): StackRecord {
  const pending = pendingIn(recorded);
  const doubtful = pending.filter((own) => before === undefined || isDoubtful(own, before));
  const creations = openOnes([...ofMachine, ...(before?.creations ?? [])], recorded);
  const { lost = [], unwanted = [], sought = [], named = {} } = before ?? {};
  return { run: "begun", pending, doubtful, creations, lost, unwanted, sought, named: unheld(named, recorded) };
}

/** What stays of a run that is over. Pure. */
export function recordToEnd(
  { doubtful, creations, lost, unwanted, sought, named }: StackRecord,
  recorded: RecordedState,
): StackRecord {
  const pending = pendingIn(recorded);
  return {
    run: "ended",
    pending,
    doubtful: doubtful.filter((own) => pending.includes(own)),
    creations: openOnes(creations, recorded),
    lost,
    unwanted,
    sought,
    named: unheld(named, recorded),
  };
}

/** Without what a state holds that was made from the same name. */
function unheld(named: StackRecord["named"], { resources }: RecordedState): StackRecord["named"] {
  const held = new Set(
    resources.flatMap(({ urn, id, inputs }) => {
      const name = inputs?.["name"];
      return id === undefined || typeof name !== "string" ? [] : [`${ownIn(identityFor(urn))} ${specOfName(name)}`];
    }),
  );
  return Object.fromEntries(Object.entries(named).filter(([own, spec]) => !held.has(`${own} ${spec}`)));
}

const NOTHING_NOTED = { creations: [], lost: [], unwanted: [], sought: [], named: {} };

/** Where no run has kept a record yet, nothing is known of what is under way. Pure. */
export function withUnwanted(
  before: StackRecord | undefined,
  unwanted: readonly UnwantedCreation[],
  open: readonly string[],
): StackRecord {
  const own = open.map((urn) => ownIn(identityFor(urn)));
  const record = before ?? { run: "begun", pending: own, doubtful: own, ...NOTHING_NOTED };
  const isNoted = (one: UnwantedCreation): boolean =>
    unwanted.some((other) => other.own === one.own && other.made?.id === one.made?.id);
  return { ...record, unwanted: [...record.unwanted.filter((one) => !isNoted(one)), ...unwanted] };
}

/** Left by a run that kept no record here: what is recorded as unfinished since the last one that did has ended. */
function isDoubtful(own: string, { run, pending, doubtful }: StackRecord): boolean {
  return doubtful.includes(own) || (run === "ended" && !pending.includes(own));
}

function pendingIn({ pending }: RecordedState): string[] {
  return pending.flatMap(({ type, resource }) => (type === "creating" ? [ownIn(identityFor(resource.urn))] : []));
}

function withoutEnded(record: StackRecord, { lost, gone, removed, sought }: Ended): StackRecord {
  const told = new Set(lost.map(({ own }) => own));
  const ids = new Set(gone.map(({ own, id }) => `${own} ${id}`));
  return {
    ...record,
    lost: record.lost.filter(({ own }) => !told.has(own)),
    creations: record.creations.filter(({ own, id }) => !ids.has(`${own} ${id}`)),
    unwanted: record.unwanted.filter(({ own }) => !removed.includes(own)),
    sought: record.sought.filter(({ own }) => !sought.includes(own)),
  };
}

/** What a state holds is settled. The later of two about one resource stands. */
function openOnes(creations: readonly RecordedCreation[], { resources }: RecordedState): RecordedCreation[] {
  const isHeld = isHeldBy(resources);
  return [...new Map(creations.map((one) => [one.own, one])).values()].filter((one) => !isHeld(one));
}

export class StackTags {
  readonly #cli: PulumiCli;
  readonly #folder: StackFolder;

  constructor(cli: PulumiCli, folder: StackFolder) {
    this.#cli = cli;
    this.#folder = folder;
  }

  /** Nothing is written here: only who has the stack's lock may. */
  async begin(recorded: RecordedState): Promise<Pick<RunFacts, "tags">> {
    const record = recordToBegin(recordIn(await this.#read()), this.#ofMachine(), recorded);
    return { tags: { ...this.#place, record } };
  }

  async end(recorded: RecordedState): Promise<void> {
    await this.#change((before) => before && recordToEnd(before, recorded));
  }

  async kept(): Promise<KeptCreations> {
    const record = recordIn(await this.#readIfThere());
    const note: KeptCreations["note"] = (unwanted, open) =>
      this.#change((before) => withUnwanted(before, unwanted, open));
    if (record === undefined) return { ...NOTHING_KEPT, note };
    const { creations: made, lost, unwanted, sought } = record;
    return {
      made,
      lost,
      questions: [],
      mayBeUnanswered: () => true,
      unwanted,
      sought,
      note,
      forget: (ended) => this.#change((before) => before && withoutEnded(before, ended)),
    };
  }

  async #change(change: (before: StackRecord | undefined) => StackRecord | undefined): Promise<void> {
    const tags = await this.#readIfThere();
    const changed = change(recordIn(tags));
    if (changed === undefined) return;
    const now = new Map(tagsOf(changed));
    const emptied = Object.keys(tags).filter((name) => name.startsWith("landform:creations") && !now.has(name));
    for (const name of emptied) now.set(name, JSON.stringify({ creations: [], lost: [] }));
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

  /** Of runs of plain Pulumi on this machine. */
  #ofMachine(): RecordedCreation[] {
    const { project, stack } = this.#folder;
    const folder = recordFolderOfMachine(process.env);
    return new RecordFile(recordFileIn(folder, stackOf(project.name, stack))).creations;
  }
}
