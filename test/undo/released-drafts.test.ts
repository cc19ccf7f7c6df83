// @module-tag thorough
/** The undo of a release that wrote over a draft: all of it goes back, and then the draft has its old text again. */
import { expect, test } from "vitest";
import { NearDesk } from "../cli/near-desk.ts";
import { editInApp, inTheApp } from "../suite/app.ts";
import { forAllTests } from "../suite/opened.ts";
import { outputOf } from "../cli/harness.ts";

const desk = forAllTests(() => NearDesk.open());

const NAMES = ["offer", "thanks"] as const;

/** `slug`: the path of the first page. */
function declare(title: string, slug = "offer"): void {
  const page = (name: string): object => ({
    template: "tpl-hero",
    content: { "hero.title": `${title} ${name}` },
    variables: { brand: "Acme" },
    publish: { site: "main", slug: name === "offer" ? slug : name },
  });
  const manifest = {
    landform: 1,
    name: "released",
    sites: { main: { name: "released.example" } },
    pages: Object.fromEntries(NAMES.map((name) => [name, page(name)])),
    releases: { launch: { pages: NAMES } },
  };
  // JSON is YAML.
  desk.write("landform.yaml", JSON.stringify(manifest));
}

const offer = async (): Promise<{ id: string; slug: string }> => {
  const pages = (await inTheApp<unknown>(desk, "GET", "/pages")) as { id: string; slug: string; page_name: string }[];
  return pages.find(({ page_name }) => page_name === "offer") ?? { id: "", slug: "" };
};

const treeOf = async (id: string): Promise<string> =>
  JSON.stringify(await inTheApp<unknown>(desk, "GET", `/pages/builder?page_id=${id}`));

async function done(...args: string[]): Promise<void> {
  await outputOf(0, desk.run([...args, "-s", "dev"]));
}

async function visitors(): Promise<string[]> {
  const looks = NAMES.map(async (name) => {
    const html = await (await fetch(`${desk.emulator.url}/_sites/released-example/${name}`)).text();
    return /<h1[^>]*>([^<]*)/.exec(html)?.[1] ?? "";
  });
  return Promise.all(looks);
}

test.each(["draft", "live"] as const)("the content map shows %s", async (shows) => {
  desk.emulator.notShown.contentMapShows = shows;
  declare("First");
  await done("up", "--yes");
  const { id } = await offer();
  await editInApp(desk, id, { "hero.title": "Half a thought" });
  declare("Second");
  await done("up", "--yes", "--foreign-edits", "include");
  expect(await visitors()).toEqual(["Second offer", "Second thanks"]);
  await done("undo", "--yes");
  expect(await visitors()).toEqual(["First offer", "First thanks"]);
  expect(await treeOf(id)).toContain("Half a thought");
  declare("First");
  // If the content map shows the draft, the draft's text of a declared key is drift.
  if (shows === "live") await done("preview", "--detailed-exitcode");
  await done("destroy", "--yes", "--force");
});

test("a page goes back from a path that an earlier run had held, and the edit that had held it to the draft alone", async () => {
  desk.emulator.notShown.contentMapShows = "draft";
  declare("First");
  await done("up", "--yes");
  const { id } = await offer();
  await editInApp(desk, id, { "hero.title": "Half a thought" });
  declare("First", "elsewhere");
  await outputOf(1, desk.run(["up", "--yes", "-s", "dev"]));
  await done("up", "--yes", "--refresh", "--foreign-edits", "include");
  expect(await offer()).toMatchObject({ slug: "elsewhere" });
  expect(await treeOf(id)).not.toContain("Half a thought");
  await done("undo", "--yes");
  expect(await offer()).toMatchObject({ slug: "offer" });
  expect(await visitors()).toEqual(["First offer", "First thanks"]);
  expect(await treeOf(id)).toContain("Half a thought");
  await done("destroy", "--yes", "--force");
});
