/**
 * A published page that the record beside the state tells of, and nothing else: so a plain `pulumi up` leaves it that saves the state
 * at its end (PULUMI_SKIP_CHECKPOINTS) and was killed.
 */
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { killTree } from "../suite/processes.ts";
import { Desk } from "./harness.ts";

const PAGE = `const site = new landform.Site("record.example");
const publish = { siteId: site.id, slug: "offer" };
new landform.Page("offer", { templateId: "tpl-hero", variables: { brand: "B" }, publish });`;

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
  desk.program(PAGE);
});
afterEach(() => desk.close());

const pages = (): Record<string, unknown>[] => desk.emulator.records().pages ?? [];

async function killWhilePublishing(): Promise<void> {
  desk.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "slow", delayMs: 60_000 });
  const child = desk.start(["up", "--yes"]);
  while (pages()[0]?.["status"] !== "published") await sleep(20);
  killTree(child.pid ?? 0);
  await once(child, "close");
  desk.emulator.faults.clear();
}

function keepRecordAlone(): void {
  const folder = desk.path(".pulumi/landform");
  const name = readdirSync(folder).find((file) => /^lf-[^.]*\.jsonl$/.test(file)) ?? "";
  const record = readFileSync(`${folder}/${name}`, "utf8");
  for (const one of readdirSync(desk.path(".pulumi")))
    if (one !== "landform") rmSync(desk.path(`.pulumi/${one}`), { recursive: true });
  for (const one of readdirSync(folder)) if (one !== name) rmSync(`${folder}/${one}`, { recursive: true });
  expect(record).toContain('"kind":"page"');
}

test(
  "its own path is not taken: the next up carries on with it",
  { tags: ["thorough"], timeout: 180_000 },
  async () => {
    await killWhilePublishing();
    keepRecordAlone();
    const preview = await desk.run(["preview"]);
    expect(preview.code, preview.stdout + preview.stderr).toBe(0);
    const up = await desk.run(["up", "--yes"]);
    expect(up.code, up.stdout + up.stderr).toBe(0);
    expect(up.stdout + up.stderr).toContain("which an earlier run left behind");
    expect(pages()).toHaveLength(1);
    expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
  },
);

test("what no record tells of holds the path", { timeout: 180_000 }, async () => {
  await killWhilePublishing();
  rmSync(desk.path(".pulumi"), { recursive: true });
  const { code, stdout, stderr } = await desk.run(["preview"]);
  expect([code, stdout + stderr]).toEqual([4, expect.stringContaining("/offer is taken on this site")]);
});
