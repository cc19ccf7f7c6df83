/** A few steps in one process: the declared program, the commands on it, and the account and the state after them. */
import { afterEach, beforeEach, expect } from "vitest";
import type { EmulatorOptions } from "../../emulator/index.ts";
import { publishInApp } from "../suite/app.ts";
import { type Command, WalkDesk } from "./desk.ts";
import { TEXT } from "./operations/world.ts";
import { type Entry, emptyProgram, manifestOf, type Program } from "./program.ts";

export class Trial {
  readonly engine: WalkDesk["engine"];
  program: Program = emptyProgram();
  #desk: WalkDesk | undefined;
  readonly #service: EmulatorOptions;

  constructor(engine: WalkDesk["engine"], service: EmulatorOptions = {}) {
    this.engine = engine;
    this.#service = service;
  }

  get desk(): WalkDesk {
    if (this.#desk === undefined) throw new Error("a trial is open while a test runs");
    return this.#desk;
  }

  async open(): Promise<void> {
    this.#desk = await WalkDesk.open(this.engine, this.#service);
    this.program = emptyProgram();
    this.program.sites["main"] = { name: "main.example" };
  }

  async close(): Promise<void> {
    await this.#desk?.close();
    this.#desk = undefined;
  }

  /** Declares these sections in the place of what they held. */
  with(sections: Partial<Program>): this {
    Object.assign(this.program, sections);
    return this;
  }

  async up(...options: string[]): Promise<Command> {
    this.declare();
    const done = await this.desk.run("up", "--yes", "--force", ...options);
    expect(done.printed).toContain("Done");
    expect(done.code, done.printed).toBe(0);
    const again = await this.desk.run("preview", "--detailed-exitcode", ...options);
    expect(again.code, again.printed).toBe(0);
    return done;
  }

  preview(...options: string[]): Promise<Command> {
    this.declare();
    return this.desk.run("preview", ...options);
  }

  /** Runs a preview that is refused, and returns the reasons. */
  async refusal(code: number, ...options: string[]): Promise<string> {
    const refused = await this.preview(...options);
    expect(refused.code, refused.printed).toBe(code);
    return failuresOf(refused);
  }

  async upEnds(code: number, ...options: string[]): Promise<Command> {
    this.declare();
    const ended = await this.desk.run("up", "--yes", ...options);
    expect(ended.code, ended.printed).toBe(code);
    return ended;
  }

  /** Makes an object by hand, as a person does in the app, and returns its id. */
  async make(path: string, body: object): Promise<string> {
    return ((await this.desk.byHand("POST", path, body)) as { id: string }).id;
  }

  /** Makes somebody's page of a template, and publishes it where a place is given. */
  async theirs(template: string, place?: { siteId: string; slug: string }): Promise<string> {
    const page_id = await this.make("/pages/from-template", { template_id: template, name: "Theirs" });
    if (place === undefined) return page_id;
    const variables = { brand: "Acme", support_email: "help@acme.example" };
    await this.desk.byHand("POST", "/pages/replace-variables", { page_id, variables });
    await publishInApp(this.desk, page_id, place);
    return page_id;
  }

  declare(): void {
    this.desk.declare(manifestOf(this.program));
  }

  objects(collection: string): readonly { id: string; [field: string]: unknown }[] {
    return this.desk.emulator.records()[collection] ?? [];
  }

  idOf(name: string): string {
    return this.desk.state().find(({ urn }) => urn.endsWith(`::${name}`))?.id ?? "";
  }
}

export function openTrial(engine: WalkDesk["engine"] = "embedded", service?: EmulatorOptions): Trial {
  const trial = new Trial(engine, service);
  beforeEach(() => trial.open());
  afterEach(() => trial.close());
  return trial;
}

export function page(slug: string, content: Record<string, string> = { "hero.title": "Hello {{brand}}" }) {
  return { template: "tpl-hero", content, variables: { brand: "Acme" }, publish: { site: "main", slug } };
}

export const project: Entry = { description: TEXT, context: TEXT };

export function failuresOf({ report }: Command): string {
  return report.failures.map(({ message }) => message).join("\n");
}
