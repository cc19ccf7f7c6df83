// @module-tag thorough
/** After a hold the plan shows the public value and the code's value, as long as they differ. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const desk = forAllTests(() => NearDesk.open());

const manifest = (title: string): string => `landform: 1
name: held
sites: { main: { name: held.example } }
pages:
  offer: { template: tpl-hero, variables: { brand: Acme }, content: { hero.title: ${title} }, publish: { site: main, slug: offer } }
`;

test("the next plan shows published -> declared, in every form", async () => {
  desk.write("landform.yaml", manifest("21 March"));
  expect(await outputOf(0, desk.run(["up", "--yes", "-s", "dev"]))).toMatch(/Published\n.*\/offer/);
  const [row] = (await inTheApp<unknown>(desk, "GET", "/pages")) as { id: string }[];
  await inTheApp<unknown>(desk, "PATCH", "/pages/content", {
    page_id: row?.id ?? "",
    updates: { "hero.note": "Half a thought" },
  });
  desk.write("landform.yaml", manifest("28 March"));
  const held = await desk.run(["up", "--yes", "-s", "dev"]);
  expect([held.code, held.stdout]).toEqual([1, expect.not.stringMatching(/Published|Also published/)]);
  const [markdown, html] = [join(desk.folder, "plan.md"), join(desk.folder, "plan.html")];
  const { stdout } = await desk.run(["preview", "--full", "--markdown", markdown, "--html", html, "-s", "dev"]);
  const told = [stdout, readFileSync(markdown, "utf8"), readFileSync(html, "utf8")];
  // If only one word differs, only that word may be marked.
  for (const text of told) expect(text).toMatch(/21( |<[^>]*>)[^]*28( |<[^>]*>)/);
  expect(told.join("\n")).toMatch(/21 March[^]*28 March/);
  expect(told.join("\n")).not.toContain("carries on");
});
