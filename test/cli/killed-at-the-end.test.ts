/** A destroy that was killed when the state was saved, and nothing of the run's own records was. The test plants what such a run leaves. */
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BRIEF } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

const MANIFEST = `landform: 1
name: killed
projects: { spring: { description: "${BRIEF}", context: "${BRIEF}" } }
sites: { killed.example: { project: spring } }
hooks: { leads: { eventType: form_lead.created, targetUrl: "https://hooks.example.com/leads" } }
`;

const LEDGER = ".pulumi/landform";
const HISTORY = ".pulumi/landform/history";

const filesIn = (desk: NearDesk, folder: string): string[] =>
  readdirSync(desk.path(folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));

test("another destroy finds nothing to do, and an up makes all anew without doubting the hook", async () => {
  const desk = await NearDesk.own();
  await desk.declare(MANIFEST).up();
  const ledger = filesIn(desk, LEDGER).find((name) => name.endsWith(".jsonl")) ?? "";
  const before = desk.read(ledger).length;
  const runs = new Set(filesIn(desk, HISTORY));
  await desk.says(0, "destroy", "--yes");
  const lines = desk.read(ledger).slice(before).split("\n");
  for (const name of filesIn(desk, HISTORY)) if (!runs.has(name)) rmSync(desk.path(name), { recursive: true });
  const removal = lines.find((line) => line.includes("removedAs")) ?? "";
  expect(removal).toContain('"hook"');
  appendFileSync(desk.path(ledger), `\n${JSON.stringify({ run: "unsaved" })}\n${removal}\n`);
  expect(await desk.says(0, "destroy", "--yes")).toContain("no changes");
  appendFileSync(desk.path(ledger), `\n${JSON.stringify({ run: "unsaved" })}\n${removal}\n`);
  expect(await desk.applies()).not.toContain("the state has lost it");
  const hooks = desk.rows("hooks") as unknown as { active: boolean }[];
  expect(hooks.filter(({ active }) => active)).toHaveLength(1);
});

test.each(["destroy", "undo"])(
  "%s says once that only an up can take in what a killed run was making",
  async (command) => {
    const desk = await NearDesk.own();
    await desk.declare("landform: 1\nname: killed\nproducts: { mug: { price: 3 } }\n").up();
    const ledger = filesIn(desk, LEDGER).find((name) => name.endsWith(".jsonl")) ?? "";
    const begun = { key: "lf-00000000-1111111111", at: "2026-11-28T05:23:22.956Z", kind: "product", name: "cup" };
    appendFileSync(desk.path(ledger), `\n{"run":"unsaved"}\n${JSON.stringify({ ...begun, state: "intended" })}\n`);
    const said = await desk.says(4, command, "--yes");
    expect(said).toContain('product "cup". Run up first, which takes them in. Nothing was sent');
    expect(occurrences(said, "note: the last run has not saved the state")).toBe(1);
  },
);
