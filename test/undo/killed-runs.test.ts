// @module-tag thorough
/** The undo of a run that was killed: what it had come to, and what it was about to do, go back to what was before it. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import type { Boundary } from "../faults/whole/kill.ts";
import { Killed, type Row } from "../faults/whole/killed.ts";

const SITE = "sites: { main: { name: killed.example } }";
const manifest = (...parts: string[]): string => ["landform: 1", "name: killed", ...parts, ""].join("\n");

let killed: Killed;
beforeEach(async () => {
  killed = await Killed.open(manifest(SITE));
});
afterEach(() => killed.close());

const run = (...args: string[]): Promise<string> => killed.run(...args);
const rows = (kind: string): Row[] => killed.rows(kind);

async function up(text: string): Promise<void> {
  killed.declare(text);
  await killed.up("--force");
}

interface Place {
  readonly number?: number;
  readonly boundary?: Boundary;
  readonly call: (asked: Asked) => boolean;
}

const killAt = (args: readonly string[], { call, ...place }: Place): Promise<void> => killed.kill(args, call, place);

/** Nothing is left that a further run would change. */
async function expectSettled(text: string): Promise<void> {
  killed.declare(text);
  await run("preview", "--detailed-exitcode");
  await run("drift", "--detailed-exitcode");
}

/** Name, status, address and title of each page. */
async function shown(): Promise<unknown[]> {
  const texts = rows("pages").map(async ({ id, pageName, status, slug }) => {
    const answer = await killed.app("GET", `/search/page-content-map?page_id=${String(id)}`);
    const fields = JSON.parse(String(answer["fields"])) as Row[];
    return [pageName, status, slug, fields.find(({ key }) => key === "hero.title")?.["value"]];
  });
  return Promise.all(texts);
}

describe("of deletions", () => {
  const HAT = "hat: { price: 7 }";
  const ALL = manifest(`products: { cup: { price: 5 }, tee: { price: 6 }, ${HAT} }`);
  const names = (): string[] =>
    rows("products")
      .map(({ name }) => String(name))
      .sort();
  const deletion = ({ method, path }: Asked): boolean => method === "DELETE" && path.startsWith("/products/prod_");

  test.each([
    ["an up", ["up"], "before it is sent"],
    ["an up", ["up"], "after commit"],
    ["a destroy", ["destroy"], "before it is sent"],
  ] as const)("%s (%j), killed at the second one, %s", { timeout: 120_000 }, async (_, args, boundary) => {
    await up(ALL);
    killed.declare(manifest(`products: { ${HAT} }`));
    await killAt(args, { number: 1, boundary, call: deletion });
    await run("undo", "--preview");
    expect(await run("undo", "--yes", "--force")).toContain("created Product");
    expect(names()).toEqual(["cup", "hat", "tee"]);
    await expectSettled(ALL);
  });

  test("an undo of them, killed once it has made one anew, is carried on with", { timeout: 120_000 }, async () => {
    await up(ALL);
    const next = manifest("products: { hat: { price: 8 } }");
    await up(next);
    // What it is updating by then is asked about first, and what it has yet to make is in no state.
    const isUpdate = ({ method, path }: Asked): boolean => method === "PATCH" && path === "/products";
    await killAt(["undo"], { call: isUpdate });
    await run("undo", "--yes", "--force");
    expect(names()).toEqual(["cup", "hat", "tee"]);
    await expectSettled(ALL);
  });
});

