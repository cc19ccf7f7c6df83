import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Properties = Record<string, unknown>;

/** One call to the provider. `start` and `end` are positions in the log, which give the order of two calls. */
export interface Call {
  method: "check" | "diff" | "create" | "read" | "update" | "delete";
  name: string;
  id?: string;
  olds?: Properties;
  news?: Properties;
  failed?: boolean;
  start: number;
  end: number;
}

/**
 * The failure of one call: `fail` refuses before anything is stored, and `partial` stores the change and then reports that the object failed to
 * initialise. `wait` goes on when a call `until` ("create b") has started, or when it has `ended` and the engine has had time to hear of it.
 */
export interface Fault {
  method: Call["method"];
  name: string;
  mode: "fail" | "partial" | "wait";
  until?: string;
  ended?: boolean;
  times?: number;
}

type Entry = Omit<Call, "start" | "end"> & { call: string; phase: "start" | "end" };

/**
 * The service behind the toy provider: a folder with one file per object, a log of the calls, and the faults to come. Every process of a run (engine
 * tests and the provider's host) opens it by its path.
 */
export class ToyStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(join(folder, "things"), { recursive: true });
  }

  #thing(id: string): string {
    return join(this.folder, "things", `${id}.json`);
  }

  get ids(): string[] {
    return readdirSync(join(this.folder, "things"))
      .map((file) => file.replace(/\.json$/, ""))
      .sort();
  }

  read(id: string): Properties | undefined {
    if (!existsSync(this.#thing(id))) return undefined;
    return JSON.parse(readFileSync(this.#thing(id), "utf8")) as Properties;
  }

  write(id: string, properties: Properties): void {
    writeFileSync(this.#thing(id), JSON.stringify(properties));
  }

  drift(id: string, change: Properties): void {
    this.write(id, { ...this.read(id), ...change });
  }

  remove(id: string): void {
    rmSync(this.#thing(id), { force: true });
  }

  append(entry: Entry): void {
    appendFileSync(join(this.folder, "log.jsonl"), `${JSON.stringify(entry)}\n`);
  }

  #entries(): Entry[] {
    const file = join(this.folder, "log.jsonl");
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Entry);
  }

  /** Returns calls in the order of their start, without those before `since` (a position from `mark`). */
  calls(since = 0): Call[] {
    const open = new Map<string, Call>();
    this.#entries().forEach(({ call, phase, ...rest }, position) => {
      const known = open.get(call);
      if (phase === "start") open.set(call, { ...rest, start: position, end: Number.POSITIVE_INFINITY });
      else if (known) Object.assign(known, rest, { end: position });
    });
    return [...open.values()].filter((call) => call.start >= since);
  }

  mark(): number {
    return this.#entries().length;
  }

  setFaults(faults: Fault[]): void {
    writeFileSync(join(this.folder, "faults.json"), JSON.stringify(faults));
  }

  /** Returns the next fault for this call, if one is left. */
  takeFault(method: Call["method"], name: string): Fault | undefined {
    const file = join(this.folder, "faults.json");
    if (!existsSync(file)) return undefined;
    const faults = JSON.parse(readFileSync(file, "utf8")) as Fault[];
    const fault = faults.find((entry) => entry.method === method && entry.name === name && (entry.times ?? 1) > 0);
    if (!fault) return undefined;
    fault.times = (fault.times ?? 1) - 1;
    this.setFaults(faults);
    return fault;
  }

  hasHappened({ until, ended }: Fault): boolean {
    return this.calls().some(
      ({ method, name, end }) => `${method} ${name}` === until && (ended !== true || Number.isFinite(end)),
    );
  }
}
