// @module-tag thorough
/** Unfinished work of a failed run is drift, even if no field differs: the declared object doesn't exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import type { Report } from "../../stack/report/model.ts";
import { Killed } from "../faults/whole/killed.ts";
import { onBothAtRelease, onBothEngines, realEngine } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";

const desk = NearDesk.all();

beforeAll(() => {
  desk.declare(`landform: 1
name: thanks
sites: { m: { name: s.example } }
pages:
  i: { template: tpl-thankyou, variables: { brand: A }, publish: { site: m, slug: x } }
`);
});

test("a page that a failed creation left a draft has drifted, until it is published", async () => {
  expect(await desk.says(1, "up", "--yes")).toContain("so it stays a draft");
  const drift = ["drift", "--detailed-exitcode", "--json", "drift.json", "--junit", "drift.xml"];
  for (const before of [undefined, ["refresh"]]) {
    if (before !== undefined) await desk.says(0, ...before);
    const stdout = await desk.says(2, ...drift);
    expect(stdout).toMatch(/! Page i .* left unfinished, or held back, by an earlier run \(publish\)/);
    expect(stdout).not.toContain("no drift");
    const report = desk.report<{ drift: { name: string; kind: string; fields: [] }[] }>("drift.json");
    expect(report.drift).toMatchObject([{ name: "i", kind: "unfinished", fields: [], inputs: ["publish"] }]);
    expect(desk.read("drift.xml")).toContain('failures="1"');
  }
  desk.edit("landform.yaml", "brand: A", "brand: A, support_email: a@b.example");
  await desk.up();
  expect(await desk.says(0, "drift", "--detailed-exitcode")).toContain("no drift");
  await desk.plansNothing();
});

const changed = (title: string, note = ""): string =>
  `landform: 1\nname: changed\nsites: { m: { name: c.example } }\npages:\n  a: { template: tpl-hero, variables: { brand: A }, content: { hero.title: ${title}, hero.text: Text${note} }, publish: { site: m, slug: a } }\n`;

test("texts that a failed run wrote and did not publish are that run's, and an edit beside them is a person's", async () => {
  const own = await NearDesk.own();
  const drift = async () => {
    await own.run(["drift", "--json", "drift.json"]);
    const [one] = own.report<Report & { drift: { kind: string; fields: unknown[] }[] }>("drift.json").drift;
    return [one?.kind, one?.fields];
  };
  own.declare(changed("One"));
  await own.up();
  own.declare(changed("Two", ", start.note: New"));
  own.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400, times: 9 });
  await own.says(1, "up", "--yes");
  own.emulator.faults.clear();
  expect(await drift()).toEqual(["unfinished", []]);
  own.declare(changed("Three", ", start.note: New"));
  const moved = { path: 'content["hero.title"]', lastRun: "Two", live: "Two", code: "Three" };
  expect(await drift()).toEqual(["unsettled", [moved]]);
  const api = new LandformApi(own.emulator);
  const [made] = await api.pages.list();
  await api.pages.updateContent({ page_id: made?.id ?? "", updates: { "hero.text": "Edited" } });
  const edit = { path: 'content["hero.text"]', lastRun: "Text", live: "Edited", code: "Text", unpublished: true };
  expect(await drift()).toEqual(["changed", [edit, moved]]);
  await own.up("--foreign-edits", "include");
  await own.plansNothing();
});

const released = (title: string): string => {
  const page = (name: string): string =>
    `  ${name}: { template: tpl-hero, variables: { brand: A }, content: { hero.title: ${title} }, publish: { site: m, slug: ${name} } }\n`;
  return `landform: 1\nname: released\nsites: { m: { name: r.example } }\npages:\n${page("a")}${page("b")}releases: { go: { pages: [a, b] } }\n`;
};

onBothAtRelease((engine, path) => {
  test("a release has drifted for as long as its pages show other texts than it was to publish", async () => {
    const own = await NearDesk.own(engine, path);

    const drift = async (...more: string[]) => {
      const { code, stdout } = await own.run(["drift", "--detailed-exitcode", "--json", "drift.json", ...more]);
      const { drift: found } = own.report<{ drift: { name: string; kind: string }[] }>("drift.json");
      return [
        code,
        found.map(({ name, kind }) => `${name} ${kind}`),
        /Release go .* left unfinished, or held back, by an earlier run/.test(stdout),
      ];
    };
    own.declare(released("One"));
    await own.up();
    expect(await drift()).toEqual([0, [], false]);
    own.declare(released("Two"));
    // Changes that no run has begun exist only in the code.
    expect(await drift()).toEqual([2, expect.not.arrayContaining(["go unfinished"]), false]);
    // The second publication fails, and the first page can't go back.
    const refused = { method: "POST", path: "/pages/publish", phase: "status", status: 400 } as const;
    own.emulator.faults.add({ ...refused, skip: 1, times: 9 });
    expect((await own.run(["up", "--yes"])).stdout).toContain("These pages stay public with the texts of this release");
    own.emulator.faults.clear();
    const half = [2, ["go unfinished"], true];
    expect(await drift()).toEqual(half);
    expect(await drift("--full")).toEqual(half);
    await own.says(0, "refresh", "--yes");
    expect(await drift()).toEqual(half);
    await own.up();
    expect(await drift()).toEqual([0, [], false]);
    await own.plansNothing();
  });
});

const page = (name: string, title: string, text = "Text"): string =>
  `  ${name}: { template: tpl-hero, variables: { brand: A }, content: { hero.title: ${title}, hero.text: ${text} }, publish: { site: m, slug: ${name} } }\n`;
const pages = (...all: string[]): string =>
  `landform: 1\nname: killed\nsites: { m: { name: k.example } }\npages:\n${all.join("")}`;

onBothEngines((kind) => {
  test("a value that a killed run wrote is that run's, and an edit beside it is a person's", async () => {
    const killed = await inTest(Killed.open(pages(page("a", "One")), { kind, path: realEngine }));
    await killed.up();
    killed.declare(pages(page("a", "Two")));
    await killed.killAt("PATCH", /^\/pages\/content$/);
    const finishes = /an earlier run was interrupted while updating Page a: the next up finishes it/;
    const first = await killed.machine.run(["drift", "--detailed-exitcode"]);
    expect([first.code, first.said]).toEqual([0, expect.stringMatching(finishes)]);
    expect(first.said).toMatch(/no drift/);
    const [{ id }] = killed.rows("pages") as [{ id: string }];
    await killed.app("PATCH", "/pages/content", { page_id: id, updates: { "hero.text": "Edited" } });
    const next = await killed.machine.run(["drift", "--detailed-exitcode", "--json", "drift.json"]);
    expect([next.code, next.said]).toEqual([2, expect.stringMatching(finishes)]);
    const report = JSON.parse(readFileSync(join(killed.machine.folder, "drift.json"), "utf8")) as Report;
    const edit = { path: 'content["hero.text"]', lastRun: "Text", live: "Edited", code: "Text", unpublished: true };
    expect(report).toMatchObject({ drift: [{ name: "a", kind: "changed", fields: [edit] }], drafts: [] });
    // The code has moved on since: the value of the killed run is the last run's.
    killed.declare(pages(page("a", "Three", "Edited")));
    expect(await killed.run("drift")).toMatch(/"hero.title"\] {2}changed in the code\n +last run +"Two"/);
    await killed.up("--refresh");
    expect(await killed.run("drift", "--detailed-exitcode")).not.toContain("interrupted");
    await killed.run("preview", "--detailed-exitcode");
  });
});
