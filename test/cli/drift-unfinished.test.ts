// @module-tag thorough
/** Unfinished work of a failed run is drift, even if no field differs: the declared object doesn't exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { FEWEST } from "../../stack/engines/pulumi/interrupted.ts";
import { Killed } from "../faults/whole/killed.ts";
import { onBothAtRelease, onBothEngines, realEngine } from "../suite/parts.ts";
import { SYSTEM_PATH, outputOf } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests, inTest } from "../suite/opened.ts";

const desk = forAllTests(() => NearDesk.open());

beforeAll(() => {
  desk.write(
    "landform.yaml",
    `landform: 1
name: thanks
sites: { m: { name: s.example } }
pages:
  i: { template: tpl-thankyou, variables: { brand: A }, publish: { site: m, slug: x } }
`,
  );
});

test("a service that does not answer is told once, and not for each resource", async () => {
  expect((await desk.run(["up", "--yes"])).code).toBe(1);
  const dead = await desk.run(["drift"], { env: { LANDFORM_BASE_URL: "http://127.0.0.1:1" } });
  expect(dead.code).not.toBe(0);
  expect((dead.stdout + dead.stderr).match(/could not connect/g)).toHaveLength(1);
  expect(dead.stdout + dead.stderr).toMatch(/ECONNREFUSED.* \(\d+ resources\)/);
});

test("a page that a failed creation left a draft has drifted, until it is published", async () => {
  expect(await outputOf(1, desk.run(["up", "--yes"]))).toContain("so it stays a draft");
  const drift = ["drift", "--detailed-exitcode", "--json", "drift.json", "--junit", "drift.xml"];
  for (const before of [undefined, ["refresh"]]) {
    if (before !== undefined) expect((await desk.run(before)).code).toBe(0);
    const { code, stdout } = await desk.run(drift);
    expect(code).toBe(2);
    expect(stdout).toMatch(/! Page i .* left unfinished by an earlier run \(publish\)/);
    expect(stdout).not.toContain("no drift");
    const report = JSON.parse(desk.read("drift.json")) as { drift: { name: string; kind: string; fields: [] }[] };
    expect(report.drift).toMatchObject([{ name: "i", kind: "unfinished", fields: [], inputs: ["publish"] }]);
    expect(desk.read("drift.xml")).toContain('failures="1"');
  }
  desk.edit("landform.yaml", "brand: A", "brand: A, support_email: a@b.example");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  expect(await outputOf(0, desk.run(["drift", "--detailed-exitcode"]))).toContain("no drift");
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});

const released = (title: string): string => {
  const page = (name: string): string =>
    `  ${name}: { template: tpl-hero, variables: { brand: A }, content: { hero.title: ${title} }, publish: { site: m, slug: ${name} } }\n`;
  return `landform: 1\nname: released\nsites: { m: { name: r.example } }\npages:\n${page("a")}${page("b")}releases: { go: { pages: [a, b] } }\n`;
};

onBothAtRelease((engine, path) => {
  test("a release has drifted for as long as its pages show other texts than it was to publish", async () => {
    const own = await inTest(NearDesk.open());
    const env = { PATH: path(SYSTEM_PATH) };
    const run = (...args: string[]) => own.run([...args, "--engine", engine], { env });
    const drift = async (...more: string[]) => {
      const { code, stdout } = await run("drift", "--detailed-exitcode", "--json", "drift.json", ...more);
      const { drift: found } = JSON.parse(own.read("drift.json")) as { drift: { name: string; kind: string }[] };
      return [
        code,
        found.map(({ name, kind }) => `${name} ${kind}`),
        /Release go .* left unfinished by an earlier run/.test(stdout),
      ];
    };
    own.write("landform.yaml", released("One"));
    expect((await run("up", "--yes")).code).toBe(0);
    expect(await drift()).toEqual([0, [], false]);
    own.write("landform.yaml", released("Two"));
    // Changes that no run has begun exist only in the code.
    expect(await drift()).toEqual([2, expect.not.arrayContaining(["go unfinished"]), false]);
    // The second publication fails, and the first page can't go back.
    const refused = { method: "POST", path: "/pages/publish", phase: "status", status: 400 } as const;
    own.emulator.faults.add({ ...refused, skip: 1, times: 9 });
    expect((await run("up", "--yes")).stdout).toContain("Still public as this release has them");
    own.emulator.faults.clear();
    const half = [2, ["go unfinished"], true];
    expect(await drift()).toEqual(half);
    expect(await drift("--full")).toEqual(half);
    expect((await run("refresh", "--yes")).code).toBe(0);
    expect(await drift()).toEqual(half);
    expect((await run("up", "--yes")).code).toBe(0);
    expect(await drift()).toEqual([0, [], false]);
    expect((await run("preview", "--detailed-exitcode")).code).toBe(0);
  });

  test("a release whose pages somebody has made drafts has drifted, though their own states never saw them public", async () => {
    const own = await inTest(NearDesk.open());
    const env = { PATH: path(SYSTEM_PATH) };
    const drift = async () => own.run(["drift", "--detailed-exitcode", "--engine", engine], { env });
    own.write("landform.yaml", released("One"));
    expect((await own.run(["up", "--yes", "--engine", engine], { env })).code).toBe(0);
    const set = { status: "draft", site_id: null, slug: null, url: null, published_at: null };
    for (const path of ["/pages", "/pages/{pageId}"])
      own.emulator.faults.add({ method: "GET", path, phase: "altered", set, times: null });
    expect(await outputOf(2, drift())).toMatch(/Release go .* left unfinished by an earlier run/);
    own.emulator.faults.clear();
    expect((await drift()).code).toBe(0);
  });
});

const page = (name: string, title: string, text = "Text"): string =>
  `  ${name}: { template: tpl-hero, variables: { brand: A }, content: { hero.title: ${title}, hero.text: ${text} }, publish: { site: m, slug: ${name} } }\n`;
const pages = (...all: string[]): string =>
  `landform: 1\nname: killed\nsites: { m: { name: k.example } }\npages:\n${all.join("")}`;

/** So many changes that Pulumi saves the state once, at the end. */
const MANY = Array.from({ length: FEWEST + 1 }, (_, index) => `p${index}`);

