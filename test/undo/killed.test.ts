// @module-tag thorough
/** An undo that is killed while it deletes: what is gone by then is no target of the next one. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";

const page = (name: string): string =>
  `  ${name}: { template: tpl-hero, variables: { brand: A }, publish: { site: main, slug: ${name} } }\n`;
const manifest = (...pages: string[]): string =>
  `landform: 1\nname: killed\nsites: { main: { name: killed.example } }\npages:\n${pages.map(page).join("")}`;

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": manifest("offer") });
  await run("up", "--yes");
});
afterEach(() => machine.close());

async function run(...args: string[]): Promise<string> {
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  return said;
}

const pages = (): unknown[] => machine.emulator.records()["pages"] ?? [];

test.each([
  ["the first of several", ["p2", "p3"], "- deleted Page"],
  ["the only one", ["p2"], "There is nothing left of run"],
])(
  "%s",
  async (_, names, told) => {
    machine.write("landform.yaml", manifest("offer", ...names));
    await run("up", "--yes");
    const args = ["undo", "--yes", "--force", "--parallel", "1"];
    await strike(machine, args, { number: 0, boundary: "after commit" }, ({ method }) => method === "DELETE");
    await machine.free();
    expect(pages()).toHaveLength(names.length);
    await run("undo", "--preview");
    expect(await run("undo", "--yes", "--force")).toContain(told);
    expect(pages()).toHaveLength(1);
    machine.write("landform.yaml", manifest("offer"));
    await run("preview", "--detailed-exitcode");
  },
  120_000,
);

const swapped = (content: string, [one, other]: readonly string[]): string =>
  [
    "landform: 1",
    "name: killed",
    "sites: { main: { name: killed.example } }",
    "pages:",
    `  a: { template: tpl-hero, variables: { brand: A }, ${content}publish: { site: main, slug: ${one} } }`,
    `  b: { template: tpl-hero, variables: { brand: A }, publish: { site: main, slug: ${other} } }`,
    "",
  ].join("\n");

/** The run that is undone declares a text that nobody declared before, and two pages change places in it. */
test.each([
  ["once a text is back that was declared by nobody", /^\/pages\/content$/, 0],
  ["while a page makes way for another one", /^\/pages\/publish$/, 0],
  ["when one page has come to its place again", /^\/pages\/publish$/, 1],
])("is carried on with %s", { timeout: 120_000 }, async (_, path, number) => {
  const before = swapped("", ["one", "other"]);
  machine.write("landform.yaml", before);
  await run("up", "--yes", "--force");
  const account = places();
  machine.write("landform.yaml", swapped('content: { hero.title: "Two" }, ', ["other", "one"]));
  await run("up", "--yes");
  const args = ["undo", "--yes", "--force", "--parallel", "1"];
  await strike(machine, args, { number, boundary: "after commit" }, (call) => path.test(call.path));
  await machine.free();
  await run("undo", "--yes");
  expect(places()).toEqual(account);
  machine.write("landform.yaml", before);
  await run("preview", "--detailed-exitcode");
  await run("drift", "--detailed-exitcode");
});

function places(): unknown {
  return (pages() as readonly Readonly<Record<string, unknown>>[]).map(({ pageName, status, slug }) => [
    pageName,
    status,
    slug,
  ]);
}

const anew = manifest("offer").replace(
  "tpl-hero, variables: { brand: A }",
  "tpl-thankyou, variables: { brand: A, support_email: a@b.example }",
);

test.each([
  ["before it is sent", 2],
  // It is gone: there is nothing to do but to forget it.
  ["after commit", 0],
] as const)(
  "once a page is made anew and its old one still to be deleted: killed %s",
  { timeout: 120_000 },
  async (boundary, exit) => {
    machine.write("landform.yaml", anew);
    await run("up", "--yes", "--force");
    const args = ["undo", "--yes", "--force"];
    await strike(machine, args, { number: 0, boundary }, ({ method }) => method === "DELETE");
    await machine.free();
    expect((await machine.run(["undo", "--preview", "--detailed-exitcode"])).code).toBe(exit);
    await run(...args);
    expect(places()).toEqual([["offer", "published", "offer"]]);
    expect(await run(...args)).toContain("There is nothing left of run");
    machine.write("landform.yaml", manifest("offer"));
    await run("preview", "--detailed-exitcode");
    await run("drift", "--full", "--detailed-exitcode");
  },
);
