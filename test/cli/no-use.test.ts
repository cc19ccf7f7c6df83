// @module-tag thorough
/** The report names variables that no text uses, even if they change nothing. With the option, it lists every page's errors. */
import { expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => NearDesk.open());

const program = (variables: string, more = "") => `
const { id: siteId } = new landform.Site("main", { name: "mugs.example" });
const shared = { brand: "Acme", ${variables} };
const page = (name: string, own: object) =>
  new landform.Page(name, { templateId: "tpl-hero", variables: { ...shared, ...own }, content: { "hero.title": "{{title}}" }, publish: { siteId, slug: name }${more} });
page("a", { title: "A" });
page("b", { title: "B", lonely: "x" });
`;
const warnings = async (...args: string[]): Promise<[number | null, string[]]> => {
  const { code, stdout } = await desk.run([...args, "--json"]);
  return [code, (JSON.parse(stdout) as JsonReport).warnings.filter((text) => text.startsWith("variables."))];
};

test("a variable that nothing uses, and one that is new on pages that are done", async () => {
  desk.program(program('tagline: "T"'));
  const unused = ["variables.tagline: no text uses it (Page a, Page b)", "variables.lonely: no text uses it (Page b)"];
  expect(await warnings("up", "--yes")).toEqual([0, unused]);

  desk.program(program('tagline: "T", fresh: "F"'));
  const fresh = ["variables.fresh: no text uses it (Page a, Page b)"];
  desk.writes();
  expect(await warnings("up", "--yes")).toEqual([0, fresh]);
  expect(desk.writes()).toEqual([]);

  const rows = await inTheApp<{ id: string; name: string }[]>(desk, "GET", "/pages");
  const updates = { "hero.title": "Edited" };
  await inTheApp(desk, "PATCH", "/pages/content", {
    page_id: rows.find(({ name }) => name.startsWith("a"))?.id,
    updates,
  });
  const { drift = [] } = JSON.parse((await desk.run(["drift", "--json"])).stdout) as JsonReport;
  expect(drift.flatMap(({ fields }) => fields.map(({ path }) => path))).toEqual(['content["hero.title"]']);
  expect((await desk.run(["preview", "--refresh"])).stdout).not.toContain("variables.fresh,");
});