test.skipIf(realEngine === undefined)(
  "the values of a killed run that had not saved its state are that run's, and an edit beside them is a person's",
  { timeout: 300_000 },
  async () => {
    const products = (price: number): string =>
      `landform: 1\nname: killed\nproducts:\n${MANY.map((name) => `  ${name}: { price: ${price} }\n`).join("")}`;
    const killed = await inTest(Killed.open(products(1), { kind: "pulumi", path: realEngine }));
    await killed.up();
    killed.declare(products(2));
    const isPatch = ({ method, path }: { method: string; path: string }): boolean =>
      method === "PATCH" && path.startsWith("/products");
    await killed.kill(["up"], isPatch, { number: 3 });
    const first = await killed.machine.run(["drift", "--full", "--detailed-exitcode"]);
    expect(first.said).not.toMatch(/in the app +2$/m);
    expect(first.said).toContain("has not saved the state");
    expect(first.said).toContain("Values that are as the code says count as its own");
    const [{ id }] = killed.rows("products") as [{ id: string }];
    await killed.app("PATCH", "/products", { product_id: id, price: 7 });
    const next = await killed.machine.run(["drift", "--full", "--detailed-exitcode"]);
    expect([next.code, next.said.match(/^.*\b7$/gm)]).toEqual([2, [expect.stringContaining("in the app")]]);
    await killed.up("--refresh", "--foreign-edits", "include");
    await killed.run("preview", "--detailed-exitcode");
  },
);

onBothEngines((kind) => {
  test("a value that a killed run wrote is that run's, and an edit beside it is a person's", async () => {
    const killed = await inTest(Killed.open(pages(page("a", "One")), { kind, path: realEngine }));
    await killed.up();
    killed.declare(pages(page("a", "Two")));
    await killed.killAt("PATCH", /^\/pages\/content$/);
    const finishes = /interrupted earlier: updating \S+::a: the next up finishes it/;
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
