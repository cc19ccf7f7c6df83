/** Reads the file that Pulumi writes its events to, one a line, while Pulumi writes it. */
import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { EngineEvent as PulumiEvent } from "@pulumi/pulumi/automation/index.js";

const LOOK_MS = 40;
const CHUNK = 256 * 1024;

export class EventLog {
  readonly #file: number;
  readonly #onEvent: (event: PulumiEvent) => void;
  readonly #looks: NodeJS.Timeout;
  readonly #buffer = Buffer.alloc(CHUNK);
  readonly #decoder = new StringDecoder();
  /** The beginnings of a line that is not whole yet. */
  #begun: string[] = [];

  constructor(file: string, onEvent: (event: PulumiEvent) => void) {
    this.#file = openSync(file, "w+", 0o600);
    this.#onEvent = onEvent;
    this.#looks = setInterval(() => this.#look(), LOOK_MS);
  }

  end(): void {
    clearInterval(this.#looks);
    this.#look();
    closeSync(this.#file);
  }

  #look(): void {
    for (let read = this.#read(); read > 0; read = this.#read()) {
      const [first = "", ...others] = this.#decoder.write(this.#buffer.subarray(0, read)).split("\n");
      this.#begun.push(first);
      for (const next of others) {
        const line = this.#begun.join("");
        this.#begun = [next];
        if (line.trim() !== "") this.#onEvent(JSON.parse(line) as PulumiEvent);
      }
    }
  }

  #position = 0;

  /** Pulumi may make the file anew when it begins. */
  #read(): number {
    const read = readSync(this.#file, this.#buffer, 0, CHUNK, this.#position);
    this.#position += read;
    return read;
  }
}
