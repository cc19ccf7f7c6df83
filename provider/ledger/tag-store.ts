/**
 * A ledger as tags of the stack, for states that can't have a file beside them. Pulumi's own command line writes tags wherever it keeps the
 * state, so a person who has the state has the ledger. A tag is one argument of a command, so it holds some entries with their notes. The
 * host writes while Pulumi holds the stack's lock for it. The command line reads before, and tidies up afterwards.
 */
import { landform } from "../values/command-line.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Change, changed, type Entry, type Kept, NOTHING_KEPT, type Store, type Unended } from "./ledger.ts";
import { Flushes } from "./owned-files.ts";

export interface TaggedLedger {
  readonly command: string;
  readonly cwd: string;
  readonly stack: string;
  readonly kept: Kept;
}

export const TAG = "landform:creations";
const VERSION = 4;
const MOST_IN_A_TAG = 40;
/** An argument has 128 KiB on Linux, and a whole command 32 on Windows. */
const LONGEST = process.platform === "win32" ? 24_000 : 120_000;
/** A try that hangs must not keep the creation waiting for ever. */
const WAIT_MS = 60_000;
const TRIES = 3;

interface Tag {
  readonly ledger: number;
  readonly run?: Kept["run"];
  readonly entries: readonly Entry[];
}

/**
 * Returns name and value of each tag. An entry only ever moves to an earlier tag, and earlier tags are written first: a run that is killed
 * between two tags leaves it in both. Pure.
 */
export function tagsOf({ entries, run }: Pick<Kept, "entries" | "run">): [name: string, value: string][] {
  return Array.from({ length: Math.max(1, Math.ceil(entries.length / MOST_IN_A_TAG)) }, (_, part) => {
    const own = entries.slice(part * MOST_IN_A_TAG, (part + 1) * MOST_IN_A_TAG);
    const tag: Tag = { ledger: VERSION, ...(part === 0 && run && { run }), entries: withinLimit(own) };
    return [part === 0 ? TAG : `${TAG}:${part}`, JSON.stringify(tag)];
  });
}

/** Leaves out the longest notes of a tag that is too long. Without its note, dates tell if somebody has edited a page. */
function withinLimit(entries: readonly Entry[]): readonly Entry[] {
  const longest = entries.reduce<Entry | undefined>(
    (most, one) => ((one.note?.length ?? 0) > (most?.note?.length ?? 0) ? one : most),
    undefined,
  );
  if (longest === undefined || JSON.stringify(entries).length <= LONGEST) return entries;
  const { note: _, ...short } = longest;
  return withinLimit(entries.map((one) => (one === longest ? short : one)));
}

export function keptIn(tags: Readonly<Record<string, string>>): Kept {
  const first = tags[TAG];
  if (first === undefined) return NOTHING_KEPT;
  const further = furtherIn(tags).map((name) => tags[name] ?? "");
  const all = [first, ...further].map((value) => JSON.parse(value) as Tag);
  if (all.some(({ ledger }) => ledger !== VERSION))
    throw new Error(
      `the tag ${TAG} of this stack is the ledger of another version of Landform, and this version can't read it. If no run of the stack was killed, remove the tag (pulumi stack tag rm ${TAG}). Otherwise first run ${landform("up")} with the version that wrote it`,
    );
  const { run } = all[0] ?? {};
  // The killed run may be one of plain Pulumi, unless one of ours has not come to its end.
  const told = all.flatMap(({ entries }) => entries);
  // If two tags have the same entry, the entry of the earlier tag is newer.
  const entries = changed(changed([], told), told.toReversed());
  return { entries, run, isThere: true, isWhole: run !== undefined };
}

export function furtherIn(tags: Readonly<Record<string, string>>): string[] {
  const numberOf = (name: string): number => Number(name.slice(TAG.length + 1));
  return Object.keys(tags)
    .filter((name) => name.startsWith(`${TAG}:`))
    .sort((a, b) => numberOf(a) - numberOf(b));
}

export class TagStore implements Store {
  readonly #place: TaggedLedger;
  /** In the order in which they came, so that earlier tags stay as they are. */
  #entries: readonly Entry[];
  #run: Unended;
  readonly #written = new Map<string, string>();
  readonly #flushes = new Flushes(() => this.#flush());

  constructor(place: TaggedLedger) {
    this.#place = place;
    this.#entries = place.kept.entries;
    this.#run = place.kept.run ?? "begun";
  }

  read(): Kept {
    return this.#place.kept;
  }

  write(changes: readonly Change[]): Promise<void> {
    this.#entries = changed(this.#entries, changes);
    return this.#flushes.next();
  }

  note(changes: readonly Change[]): void {
    this.write(changes).catch(() => undefined);
  }

  mark(run: Unended): Promise<void> {
    this.#run = run;
    return this.write([]);
  }

  async #flush(): Promise<void> {
    for (const [name, value] of tagsOf({ entries: this.#entries, run: this.#run })) {
      if (this.#written.get(name) === value) continue;
      await setTag(this.#place, name, value);
      this.#written.set(name, value);
    }
  }
}

export async function setTag(
  { command, cwd, stack }: Pick<TaggedLedger, "command" | "cwd" | "stack">,
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
        `Landform can't write its creations into the tags of the stack ${stack} (pulumi stack tag set): ${stderr.trim() || message}. Nothing is lost: run again, and the next run goes on`,
        { cause: error },
      );
    }
  }
}
