// @module-tag thorough
/** Somebody ends a process that Landform has started for a run on Pulumi's engine. */
import { execFileSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { expect, test } from "vitest";
import { realEngine as pulumi } from "../suite/parts.ts";
import { Desk } from "./harness.ts";
import { inTest } from "../suite/opened.ts";

/** The processes below one, with their commands. */
function below(pid: number): [pid: number, command: string][] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const all = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)?.slice(1) ?? []);
  const children = all.filter(([, parent]) => Number(parent) === pid);
  return children.flatMap(([child, , command = ""]) => [[Number(child), command], ...below(Number(child))]);
}

test.skipIf(pulumi === undefined).each([
  ["Pulumi", /\/pulumi up /, "Pulumi was ended by SIGKILL. The next run finds what was under way"],
  [
    "the providers' host",
    /host[/\\]process/,
    "the process that serves the providers has ended in the middle of its work",
  ],
])(
  "%s: the run says so, the next one completes it, and no process is left",
  { timeout: 240_000 },
  async (_, which, says) => {
    const desk = await inTest(Desk.open());
    desk.also = {
      args: ["--engine", "pulumi"],
      env: { PATH: [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter) },
    };
    desk.declare("landform: 1\nname: killed\nproducts: { mug: { price: 3 }, cup: { price: 4 } }");
    desk.emulator.faults.add({ method: "POST", path: "/products", phase: "slow", delayMs: 3_000 });
    const { child, ended, told } = desk.begin(["up", "--yes"]);
    await expect.poll(() => desk.writes().length, { timeout: 60_000 }).toBeGreaterThan(0);
    const started = below(child.pid ?? 0);
    const [pid] = started.find(([, command]) => which.test(command)) ?? [0];
    process.kill(pid, "SIGKILL");
    expect(await ended).toBe(1);
    expect(told()).toContain(says);
    expect(told()).not.toMatch(/⟦|code: \?|EOF|dial tcp/);
    const isThere = (one: number): boolean =>
      below(1)
        .concat(below(process.pid))
        .some(([there]) => there === one);
    await expect.poll(() => started.filter(([one]) => isThere(one)), { timeout: 15_000 }).toEqual([]);
    await desk.applies();
    expect(
      desk
        .rows("products")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["cup", "mug"]);
  },
);
