// @module-tag thorough
/** The plan's words about the addresses of adopted pages, each as a few steps in one process. */
import { beforeEach, expect, test } from "vitest";
import { openTrial, page } from "../trial.ts";

const trial = openTrial();
let sites: { main: string; other: string };

beforeEach(async () => {
  sites = {
    main: await made("/sites", { name: "main.example" }),
    other: await made("/sites", { name: "other.example" }),
  };
  trial.program.sites = { main: { name: "main.example", adoptId: sites.main } };
});

async function made(path: string, body: object): Promise<string> {
  return ((await trial.desk.byHand("POST", path, body)) as { id: string }).id;
}

/** Makes a page of somebody else, public if a path is given. */
async function theirs(slug?: string, site_id = sites.main): Promise<string> {
  const page_id = await made("/pages/from-template", { template_id: "tpl-hero", name: "Theirs" });
  await trial.desk.byHand("POST", "/pages/replace-variables", { page_id, variables: { brand: "Acme" } });
  if (slug !== undefined) await trial.desk.byHand("POST", "/pages/publish", { page_id, site_id, slug });
  return page_id;
}

const taken = (adoptId: string, slug: string, site = "main") => ({ adoptId, publish: { site, slug } });

async function touched(): Promise<string[]> {
  const { report } = await trial.preview();
  const urls = report.impact?.urls ?? [];
  return urls.map(({ url, page: name, effect }) => `${effect} ${url.replace(/:\d+\//, "/")} (${name})`);
}

const MAIN = "http://main-example.localhost/";

test("one that moves is gone from where it was, on a site that is there and on one that is taken over along", async () => {
  trial.program.pages["home"] = taken(await theirs("home"), "start");
  const moves = [`delete ${MAIN}home (home)`, `create ${MAIN}start (home)`];
  expect(await touched()).toEqual(moves);
  trial.program.pages = {};
  await trial.up();
  trial.program.pages["home"] = taken(await theirs("other"), "start");
  expect(await touched()).toEqual([`delete ${MAIN}other (home)`, `create ${MAIN}start (home)`]);
  await trial.up();
  expect(await touched()).toEqual([]);
});

test("an address that another page takes doesn't go", async () => {
  await trial.up();
  const [one, two, three] = [await theirs("one"), await theirs("two"), await theirs("")];
  trial.program.pages = {
    one: taken(one, "two"),
    two: taken(two, "one"),
    three: taken(three, "three"),
    root: page(""),
  };
  expect(await touched()).toEqual([
    `create ${MAIN}two (one)`,
    `create ${MAIN}one (two)`,
    `create ${MAIN}three (three)`,
    `create ${MAIN} (root)`,
  ]);
  await trial.up();
});
