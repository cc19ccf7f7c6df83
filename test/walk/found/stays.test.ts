// @module-tag thorough
/** Findings of random walks about objects that stay and objects that make way, each as its few steps in one process. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { failuresOf, openTrial, page, project } from "../trial.ts";

const trial = openTrial();

test("a project that a retired funnel keeps is said to stay before it does", async () => {
  trial.program.projects["spring"] = project;
  trial.program.funnels["buy"] = { project: "spring", steps: [{ url: "https://pay.example", pageType: "sales" }] };
  await trial.up();
  const { report } = await trial.with({ projects: {}, funnels: {} }).preview();
  expect(report.counts).toMatchObject({ delete: 0, left: 2 });
  expect(report.changes).toMatchObject([{ stays: "retired" }, { type: "Project", op: "delete", stays: "in place" }]);
  expect((await trial.up()).report.counts).toMatchObject({ delete: 0, left: 2 });
  expect(trial.objects("projects")).toHaveLength(1);
});

describe("what is taken over by its id", () => {
  beforeEach(async () => {
    await trial.with({ pages: { home: page("home") } }).up();
    await trial.with({ pages: { home: { ...page("home"), adoptId: trial.idOf("home") } } }).up();
  });

  test("is not replaced by itself, and then deleted: refused in preview, and what the message says leads on", async () => {
    const before = trial.idOf("home");
    const { publish: _, ...draft } = page("home");
    for (const changed of [{ ...page("home"), template: "tpl-thankyou" }, draft]) {
      const refused = await trial.with({ pages: { home: { ...changed, adoptId: before } } }).preview();
      expect(refused.code).not.toBe(0);
      expect(failuresOf(refused)).toMatch(
        /replaces page page_\w+ by a new one, and adoptId names the old one. To replace it, remove adoptId/,
      );
    }
    expect(trial.objects("pages")).toMatchObject([{ id: before, slug: "home" }]);
    trial.program.pages["home"] = {
      ...page("home"),
      template: "tpl-thankyou",
      variables: { brand: "Acme", support_email: "a@b.example" },
    };
    await trial.up();
    expect(trial.idOf("home")).not.toBe(before);
    expect(trial.objects("pages")).toMatchObject([{ id: trial.idOf("home"), slug: "home" }]);
  });

  test("stays under another logical name without an alias, and the plan says so of the old one", async () => {
    const before = trial.idOf("home");
    trial.program.pages = { start: { ...page("home"), name: "home", adoptId: before } };
    const { report } = await trial.preview();
    expect(report.changes).toMatchObject([
      { op: "adopt", name: "start" },
      { op: "delete", name: "home", id: before, stays: "in place" },
    ]);
    expect(report.counts).toMatchObject({ adopt: 1, delete: 0, left: 1 });
    expect(report.impact?.urls).toMatchObject([{ page: "start", effect: "adopt" }]);
    await trial.up();
    expect(trial.objects("pages")).toMatchObject([{ id: before, slug: "home" }]);
    expect(trial.idOf("start")).toBe(before);
  });
});

describe("a page that a failed run took over under another name, before the old one was gone from the state", () => {
  let id: string;

  beforeEach(async () => {
    await trial.with({ pages: { home: page("home") } }).up();
    id = trial.idOf("home");
    trial.program.pages = { start: { ...page("home"), name: "home", adoptId: id } };
    trial.program.products["mug"] = { price: 1 };
    trial.desk.emulator.faults.add({ method: "POST", path: "/products", phase: "status", status: 403 });
    await trial.upEnds(1);
    trial.desk.emulator.faults.clear();
    expect([trial.idOf("home"), trial.idOf("start")]).toEqual([id, id]);
  });

  test.each([
    ["the next run", "start", "home", []],
    ["a run of the old name alone", "start", "home", ["--target", "Page/home"]],
    ["a run of the program as it was", "home", "start", []],
  ] as const)("is not deleted by %s", async (_, kept, gone, options) => {
    if (kept === "home") trial.program.pages = { home: page("home") };
    const { report } = await trial.preview(...options);
    expect(report.changes).toContainEqual(expect.objectContaining({ op: "delete", name: gone, id, stays: "in place" }));
    expect(report.counts).toMatchObject({ delete: 0, left: 1 });
    const done = await trial.upEnds(0, "--force", ...options);
    expect(done.printed).toContain(`Page ${id} is not deleted: it is also ${kept} of this stack`);
    expect(trial.objects("pages")).toMatchObject([{ id, slug: "home" }]);
    expect([trial.idOf(kept), trial.idOf(gone)]).toEqual([id, ""]);
    await trial.up();
  });
});

test("what a run had made, and somebody took out of the state, is left alone by a destroy", async () => {
  await trial.with({ pages: { home: page("home") } }).upEnds(0);
  const id = trial.idOf("home");
  const file = join(trial.desk.folder, "exported.json");
  const state = (verb: string) => trial.desk.command("state", verb, "--stack", "dev", "--file", file);
  expect((await state("export")).code).toBe(0);
  const exported = JSON.parse(readFileSync(file, "utf8")) as { deployment: { resources: { urn: string }[] } };
  const resources = exported.deployment.resources.filter(({ urn }) => !urn.endsWith("::home"));
  writeFileSync(file, JSON.stringify({ ...exported, deployment: { ...exported.deployment, resources } }));
  expect((await state("import")).code).toBe(0);
  const done = await trial.desk.run("destroy", "--yes");
  expect(done.code, done.printed).toBe(0);
  expect(trial.objects("pages")).toMatchObject([{ id, status: "published", slug: "home" }]);
  const again = await trial.desk.run("destroy", "--yes");
  expect(again.code, again.printed).toBe(0);
  expect(trial.objects("pages")).toHaveLength(1);
});
