// @module-tag thorough
/** A lock that somebody removes while its run is under way: `unlock` refuses, and otherwise the run stops or ends red. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { FileBackend } from "../../engine/index.ts";
import { onBothEngines } from "../suite/parts.ts";
import { Desk } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const NAMES = Array.from({ length: 24 }, (_, index) => `mug${index}`);

const desk = forEachTest(() => Desk.open());
beforeEach(() => {
  const products = Object.fromEntries(NAMES.map((name) => [name, { name, price: 12.5 }]));
  desk.declare(JSON.stringify({ landform: 1, name: "test", products }));
});

const made = (): string[] => desk.rows("products").map((one) => String((one as { name?: string }).name));

/** Starts a run, and waits until it has made some objects. */
async function underWay() {
  desk.emulator.faults.add({ method: "POST", phase: "slow", delayMs: 700, times: Infinity });
  const run = desk.begin(["up", "--yes", "--parallel", "2"]);
  while (run.child.exitCode === null && made().length < 2) await sleep(20);
  expect(run.child.exitCode, run.told()).toBeNull();
  return run;
}

onBothEngines((engine, path) => {
  beforeEach(() => void desk.on(engine, path));

  test("state unlock leaves the lock of a run that is under way here, and says how to go on", async () => {
    const first = await underWay();
    const [holder] = await (await FileBackend.open(desk.folder)).holders({ project: "test", stack: "dev" });
    const ways = `under way on this machine.*process ${holder?.pid},.*or end it: kill ${holder?.pid}\\.`;
    expect(await desk.says(1, "state", "unlock")).toMatch(new RegExp(ways, "s"));
    await desk.says(1, "up", "--yes");
    expect(await first.ended, first.told()).toBe(0);
    expect(made().sort()).toEqual([...NAMES].sort());
    await desk.plansNothing();
  });

  test("state unlock asks about a run of another machine, and needs --yes where nobody can answer", async () => {
    await desk.up();
    const folder = desk.path(".pulumi/locks/organization/test/dev");
    const lock = { pid: 4242, username: "anna", hostname: "laptop", timestamp: "2026-11-27T02:00:00Z" };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "11111111-aaaa-bbbb-cccc-222222222222.json"), JSON.stringify(lock));
    expect(await desk.says(4, "state", "unlock")).toMatch(/anna@laptop, process 4242.*--yes/s);
    expect(readdirSync(folder)).toHaveLength(1);
    const unlocked = await desk.run(["state", "unlock", "--yes"]);
    expect([unlocked.code, unlocked.stderr]).toEqual([0, expect.stringMatching(/^Removed the lock of anna@laptop/)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.skipIf(engine === "pulumi")(
    "a run whose lock was removed begins nothing more, and the next one makes nothing twice",
    async () => {
      const first = await underWay();
      const locks = desk.path(".pulumi/locks/organization/test/dev");
      for (const name of readdirSync(locks)) rmSync(join(locks, name));
      expect(await first.ended, first.told()).toBe(1);
      expect(first.told()).toContain("the lock of this run on organization/test/dev was removed");
      expect(made().length).toBeLessThan(NAMES.length);
      desk.emulator.faults.clear();
      await desk.applies();
      expect(made().sort()).toEqual([...NAMES].sort());
    },
  );
});
