/**
 * The record of creations as tags of the stack, for states that are kept where no file can be put beside them: Pulumi's own
 * command line writes them wherever it keeps the state, so whoever has the state has the record. A tag a few hundred
 * creations, since a tag is one argument of a command; the first one also tells of which runs the record speaks.
 * The host writes while Pulumi holds the stack's lock for it; the command line reads before and tidies up afterwards.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type {
  CreationRecord,
  LostCreation,
  RecordedCreation,
  SoughtCreation,
  UnwantedCreation,
} from "../reconcile/creation-record.ts";

export interface StackRecord {
  /** A run that was begun and never ended may have left creations of which the record tells nothing: they weren't made. */
  readonly run: "begun" | "ended";
  /** Creations (OWN) that the state called unfinished when the last run ended. */
  readonly pending: readonly string[];
  /** Unfinished ones of runs that kept no record here. */
  readonly doubtful: readonly string[];
  readonly creations: readonly RecordedCreation[];
  readonly lost: readonly LostCreation[];
  readonly unwanted: readonly UnwantedCreation[];
  readonly sought: readonly SoughtCreation[];
  /** By OWN, what was asked for of what only its name finds, and no state holds: its SPEC. */
  readonly named: Readonly<Record<string, string>>;
}

/** Where the tags are written, and what they say. */
export interface TaggedRecord {
  /** Pulumi's command. */
  readonly command: string;
  /** A folder with the project's Pulumi.yaml. */
  readonly cwd: string;
  readonly stack: string;
  readonly record: StackRecord;
}

const TAG = "landform:creations";
const MOST_IN_A_TAG = 300;
/** A try that hangs must not keep the creation waiting for ever. */
const WAIT_MS = 60_000;
const TRIES = 3;

/** Name and value of each tag. Pure. */
export function tagsOf({ creations, lost, ...head }: StackRecord): [name: string, value: string][] {
  const parts = Math.max(1, Math.ceil(Math.max(creations.length, lost.length) / MOST_IN_A_TAG));
  return Array.from({ length: parts }, (_, part) => {
    const own = <T>(all: readonly T[]): T[] => all.slice(part * MOST_IN_A_TAG, (part + 1) * MOST_IN_A_TAG);
    const value = { ...(part === 0 ? head : {}), creations: own(creations), lost: own(lost) };
    return [part === 0 ? TAG : `${TAG}:${part}`, JSON.stringify(value)];
  });
}

/** Undefined where no run has kept a record. Pure. */
export function recordIn(tags: Readonly<Record<string, string>>): StackRecord | undefined {
  const first = tags[TAG];
  if (first === undefined) return undefined;
  const head = parsed(first);
  const further = Object.entries(tags).filter(([name]) => name.startsWith(`${TAG}:`));
  const all = [head, ...further.map(([, value]) => parsed(value))];
  return { ...head, creations: all.flatMap(({ creations }) => creations), lost: all.flatMap(({ lost }) => lost) };
}

/** Runs of earlier versions wrote nothing of what was lost, unwanted, sought or named, and further tags have no head. */
function parsed(tag: string): StackRecord {
  return { lost: [], unwanted: [], sought: [], named: {}, ...(JSON.parse(tag) as Omit<StackRecord, Late>) };
}

type Late = "lost" | "unwanted" | "sought" | "named";

export class TaggedCreations implements CreationRecord {
  readonly #place: TaggedRecord;
  /** In the order in which they were made, so that earlier tags stay as they are. */
  readonly #open: Map<string, RecordedCreation>;
  readonly #lost: Map<string, LostCreation>;
  readonly #sought: Map<string, SoughtCreation>;
  readonly #named: Map<string, string>;
  /** What was written, by tag. */
  readonly #written = new Map<string, string>();
  #begun: Promise<void> | undefined;
  /** The write that creations made now will be part of. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(place: TaggedRecord) {
    this.#place = place;
    this.#open = new Map(place.record.creations.map((creation) => [creation.own, creation]));
    this.#lost = new Map(place.record.lost.map((creation) => [creation.own, creation]));
    this.#sought = new Map(place.record.sought.map((creation) => [creation.own, creation]));
    this.#named = new Map(Object.entries(place.record.named));
  }

  begin(): Promise<void> {
    this.#begun ??= this.#write();
    return this.#begun;
  }

  covers(own: string): boolean {
    return !this.#place.record.doubtful.includes(own);
  }

  find(own: string): RecordedCreation | undefined {
    return this.#open.get(own);
  }

  made(creation: RecordedCreation): Promise<void> {
    this.#open.set(creation.own, creation);
    this.#lost.delete(creation.own);
    return this.#write();
  }

  /** A tag is short, takes as long as a command of Pulumi's, and is read by who may not read the secrets. */
  noted(): Promise<void> {
    return Promise.resolve();
  }

  note(): undefined {
    // Nothing was noted.
  }

  /** The state, which is asked before each run, tells what was begun; and a tag takes as long as a command of Pulumi's. */
  asked(): Promise<void> {
    return Promise.resolve();
  }

  named(own: string, spec: string): Promise<void> {
    this.#named.set(own, spec);
    return this.#write();
  }

  lost(creation: LostCreation): Promise<void> {
    this.#lost.set(creation.own, creation);
    return this.#write();
  }

  sought(creation: SoughtCreation): Promise<void> {
    this.#sought.set(creation.own, creation);
    return this.#write();
  }

  /** Where it can't be written, the next run says too much, and not too little. */
  failed(own: string): void {
    if (this.#named.delete(own)) this.#write().catch(() => undefined);
  }

  isUnanswered(own: string): boolean {
    return this.#lost.has(own) || this.#named.has(own);
  }

  openQuestions(): readonly [] {
    return [];
  }

  /** Said again by the next run where nothing is written any more. */
  settled(own: string, id: string): void {
    if (this.#open.get(own)?.id === id) this.#open.delete(own);
  }

  held(own: string, spec: string): void {
    if (this.#named.get(own) === spec) this.#named.delete(own);
  }

  /** What comes while a write is under way shares the next one. */
  #write(): Promise<void> {
    this.#next ??= this.#last.catch(() => undefined).then(() => this.#flush());
    this.#last = this.#next;
    return this.#next;
  }

  async #flush(): Promise<void> {
    this.#next = undefined;
    const { pending, doubtful, unwanted } = this.#place.record;
    const [creations, lost, sought] = [[...this.#open.values()], [...this.#lost.values()], [...this.#sought.values()]];
    const named = Object.fromEntries(this.#named);
    for (const [name, value] of tagsOf({ run: "begun", pending, doubtful, creations, lost, unwanted, sought, named })) {
      if (this.#written.get(name) === value) continue;
      await setTag(this.#place, name, value);
      this.#written.set(name, value);
    }
  }
}

export async function setTag(
  { command, cwd, stack }: Pick<TaggedRecord, "command" | "cwd" | "stack">,
  name: string,
  value: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const args = ["stack", "tag", "set", name, value, "--stack", stack, "--cwd", cwd, "--non-interactive"];
  const options = {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeout: WAIT_MS,
    killSignal: "SIGKILL",
  } as const;
  for (let tries = 1; ; tries++) {
    try {
      await promisify(execFile)(command, args, options);
      return;
    } catch (error) {
      const { stderr = "", message } = error as Error & { stderr?: string };
      if (tries < TRIES) continue;
      throw new Error(
        `what was created can't be written down in the tags of the stack ${stack} (pulumi stack tag set): ${stderr.trim() || message}. Nothing is lost: the object keeps its marker, and the next run carries on with it`,
        { cause: error },
      );
    }
  }
}
