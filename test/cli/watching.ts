/** A watch of a desk's folder, and its output. */
import { once } from "node:events";
import { expect, onTestFinished, vi } from "vitest";
import type { Desk } from "./harness.ts";

export class Watching {
  readonly #process: ReturnType<Desk["start"]>;
  #printed = "";
  #from = 0;

  constructor(desk: Desk, args: readonly string[] = []) {
    this.#process = desk.start(["watch", ...args]);
    const note = (data: Buffer): void => void (this.#printed += data.toString());
    this.#process.stdout.on("data", note);
    this.#process.stderr?.on("data", note);
    onTestFinished(() => void this.#process.kill("SIGKILL"));
  }

  /** The output since the last wait. */
  get news(): string {
    return this.#printed.slice(this.#from);
  }

  /** Waits for a text, and returns the output up to it. */
  async until(text: string): Promise<string> {
    await vi.waitFor(() => expect(this.news).toContain(text), { timeout: 60_000, interval: 50 });
    const { news } = this;
    const end = news.indexOf(text) + text.length;
    this.#from += end;
    return news.slice(0, end);
  }

  /** Ends it like Ctrl-C. */
  async end(): Promise<void> {
    this.#process.kill("SIGINT");
    const [code] = (await once(this.#process, "close")) as [number];
    expect(code, this.#printed).toBe(0);
  }
}
