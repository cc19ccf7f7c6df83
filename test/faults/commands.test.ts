// @module-tag thorough
/**
 * Faults in a whole command: `landform up` of a manifest with every kind and all reports, then the same without the fault, a preview and a destroy.
 * The test searches all output, reports, records and the state for the key and for the secret part of a webhook's address. The real engine plans and
 * records. The account has namesakes of others.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { rounds, whole } from "../suite/parts.ts";
import { WalkDesk } from "../walk/desk.ts";
import { Between } from "./between.ts";
import { isToldOrphan, struckBy } from "./cell.ts";
import { faultClasses, type FaultClass } from "./classes.ts";
import { changesIn, type Call } from "./desk.ts";
import { contents, faultsIn } from "./oracle.ts";
import { LONG, prepare } from "./scenarios.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("./clock.ts")).sleep }));

const SECRET = "receiver-secret-canary";
const REPORTS = ["--markdown", "up.md", "--html", "up.html", "--junit", "up.xml", "--json", "up.json"];

/** Others in the account use the same names. */
const MANIFEST = {
  landform: 1,
  name: "faults",
  projects: { Spring: { description: LONG, context: LONG } },
  sites: { main: { name: "own.example", project: "Spring" } },
  pages: {
    Offer: {
      project: "Spring",
      template: "tpl-hero",
      variables: { brand: "Acme", product_count: "12" },
      content: { "hero.title": "One" },
      tags: ["a"],
      publish: { site: "main", slug: "own" },
    },
    Blank: { project: "Spring", tags: ["b"] },
  },
  quizzes: { Fit: { project: "Spring" } },
  products: { Mug: { project: "Spring", price: 5 } },
  funnels: { Path: { project: "Spring", steps: [{ page: "Offer", pageType: "sales" }] } },
  hooks: { leads: { eventType: "form_lead.created", targetUrl: `https://8.8.8.8/${SECRET}` } },
};

class CommandDesk {
  readonly walk: WalkDesk;
  readonly adopted: string;
  readonly before: Record<string, { id: string }[]>;
  told = "";

  private constructor(walk: WalkDesk, adopted: string) {
    this.walk = walk;
    this.adopted = adopted;
    this.before = walk.emulator.records();
    walk.declare(MANIFEST);
  }

  static async open(): Promise<CommandDesk> {
    const walk = await WalkDesk.open();
    const { adopted } = await prepare(walk.emulator);
    return new CommandDesk(walk, adopted.id);
  }

  async run(...args: readonly string[]): Promise<number> {
    const { code, printed } = await this.walk.command(...args, "--engine", "embedded");
    this.told += printed;
    return code;
  }

  up(): Promise<number> {
    const reports = REPORTS.map((word, index) => (index % 2 === 0 ? word : join(this.walk.folder, word)));
    return this.run("up", "--yes", "--force", "--verbose", ...reports);
  }

  /** All files of the commands (state, records, history and reports), and their output. */
  get everything(): string {
    const { folder } = this.walk;
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
    const written = files.filter((file) => statSync(file).isFile() && !file.endsWith("landform.yaml"));
    return [this.told, ...written.map((file) => readFileSync(file, "utf8"))].join("\n");
  }
}

async function reference(): Promise<{ calls: Call[]; expected: Record<string, string[]> }> {
  const desk = await CommandDesk.open();
  const { emulator } = desk.walk;
  expect(await desk.up(), desk.told).toBe(0);
  const calls = changesIn(emulator, 0);
  const expected = contents(emulator.records());
  await desk.walk.close();
  return { calls, expected };
}

/** The classes are spread over the calls, so that each call meets another. */
const STEP = rounds({ quick: 13, all: 7, soak: 1 });
const chosen = faultClasses.map((fault, index) => ({ fault, index })).filter(({ index }) => index % STEP === 0);
const found = reference();

describe("landform up", () => {
  test.each(chosen)("$fault.name", { timeout: 600_000 }, async ({ fault, index }) => {
    const { calls, expected } = await found;
    const met = calls.length > 0 ? (whole ? [index, index + 5] : [index]).map((at) => calls[at % calls.length]) : [];
    for (const call of new Set(met)) if (call) await meets(call, fault, expected);
  });
});

async function meets(call: Call, fault: FaultClass, expected: Record<string, string[]>): Promise<void> {
  const desk = await CommandDesk.open();
  const { walk } = desk;
  const { emulator } = walk;
  const between = new Between(emulator);
  try {
    walk.account = { ...emulator, baseUrl: await struckBy(fault, { between, emulator, call }) };
    await desk.up();
    emulator.faults.clear();
    emulator.notShown.listLagMs = 0;
    walk.account = emulator;
    expect(await desk.up(), desk.told).toBe(0);
    expect(await desk.run("preview", "--detailed-exitcode"), desk.told).toBe(0);
    const told = desk.everything;
    const { before, adopted } = desk;
    const wrong = faultsIn({ emulator, before, adopted, expected, told, key: emulator.apiKey });
    const untold = wrong.filter((line) => !mayStay(line, told));
    expect(untold, `${call.method} ${call.route}`).toEqual([]);
    expect(told.includes(SECRET), "the address of a webhook was told").toBe(false);
    expect(await desk.run("destroy", "--yes", "--force"), desk.told).toBe(0);
    expect(desk.everything.includes(emulator.apiKey)).toBe(false);
  } finally {
    between.close();
    await walk.close();
  }
}

/** Tells if a record may stay: a removed subscription stays in the account, inactive. */
function mayStay(line: string, told: string): boolean {
  return isToldOrphan(line, told) || (line.startsWith("hooks: too much") && line.includes('"active":false'));
}
