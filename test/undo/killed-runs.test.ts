// @module-tag thorough
/** After a kill, an up comes first: it goes on with the killed run's work, and the undos of both runs take everything back. */
import { expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import { Killed } from "../faults/whole/killed.ts";
import { textsInApp } from "../suite/app.ts";
import { forEachTest } from "../suite/opened.ts";

const SITE = "sites: { main: { name: killed.example } }";
const manifest = (...parts: string[]): string => ["landform: 1", "name: killed", ...parts, ""].join("\n");
const TEXT = "content: { hero.title: Hello }, ";
const BYE = TEXT.replace("Hello", "Bye");
const page = (name: string, slug: string, content = TEXT): string =>
  `  ${name}: { template: tpl-hero, variables: { brand: A }, ${content}publish: { site: main, slug: ${slug} } }`;
const pages = (...lines: string[]): string => manifest(SITE, "pages:", ...lines);
const ALL = manifest("products: { cup: { price: 5 }, tee: { price: 6 }, hat: { price: 7 } }");
const HAT = manifest("products: { hat: { price: 7 } }");
const ONE = pages(page("a", "a"));
const RELEASED = manifest("releases: { launch: { pages: [a, b] } }", SITE, "pages:", page("a", "a"), page("b", "b"));

const killed = forEachTest(() => Killed.open(manifest(SITE)));

const up = (text: string): Promise<string> => killed.declare(text).up("--force");

/** Returns names and prices of products, and the status, address and title of each page. */
async function shown(): Promise<unknown[]> {
  const texts = killed.rows("pages").map(async ({ id, pageName, status, slug }) => {
    const { "hero.title": title } = await textsInApp(killed.machine, String(id));
    return [pageName, status, slug, title];
  });
  const products = killed.rows("products").map(({ name, price }) => [name, price]);
  return [...products.sort(), ...(await Promise.all(texts)).sort()];
}

async function expectRefused(...args: string[]): Promise<void> {
  for (const more of [["--preview"], ["--yes", "--force"]])
    expect(await killed.says(3, "undo", ...args, ...more)).toMatch(
      /a run did not come to its end, and only the next run can tell what became of [A-Z]\w+ [^/]+\. Nothing was sent.*npx landform up .*carries on with it, and applies the code as it is/s,
    );
}

const publishes = ({ path }: Asked): boolean => path === "/pages/publish";
const writes = ({ path }: Asked): boolean => path === "/pages/content";
const deletes = ({ method, path }: Asked): boolean => method === "DELETE" && path.startsWith("/products/prod_");

test.each<[string, string, string, (asked: Asked) => boolean, number]>([
  ["deletions", ALL, HAT, deletes, 1],
  ["a published text", ONE, pages(page("a", "a", BYE)), publishes, 0],
  ["a text that is not public yet", ONE, pages(page("a", "a", BYE)), writes, 0],
  ["an address", ONE, pages(page("a", "b")), publishes, 0],
  [
    "addresses of which one is in its place",
    pages(page("a", "x"), page("b", "y")),
    pages(page("a", "y"), page("b", "x")),
    publishes,
    2,
  ],
  ["a new page", ONE, pages(page("a", "a"), page("b", "b")), publishes, 0],
  [
    "steps that were done, and recorded, before the kill",
    manifest("products: { cup: { price: 5 } }", SITE, "pages:", page("a", "a")),
    manifest("products: { cup: { price: 6 }, tee: { price: 7 } }", SITE, "pages:", page("a", "a", BYE)),
    writes,
    0,
  ],
  ["a release that is half out", RELEASED, RELEASED.replaceAll("Hello", "Bye"), publishes, 0],
])("%s", async (_, before, next, call, number) => {
  await up(before);
  const account = await shown();
  await killed.declare(next).kill(["up"], call, { number });
  await expectRefused();
  await killed.up("--force");
  const [, first] = JSON.parse(await killed.run("history", "--json")) as { id: string }[];
  const { code, said } = await killed.machine.run(["undo", "--yes", "--force"]);
  // If the up has only published, the undo names the run that wrote.
  const writer = first?.id ?? "";
  if (code !== 0) expect([code, said]).toEqual([4, expect.stringMatching(new RegExp(`undo .*${writer}`))]);
  if (code !== 0) await killed.run("undo", writer, "--yes", "--force");
  expect(await shown()).toEqual(account);
  await killed.declare(before).plansNothing();
  await killed.run("drift", "--detailed-exitcode");
});

test("an undo itself: the up brings the code, and the same undo takes it back", async () => {
  await up(ONE);
  const account = await shown();
  await up(pages(page("a", "a", BYE)));
  const [{ id }] = JSON.parse(await killed.run("history", "--json")) as [{ id: string }];
  await killed.kill(["undo"], publishes);
  await expectRefused();
  await expectRefused(id);
  await killed.up("--force");
  await killed.run("undo", id, "--yes");
  expect(await shown()).toEqual(account);
  await killed.declare(ONE).plansNothing();
  await killed.run("drift", "--detailed-exitcode");
});
