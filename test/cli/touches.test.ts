// @module-tag thorough
/** The plan's words about what visitors will see, also after runs that failed on the way. */
import { expect, test } from "vitest";
import { editInApp, inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const desk = forAllTests(() => NearDesk.open());

const declare = (site: "main" | "other", slug: string, title = "Hello {{brand}}") => {
  const page = `template: tpl-hero, content: { hero.title: "${title}" }, variables: { brand: Acme }`;
  desk.write(
    "landform.yaml",
    `landform: 1
name: touches
sites: { main: { name: mugs.example }, other: { name: cups.example } }
pages:
  home: { name: home, ${page}, publish: { site: main, slug: home } }
  offer: { name: P, ${page}, publish: { site: ${site}, slug: ${slug} }, options: { dependsOn: [pages.home] } }
`,
  );
};

async function touched(...options: string[]): Promise<string[]> {
  const { stdout } = await desk.run(["preview", ...options]);
  const [, block = ""] = /Public pages\n([^]*?)\n\n/.exec(stdout) ?? [];
  return block.split("\n").map((line) => line.trim().replace(/localhost:\d+/, "HOST"));
}

test("a page whose publish failed goes live with the next run", async () => {
  declare("main", "offer");
  desk.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 403, skip: 1 });
  await outputOf(1, desk.run(["up", "--yes"]));
  expect(await touched()).toEqual(["+ http://mugs-example.HOST/offer (offer)"]);
});

const MOVED = 'Visitors of the old addresses then get "not found" (404). npx landform redirects writes redirects.';

test("a page that moves is gone from where it was", async () => {
  declare("main", "offer");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  declare("main", "deal");
  expect(await touched()).toEqual([
    "- http://mugs-example.HOST/offer (offer)",
    "+ http://mugs-example.HOST/deal (offer)",
    MOVED,
  ]);
});

test("a funnel names the step that it loses; nothing follows from it. A held page keeps its address as it is", async () => {
  const page = (title: string) =>
    `{ template: tpl-hero, content: { hero.title: ${title} }, variables: { brand: Acme }, publish: { site: main } }`;
  const declare = (pages: string, steps: string): void =>
    desk.write(
      "landform.yaml",
      `landform: 1\nname: lost-step\nsites: { main: { name: lost.example } }\npages:\n${pages}funnels: { f: { steps: [${steps}] } }\n`,
    );
  const first = "{ page: first, pageType: presell }";
  const [one, two] = ["first", "third"].map(
    (key) => `  ${key}: ${page("Hi").replace("site: main", `site: main, slug: ${key}`)}\n`,
  );
  declare(`${one}${two}`, `${first}, { page: third, pageType: thankyou }`);
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  declare(one ?? "", first);
  const { stdout } = await desk.run(["preview"]);
  expect(stdout).toContain("f: loses its step 2 (third, thankyou)");
  expect(stdout).not.toContain("changes along");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);

  const pages = await inTheApp<{ id: string; page_name: string }[]>(desk, "GET", "/pages");
  const id = pages.find(({ page_name: name }) => name === "first")?.id ?? "";
  await editInApp(desk, id, { "hero.note": "Theirs" });
  declare((one ?? "").replace("Hi", "Bye"), first);
  expect(await touched()).toEqual([""]);
  const held = await desk.run(["up", "--yes"]);
  expect([held.code, held.stdout]).toEqual([1, expect.not.stringContaining("Public pages")]);
});
