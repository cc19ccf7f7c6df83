/** A folder with a program and its account: its runs, their undos, and what an undo tells before it is carried out. */
import { expect } from "vitest";
import type { Emulator } from "../../emulator/index.ts";
import { decryptSecret } from "../pulumi/secrets.ts";
import { SALT, WalkDesk, type Recorded } from "../walk/desk.ts";
import { emptyProgram, manifestOf, urnOf, type Program, type Section } from "../walk/program.ts";

export type Declared = Partial<Program>;

type UndoneRun = NonNullable<Awaited<ReturnType<WalkDesk["run"]>>["report"]["undone"]>;

export class UndoDesk {
  said = "";
  readonly #desk: WalkDesk;

  private constructor(desk: WalkDesk) {
    this.#desk = desk;
  }

  static async open(): Promise<UndoDesk> {
    return new UndoDesk(await WalkDesk.open());
  }

  close(): Promise<void> {
    return this.#desk.close();
  }

  get emulator(): Emulator {
    return this.#desk.emulator;
  }

  /** The resources of the state, with the values that its file keeps encrypted. */
  get states(): Recorded[] {
    return JSON.parse(JSON.stringify(this.#desk.state()), (_, value: unknown) =>
      typeof value === "object" && value !== null && "ciphertext" in value
        ? (JSON.parse(decryptSecret(String(value.ciphertext), "", SALT)) as unknown)
        : value,
    ) as Recorded[];
  }

  stateOf(section: Section, key: string): Recorded | undefined {
    const urn = urnOf("dev", section, key);
    return this.states.find((one) => one.urn === urn);
  }

  idOf(section: Section, key: string): string {
    return this.stateOf(section, key)?.id ?? "";
  }

  /** Brings the account to the declared values, and returns the run's id. `code`: of the command, 1 if it holds a page back. */
  async up(program: Declared, code = 0, ...options: string[]): Promise<string> {
    this.#desk.declare(manifestOf({ ...emptyProgram(), ...program }));
    return this.#ended(code, "up", "--yes", "--force", ...options);
  }

  /** Returns what an undo would leave, lose and change, and sends nothing. */
  async look(run: string): Promise<UndoneRun & { changes: string[] }> {
    const { report, printed } = await this.#desk.run("undo", run, "--preview", "--skip-conflicts");
    expect(report.undone, printed).toBeDefined();
    return { ...(report.undone as UndoneRun), changes: report.changes.map(({ name }) => name) };
  }

  undo(run: string, code = 0, ...options: string[]): Promise<string> {
    return this.#ended(code, "undo", run, "--yes", "--force", ...options);
  }

  async #ended(expected: number, ...args: string[]): Promise<string> {
    const { code, printed } = await this.#desk.run(...args);
    expect(code, printed).toBe(expected);
    this.said = printed;
    const [last] = JSON.parse((await this.#desk.command("history", "--json")).printed) as { id: string }[];
    return last?.id ?? "";
  }
}