describe("of updates", () => {
  const TEXT = "content: { hero.title: Hello }, ";
  const page = (name: string, slug: string, content = TEXT): string =>
    `  ${name}: { template: tpl-hero, variables: { brand: A }, ${content}publish: { site: main, slug: ${slug} } }`;
  const pages = (...lines: string[]): string => manifest(SITE, "pages:", ...lines);
  const RELEASE = "releases: { launch: { pages: [a, b] } }";
  const ONE = pages(page("a", "a"));
  const TWO = pages(page("a", "one"), page("b", "other"));
  const SWAPPED = pages(page("a", "other"), page("b", "one"));
  const BYE = TEXT.replace("Hello", "Bye");
  const RELEASED = manifest(RELEASE, SITE, "pages:", page("a", "a"), page("b", "b"));

  test.each([
    ["a published text", ONE, pages(page("a", "a", BYE)), /^\/pages\/publish$/, 0],
    ["a text that is not public yet", ONE, pages(page("a", "a", BYE)), /^\/pages\/content$/, 0],
    ["an address", ONE, pages(page("a", "b")), /^\/pages\/publish$/, 0],
    ["addresses of which one is in its place", TWO, SWAPPED, /^\/pages\/publish$/, 2],
    ["the draft of a release", RELEASED, RELEASED.replace("Hello", "Bye"), /^\/pages\/content$/, 0],
  ])("%s", { timeout: 120_000 }, async (_, before, next, path, number) => {
    await up(before);
    const account = await shown();
    killed.declare(next);
    await killAt(["up"], { number, call: (asked) => path.test(asked.path) });
    expect(await shown()).not.toEqual(account);
    expect(await run("undo", "--yes", "--force")).toContain("landform.yaml:");
    expect(await shown()).toEqual(account);
    await expectSettled(before);
  });
});

test("is taken back by an undo of its own", { timeout: 120_000 }, async () => {
  const page = (title: string): string =>
    manifest(
      SITE,
      `pages: { a: { template: tpl-hero, content: { hero.title: ${title} }, variables: { brand: Acme }, publish: { site: main, slug: a } } }`,
    );
  await up(page("Hello"));
  killed.declare(page("Bye"));
  await killAt(["up"], { call: ({ path }) => path === "/pages/publish" });
  const account = await shown();
  await run("undo", "--yes");
  expect(await shown()).not.toEqual(account);
  expect(await run("undo", "--yes")).toContain("updated Page a");
  expect(await shown()).toEqual(account);
  killed.declare(page("Bye"));
  await run("up", "--yes");
  await expectSettled(page("Bye"));
});

test.each(["after commit", "before it is sent"] as const)(
  "of what no read shows: a context, killed %s",
  { timeout: 120_000 },
  async (boundary) => {
    const project = (letter: string): string =>
      manifest(`projects: { spring: { description: ${"d".repeat(60)}, context: ${letter.repeat(210)} } }`);
    await up(project("a"));
    killed.declare(project("b"));
    await killAt(["up"], { boundary, call: ({ method, path }) => method === "PATCH" && path.startsWith("/projects/") });
    expect(await run("undo", "--yes", "--force")).toContain("updated Project");
    expect(rows("projects")[0]?.["context"]).toBe("a".repeat(210));
    await expectSettled(project("a"));
  },
);

test.each(["the run that carried on", "the killed run"])(
  "of an adoption: a page gets back what it had, by the undo of %s",
  { timeout: 120_000 },
  async (which) => {
    const body = { template_id: "tpl-hero", name: "colleague" };
    const { id } = (await killed.app("POST", "/pages/from-template", body)) as Row & { id: string };
    const account = await shown();
    const page = `  x: { adoptId: ${id}, name: Mine, content: { hero.title: Taken } }`;
    killed.declare(manifest("pages:", page));
    await killAt(["up"], { call: ({ path }) => path === "/pages/content" });
    const { code, said } = await killed.machine.run(["undo", "--yes"]);
    expect([code, said]).toEqual([3, expect.stringContaining("then gives back what was there before")]);
    const [first = ""] = /20\d{6}-[\d.]+-\w+/.exec(await run("history")) ?? [];
    await run("up", "--yes");
    await run("undo", ...(which === "the killed run" ? [first] : []), "--yes");
    expect(await shown()).toEqual(account);
  },
);
