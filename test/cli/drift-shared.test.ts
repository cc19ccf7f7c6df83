/** `drift --write` of a cell that rows of a matrix share: it offers both ways, and writes the chosen one. */
import { beforeEach, expect, test } from "vitest";
import { editInApp } from "../suite/app.ts";
import { inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";

const MANIFEST = `landform: 1
name: shared
sites: { main: { name: shared.example } }
pages:
  about:
    each: { matrix: { brand: { file: brands.csv, key: code }, lang: [en, de] } }
    template: tpl-hero
    variables: { brand: "\${each.brand.title}" }
    content: { hero.title: "\${each.brand.title}" }
    publish: { site: main, slug: "\${each.key}" }
`;

let desk: NearDesk;
const says = (code: number, ...args: string[]): Promise<string> => outputOf(code, desk.run(args));

beforeEach(async () => {
  desk = await inTest(NearDesk.open());
  desk.write("landform.yaml", MANIFEST);
  desk.write("brands.csv", "code,title\nacme,Acme\nzen,Zen\n");
  await says(0, "up", "--yes");
  const page = desk.emulator.records()["pages"]?.find((row) => JSON.stringify(row).includes('"about-acme-en"'));
  await editInApp(desk, page?.id, { "hero.title": "Acme Ltd" });
  const told = await says(0, "drift", "--write");
  for (const way of ["all", "own"])
    expect(told).toMatch(
      new RegExp(`drift --write --shared ${way} writes pages\\.about-acme-en\\.content\\.hero\\.title`),
    );
  expect(told).toContain("Nothing was written.");
});

test.each([
  { way: "own", titles: ["Acme", "Acme Ltd", "Zen", "Zen"] },
  { way: "all", titles: ["Acme Ltd", "Acme Ltd", "Zen", "Zen"] },
])("--shared $way", async ({ way, titles }) => {
  await says(0, "drift", "--write", "--shared", way);
  expect(desk.read("landform.yaml")).toBe(
    way === "all"
      ? MANIFEST
      : `${MANIFEST}    rows:\n      acme-en:\n        content:\n          hero.title: Acme Ltd\n`,
  );
  await says(0, "up", "--yes", "--refresh");
  await says(0, "preview", "--detailed-exitcode");
  expect(await says(0, "drift", "--full", "--detailed-exitcode")).toContain("no drift");
  const visited = ["acme-de", "acme-en", "zen-de", "zen-en"].map(async (slug) => {
    const page = await (await fetch(`${desk.emulator.url}/_sites/shared-example/${slug}`)).text();
    return titles.toSorted((a, b) => b.length - a.length).find((title) => page.includes(`${title}<`));
  });
  expect(await Promise.all(visited)).toEqual(titles);
});
