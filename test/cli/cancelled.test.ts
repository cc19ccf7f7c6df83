// @module-tag thorough
/**
 * A job that a CI cancels: SIGINT, SIGTERM 7.5 s later, and 2.5 s after that the end of everything that it started. No lock is left, and the next run
 * knows what was done.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { FileBackend } from "../../engine/index.ts";
import { onBothEngines, rounds } from "../suite/parts.ts";
import { killTree } from "../suite/processes.ts";
import { namesIn } from "../suite/app.ts";
import { Desk } from "./harness.ts";
import { BRIEF } from "./manifests.ts";
import { forEachTest } from "../suite/opened.ts";

const PROGRAM = `
const { id: projectId } = new landform.Project("spring", { description: "${BRIEF}", context: "${BRIEF}" });
const { id: siteId } = new landform.Site("spring.example", { projectId });
for (const name of ["a", "b", "c"])
  new landform.Page(name, { projectId, templateId: "tpl-hero", variables: { brand: "Acme" }, publish: { siteId, slug: name } });
new landform.Product("mug", { price: 12.5, projectId });
`;
const WANTED = ["pages a", "pages b", "pages c", "products mug", "projects spring", "sites spring.example"];
const [TERM_MS, END_MS] = [7_500, 2_500];
const CALLS = 34;
const ASKED = rounds({ quick: 0, all: 2, soak: 30 });

onBothEngines((engine, path) => {
  const desk = forEachTest(() => Desk.open());
  beforeEach(() => {
    desk.on(engine, path);
    desk.also.env["LANDFORM_PATIENCE_MS"] = "300";
    desk.program(PROGRAM);
  });

  const moments = Math.max(1, ASKED);
  (ASKED === 0 ? test.skip : test).for(Array.from({ length: moments }, (_, index) => index))(
    "at moment %i",
    async (moment, { skip }) => {
      const { child, told } = desk.begin(["up", "--yes"]);
      const exited = once(child, "exit");
      const calls = 4 + Math.round((moment * CALLS) / moments);
      while (child.exitCode === null && desk.emulator.requests.length < calls) await sleep(2);
      if (child.exitCode !== null) expect(child.exitCode, told()).toBe(0);
      skip(child.exitCode !== null, "the run was over before");
      // At every second moment nothing ends any more before the job does.
      if (moment % 2 === 0) desk.emulator.faults.add({ phase: "slow", delayMs: 60_000, times: Infinity });
      await cancel(child, exited);
      desk.emulator.faults.clear();

      const backend = await FileBackend.open(desk.folder);
      expect(await backend.holders({ project: "test", stack: "dev" }), told()).toEqual([]);
      await desk.applies();
      expect(await namesIn(desk)).toEqual(WANTED);
    },
  );
});

async function cancel(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  const ended = exited.then(() => true);
  const within = (milliseconds: number) => Promise.race([ended, sleep(milliseconds, false)]);
  child.kill("SIGINT");
  if (await within(TERM_MS)) return;
  child.kill("SIGTERM");
  if (await within(END_MS)) return;
  killTree(child.pid ?? 0);
  await exited;
}
