// @module-tag thorough
/** An undo that is killed while it deletes: what is gone by then is no target of the next one. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";

const page = (name: string): string =>
  `  ${name}: { template: tpl-hero, variables: { brand: A }, publish: { site: main, slug: ${name} } }\n`;
const manifest = (...pages: string[]): string =>
  `landform: 1\nname: killed\nsites: { main: { name: killed.example } }\npages:\n${pages.map(page).join("")}`;

let killed: Killed;
beforeEach(async () => {
  killed = await Killed.open(manifest("offer"));
  await killed.up();
});
afterEach(() => killed.close());

const run = (...args: string[]): Promise<string> => killed.run(...args);
const pages = () => killed.rows("pages");

test.each([
  ["the first of several", ["p2", "p3"], "- deleted Page"],
  ["the only one", ["p2"], "There is nothing left of run"],
])(
  "%s",
  async (_, names, told) => {
    killed.declare(manifest("offer", ...names));
    await run("up", "--yes");
    await killed.kill(["undo"], ({ method }) => method === "DELETE");
    expect(pages()).toHaveLength(names.length);
    await run("undo", "--preview");
    expect(await run("undo", "--yes", "--force")).toContain(told);
    expect(pages()).toHaveLength(1);
    killed.declare(manifest("offer"));
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
  killed.declare(before);
  await run("up", "--yes", "--force");
  const account = places();
  killed.declare(swapped('content: { hero.title: "Two" }, ', ["other", "one"]));
  await run("up", "--yes");
  await killed.kill(["undo"], (call) => path.test(call.path), { number });
  await run("undo", "--yes");
  expect(places()).toEqual(account);
  killed.declare(before);
  await run("preview", "--detailed-exitcode");
  await run("drift", "--detailed-exitcode");
});

function places(): unknown {
  return pages().map(({ pageName, status, slug }) => [pageName, status, slug]);
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
    killed.declare(anew);
    await run("up", "--yes", "--force");
    const args = ["undo", "--yes", "--force"];
    await killed.kill(["undo"], ({ method }) => method === "DELETE", { boundary });
    expect((await killed.machine.run(["undo", "--preview", "--detailed-exitcode"])).code).toBe(exit);
    await run(...args);
    expect(places()).toEqual([["offer", "published", "offer"]]);
    expect(await run(...args)).toContain("There is nothing left of run");
    killed.declare(manifest("offer"));
    await run("preview", "--detailed-exitcode");
    await run("drift", "--full", "--detailed-exitcode");
  },
);
