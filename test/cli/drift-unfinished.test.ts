// @module-tag thorough
/** Unfinished work of a failed run is drift, even if no field differs: the declared object doesn't exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { Killed } from "../faults/whole/killed.ts";
import { onBothAtRelease, onBothEngines, realEngine } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";

const desk = NearDesk.each();

test("a page that a failed creation left a draft has drifted, until it is published", async () => {
  desk.declare(sited([hero("i").replace("tpl-hero", "tpl-thankyou")]));
  expect(await desk.says(1, "up", "--yes")).toContain("so it stays a draft");
  const drift = ["drift", "--detailed-exitcode", "--json", "drift.json", "--junit", "drift.xml"];
  for (const before of [undefined, ["refresh"]]) {
    if (before !== undefined) await desk.says(0, ...before);
    const stdout = await desk.says(2, ...drift);
    expect(stdout).toMatch(/! Page i .* left unfinished, or held back, by an earlier run \(publish\)/);
    expect(stdout).not.toContain("no drift");
    const unfinished = { name: "i", kind: "unfinished", fields: [], inputs: ["publish"] };
    expect(desk.report("drift.json").drift).toMatchObject([unfinished]);
    expect(desk.read("drift.xml")).toContain('failures="1"');
  }
  await desk.edit("landform.yaml", "brand: Acme", "brand: Acme, support_email: a@b.example").up();
  expect(await desk.says(0, "drift", "--detailed-exitcode")).toContain("no drift");
  await desk.plansNothing();
});

test("texts that a failed run wrote and did not publish are that run's, and an edit beside them is a person's", async () => {
  const drift = async () => {
    const { drift: [one] = [] } = await desk.json("drift");
    return [one?.kind, one?.fields];
  };
  const changed = (title: string, more = "") =>
    desk.declare(sited([hero("a", { title, text: "Text" }).replace(" }, publish", `${more}$&`)]));
  await changed("One").up();
  changed("Two", ", start.note: New");
  desk.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400, times: 9 });
  await desk.says(1, "up", "--yes");
  desk.emulator.faults.clear();
  expect(await drift()).toEqual(["unfinished", []]);
  changed("Three", ", start.note: New");
  const moved = { path: 'content["hero.title"]', lastRun: "Two", live: "Two", code: "Three" };
  expect(await drift()).toEqual(["unsettled", [moved]]);
  await desk.edits("a", { "hero.text": "Edited" });
  const edit = { path: 'content["hero.text"]', lastRun: "Text", live: "Edited", code: "Text", unpublished: true };
  expect(await drift()).toEqual(["changed", [edit, moved]]);
  await desk.applies("--foreign-edits", "include");
});

const released = (title: string): string =>
  sited([hero("a", { title }), hero("b", { title })], "releases: { go: { pages: [a, b] } }\n");

onBothAtRelease((engine, path) => {
  test("a release has drifted for as long as its pages show other texts than it was to publish", async () => {
    desk.on(engine, path);
    const drift = async (...more: string[]) => {
      const { code, stdout } = await desk.run(["drift", "--detailed-exitcode", "--json", "drift.json", ...more]);
      const { drift: found } = desk.report("drift.json");
      const isTold = /Release go .* left unfinished, or held back, by an earlier run/.test(stdout);
      return [code, found?.map(({ name, kind }) => `${name} ${kind}`), isTold];
    };
    await desk.declare(released("One")).up();
    expect(await drift()).toEqual([0, [], false]);
    desk.declare(released("Two"));
    // Changes that no run has begun exist only in the code.
    expect(await drift()).toEqual([2, expect.not.arrayContaining(["go unfinished"]), false]);
    // The second publication fails, and the first page can't go back.
    const refused = { method: "POST", path: "/pages/publish", phase: "status", status: 400 } as const;
    desk.emulator.faults.add({ ...refused, skip: 1, times: 9 });
    expect(await desk.says(1, "up", "--yes")).toContain("These pages stay public with the texts of this release");
    desk.emulator.faults.clear();
    const half = [2, ["go unfinished"], true];
    expect(await drift()).toEqual(half);
    expect(await drift("--full")).toEqual(half);
    await desk.says(0, "refresh", "--yes");
    expect(await drift()).toEqual(half);
    await desk.applies();
    expect(await drift()).toEqual([0, [], false]);
  });
});

const page = (title: string, text = "Text"): string => sited([hero("a", { title, text })]);

onBothEngines((kind) => {
  test("a value that a killed run wrote is that run's, and an edit beside it is a person's", async () => {
    const killed = await inTest(Killed.open(page("One"), { kind, path: realEngine }));
    await killed.up();
    await killed.declare(page("Two")).killAt("PATCH", /^\/pages\/content$/);
    const finishes = /an earlier run was interrupted while updating Page a: the next up finishes it/;
    const first = await killed.machine.run(["drift", "--detailed-exitcode"]);
    expect([first.code, first.said]).toEqual([0, expect.stringMatching(finishes)]);
    expect(first.said).toMatch(/no drift/);
    await killed.edits({ "hero.text": "Edited" });
    const next = await killed.machine.run(["drift", "--detailed-exitcode", "--json", "drift.json"]);
    expect([next.code, next.said]).toEqual([2, expect.stringMatching(finishes)]);
    const report = JSON.parse(readFileSync(join(killed.machine.folder, "drift.json"), "utf8")) as Report;
    const edit = { path: 'content["hero.text"]', lastRun: "Text", live: "Edited", code: "Text", unpublished: true };
    expect(report).toMatchObject({ drift: [{ name: "a", kind: "changed", fields: [edit] }], drafts: [] });
    // The code has moved on since: the value of the killed run is the last run's.
    killed.declare(page("Three", "Edited"));
    expect(await killed.run("drift")).toMatch(/"hero.title"\] {2}changed in the code\n +last run +"Two"/);
    await killed.up("--refresh");
    expect(await killed.run("drift", "--detailed-exitcode")).not.toContain("interrupted");
    await killed.run("preview", "--detailed-exitcode");
  });
});
