/** A project whose runs are killed or lose an answer, and the content of its account. */
import { expect } from "vitest";
import type { Asked } from "../between.ts";
import { strike, type Boundary } from "./kill.ts";
import { Machine, type EngineOfRun } from "./machine.ts";
import { inTheApp } from "../../suite/app.ts";

export type Row = Readonly<Record<string, unknown>>;

type Place = Readonly<{ number?: number; boundary?: Boundary }>;

const LISTS = ["/pages", "/products", "/funnels"].flatMap((path) => [path, `/search${path}`]);

export class Killed {
  readonly machine: Machine;

  private constructor(machine: Machine) {
    this.machine = machine;
  }

  static async open(text: string, on: Omit<EngineOfRun, "form"> = { kind: "embedded" }): Promise<Killed> {
    return new Killed(await Machine.open({ ...on, form: "landform.yaml" }, { "landform.yaml": text }));
  }

  close(): Promise<void> {
    return this.machine.close();
  }

  declare(text: string): this {
    this.machine.write("landform.yaml", text);
    return this;
  }

  async says(expected: number, ...args: string[]): Promise<string> {
    const { code, said } = await this.machine.run(args);
    expect(code, said).toBe(expected);
    return said;
  }

  run(...args: string[]): Promise<string> {
    return this.says(0, ...args);
  }

  up(...args: string[]): Promise<string> {
    return this.run("up", "--yes", ...args);
  }

  plansNothing(): Promise<string> {
    return this.run("preview", "--detailed-exitcode");
  }

  /** Runs an up, and then a plan without changes. Returns what the up says. */
  async applies(...args: string[]): Promise<string> {
    const said = await this.up(...args);
    await this.plansNothing();
    return said;
  }

  killAt(method: string, path: RegExp): Promise<void> {
    return this.kill(["up"], (asked) => asked.method === method && path.test(asked.path));
  }

  /** Kills the run at one of these calls. */
  async kill(args: readonly string[], counts: (asked: Asked) => boolean, place: Place = {}): Promise<void> {
    const { number = 0, boundary = "after commit" } = place;
    const whole = [...args, "--yes", "--force", "--parallel", "1"];
    const { call, said } = await strike(this.machine, whole, { number, boundary }, counts);
    await this.machine.free();
    expect(call, said).toBeDefined();
  }

  /** Loses the answer of a call, and hides its object from all lists. */
  async lose(path: string): Promise<void> {
    this.machine.emulator.faults.add({ method: "POST", path, phase: "after" });
    this.hideFromLists();
    const { code, said } = await this.machine.run(["up", "--yes"]);
    expect([code, said]).toEqual([1, expect.stringContaining("Landform does not know if")]);
    this.showInLists();
  }

  hideFromLists(): void {
    for (const path of LISTS)
      this.machine.emulator.faults.add({ method: "GET", path, phase: "altered", list: "empty", times: Infinity });
  }

  showInLists(): void {
    this.machine.emulator.faults.clear();
  }

  rows(kind: string): Row[] {
    return this.machine.emulator.records()[kind] ?? [];
  }

  /** Returns the names of the objects, with short markers. */
  names(kind: string): string[] {
    const names = this.rows(kind).map(({ pageName, name }) => String(pageName ?? name));
    return names
      .filter((name) => !name.endsWith("[retired by landform]"))
      .map((name) => name.replace(/lf-[0-9a-f-]+/, "lf-…"))
      .sort();
  }

  edits(updates: Readonly<Record<string, string>>): Promise<Row> {
    return this.app("PATCH", "/pages/content", { page_id: this.rows("pages")[0]?.["id"], updates });
  }

  app(method: string, path: string, body?: object): Promise<Row> {
    return inTheApp<Row>(this.machine, method, path, body);
  }
}
