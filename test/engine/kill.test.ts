// @module-tag thorough
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { rounds } from "../suite/parts.ts";
import { Bench } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const RUNS = rounds({ quick: 3, all: 12, soak: 100 });

const bench = forEachTest(() => Bench.open());

/** Makes creates, updates, replacements of both kinds and deletions, depending on the round. */
function body(round: number): string {
  const resources = ["a", "b", "c", "d"].filter((_, index) => (round + index) % 4 !== 0);
  return resources
    .map((name, index) => {
      const first = index === 0 ? "" : `, base: ${resources[index - 1] ?? ""}.id`;
      const dbr = index % 2 === 0;
      return `const ${name} = new Thing("${name}", { text: "${round % 3}", kind: "${round % 2}"${first} }, { deleteBeforeReplace: ${dbr} });`;
    })
    .join("\n");
}

/** Kills the engine after so many lines of progress. Returns true if it was still running then. */
async function upKilledAfter(lines: number): Promise<boolean> {
  const script = join(import.meta.dirname, "fixtures", "up.ts");
  const child = spawn(process.execPath, [script, bench.root, bench.secrets.salt], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let seen = 0;
  createInterface({ input: child.stdout }).on("line", () => {
    if (++seen === lines) child.kill("SIGKILL");
  });
  const [, signal] = (await exited) as [number | null, NodeJS.Signals | null];
  return signal === "SIGKILL";
}

test(
  `killed at ${RUNS} points, the state can always be read and the next run converges`,
  async () => {
    let killed = 0;
    let orphans = 0;
    for (let round = 0; round < RUNS; round++) {
      await bench.program(body(round));
      if (await upKilledAfter(1 + ((round * 7) % 23))) killed++;
      const left = await bench.state();
      orphans += left.pendingOperations.filter(({ type }) => type === "creating").length;
      if (round % 3 !== 2) continue;
      expect((await bench.run("up")).failures, `round ${round}`).toEqual([]);
      expect(Object.keys((await bench.run("preview")).summary), `round ${round}`).toEqual(["same"]);
      const { resources, pendingOperations } = await bench.state();
      const objects = await bench.objects();
      const things = resources.filter(({ type }) => type.includes("toy:"));
      expect(pendingOperations.filter(({ type }) => type !== "creating")).toEqual([]);
      for (const { id = "", inputs } of things)
        expect(objects.get(id), `round ${round}`).toMatchObject({ name: inputs?.["name"], text: inputs?.["text"] });
      // Each extra object is one that a killed run was just creating, and the state has reported it.
      expect(objects.size - things.length).toBeLessThanOrEqual(orphans);
    }
    expect(killed).toBeGreaterThan(RUNS / 3);
  },
  RUNS * 60_000,
);
