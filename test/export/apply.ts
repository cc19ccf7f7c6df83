/** Carries out a manifest that an export has written, by the commands of the command line in this process. */
import { cpSync } from "node:fs";
import { expect } from "vitest";
import type { Applied } from "../../manifest/export/index.ts";
import { type Command, type Recorded, WalkDesk } from "../walk/desk.ts";
import type { TestAccount, TestFolder } from "./harness.ts";

export class Stack {
  readonly #desk: WalkDesk;
  /** A person's word about edits of others. */
  readonly #word: readonly string[];

  constructor({ emulator }: TestAccount, word?: "include") {
    this.#desk = WalkDesk.beside(emulator);
    this.#word = word === undefined ? [] : ["--foreign-edits", word];
  }

  close(): void {
    this.#desk.leave();
  }

  async up(folder: TestFolder): Promise<void> {
    this.#copy(folder);
    await this.#done("up", "--yes", "--force", ...this.#word);
  }

  async apply(folder: TestFolder): Promise<void> {
    this.#copy(folder);
    await this.#done("up", "--yes", "--force", "--refresh", ...this.#word);
  }

  async refresh(): Promise<void> {
    await this.#done("refresh");
  }

  /** Returns the resources that the next up would change. */
  async pending(): Promise<string[]> {
    return (await this.#done("preview", ...this.#word)).report.changes.map(({ type, name }) => `${type} ${name}`);
  }

  pendingOf(folder: TestFolder): Promise<string[]> {
    this.#copy(folder);
    return this.pending();
  }

  /** Returns the values that the state would tell an export. */
  lastApplied(type: string, name: string): Applied | undefined {
    const isMeant = ({ urn }: Recorded): boolean => urn.endsWith(`:${type}::${name}`);
    return this.#desk.state().find(isMeant);
  }

  async #done(...args: string[]): Promise<Command> {
    const done = await this.#desk.run(...args);
    if (done.code !== 0) throw new Error(done.printed);
    return done;
  }

  #copy({ path }: TestFolder): void {
    cpSync(path, this.#desk.folder, { recursive: true, filter: (file) => !file.endsWith("node_modules") });
  }
}

/** Carries out the code of a folder. Afterwards the next up would do nothing. */
export async function settles(account: TestAccount, folder: TestFolder): Promise<void> {
  const stack = new Stack(account);
  await stack.up(folder);
  expect(await stack.pending()).toEqual([]);
  stack.close();
}

/** Checks that the code of a folder adopts everything as it is. */
export async function adopts(account: TestAccount, folder: TestFolder): Promise<void> {
  account.calls();
  await settles(account, folder);
  expect(account.writes()).toEqual([]);
}
