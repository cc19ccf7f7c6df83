// @module-tag thorough
/** Many environments at once and one after another, with faults and kills: afterwards the account holds the base and the pool. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rounds } from "../suite/parts.ts";
import { inTest } from "../suite/opened.ts";
import { Account, mugs, page } from "./desk.ts";

function funnel(pages: number, title: string): string {
  const numbers = Array.from({ length: pages }, (_, index) => index);
  const all = numbers.map((index) => {
    const more = `content: { hero.title: "${title} ${index}" }, publish: { site: mugs, slug: p${index} }`;
    return page(`p${index}`, `Page ${index}`, more);
  });
  const steps = numbers.map((index) => `{ page: p${index}, pageType: sales }`);
  return mugs(`pages:
${all.join("")}funnels:
  spring: { name: Spring, project: spring, steps: [ ${steps.join(", ")} ] }
products:
  mug: { name: Mug, price: 12.5, project: spring }
`);
}

const PATIENCE = { LANDFORM_PATIENCE_MS: "2000" };
const TRIES = 6;

/** Prints figures for the log of a long run. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs the command until it succeeds, because it meets faults. Returns the number of tries. */
async function atLast({ desk }: Account, ...args: string[]): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { code, stdout, stderr } = await desk.run(["env", ...args, "--yes"], { env: PATIENCE });
    if (code === 0) return tries;
    if (tries === TRIES) throw new Error(`${args.join(" ")} exits with ${code ?? "?"}\n${stdout}\n${stderr}`);
  }
}

describe("at once", { timeout: 3_600_000 }, () => {
  const MANY = rounds({ quick: 0, all: 2, soak: 10 });
  let account: Account;

  beforeAll(async () => {
    if (MANY > 0) account = await Account.of(funnel(2, "Title"));
  }, 600_000);
  afterAll(() => (MANY === 0 ? undefined : account.close()));

  test.skipIf(MANY === 0)("several environments, and funnels that are retired meanwhile, never meet", async () => {
    const all = Array.from({ length: MANY }, (_, index) => String(index + 1));
    await Promise.all(all.map((pr) => account.up("--pr", pr)));
    await Promise.all(all.slice(0, 1).map((pr) => account.env("down", "--pr", pr, "--yes")));
    await Promise.all(["101", "102"].map((pr) => account.env("up", "--pr", pr, "--yes")));
    const records = Object.values(account.desk.emulator.records()).flat() as { name?: string }[];
    const names = records.flatMap(({ name = "" }) => (name.endsWith(" Spring") && name !== "Spring" ? [name] : []));
    expect(new Set(names).size).toBe(names.length);
    for (const pr of [...all, "101", "102"]) await atLast(account, "down", "--pr", pr);
    expect(account.holds()).toBe(account.before);
  });

  test.skipIf(MANY === 0)("the same one twice, and up during down: one gives way, and nothing is left", async () => {
    const twice = await Promise.all([1, 2].map(() => account.env("up", "--pr", "7", "--yes")));
    expect(twice.some(({ code }) => code === 0)).toBe(true);
    await Promise.all([
      account.env("down", "--pr", "7", "--yes"),
      account.env("up", "--pr", "7", "--yes"),
      account.env("gc", "--yes"),
    ]);
    await atLast(account, "down", "--pr", "7");
    expect(account.holds()).toBe(account.before);
  });
});

/** The calls that change something in an up of two pages, a product and a funnel. */
const WRITES = 16;

describe("a run that is killed and then torn down", { timeout: 3_600_000 }, () => {
  const KILLS = rounds({ quick: 0, all: 2, soak: 30 });

  test.skipIf(KILLS === 0)("leaves nothing", async () => {
    const account = await inTest(Account.of(funnel(2, "Title")));
    const { desk } = account;
    const killed: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const after = 1 + (Math.round((kill * WRITES) / Math.max(KILLS - 1, 1)) % WRITES);
      desk.writes();
      const [command = "", ...args] = desk.command("env", "up", "--pr", "9", "--yes");
      const child = spawn(command, args, { cwd: desk.folder, env: desk.env, detached: true, stdio: "ignore" });
      const ended = once(child, "exit");
      const over = (): boolean => child.exitCode !== null;
      const writes = (): number => desk.emulator.requests.filter(({ method }) => method !== "GET").length;
      while (!over() && writes() < after) await sleep(2);
      if (child.pid !== undefined && !over()) {
        process.kill(-child.pid, "SIGKILL");
        killed.push(after);
      }
      await ended;
      await atLast(account, "down", "--pr", "9");
      expect(account.holds(), `killed after ${after} writes`).toBe(account.before);
      tell(`killed after ${after} writing calls: ${killed.at(-1) === after ? "nothing left" : "it was over before"}`);
    }
  });
});
