// @module-tag thorough
/** A language that vanishes from its file is not applied without a word: nobody means to show the source instead. */
import { expect, onTestFinished, test } from "vitest";
import { NearDesk } from "../cli/near-desk.ts";

const MANIFEST = `landform: 1
name: lost
copy: { source: en }
pages:
  offer:
    each: [en, de]
    template: { id: tpl-hero }
    variables: { brand: Acme }
    content: { file: offer.csv, locale: "\${each.key}" }
`;
const CSV = "key,en,de\nhero.title,Hello,Hallo\nhero.text,Soon,Bald\n";

test("up refuses a typo in the head of a column, and --force allows it", { timeout: 240_000 }, async () => {
  const desk = await NearDesk.open();
  onTestFinished(() => desk.close());
  desk.write("landform.yaml", MANIFEST);
  desk.write("offer.csv", CSV);
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.writes();
  desk.write("offer.csv", CSV.replace(",de", ",d\u00e9"));
  const refused = await desk.run(["up", "--yes"]);
  expect([refused.code, desk.writes()]).toEqual([3, []]);
  expect(refused.stdout + refused.stderr).toMatch(
    /has no de text any more for 2 [^]*hero\.title[^]*hero\.text[^]*--force/,
  );
  const shown = await desk.run(["preview"]);
  expect(shown.stdout + shown.stderr).toContain("up will refuse this");
  expect(shown.stdout).toContain("npx landform up --force applies it, if you want all of that.");
  expect((await desk.run(["up", "--yes", "--force"])).code).toBe(0);
  expect((await desk.run(["preview"])).stdout).toContain("no changes");
});

test(
  "up refuses the error of a formula, and the plan names the cell that left a part of the address out",
  {
    timeout: 240_000,
  },
  async () => {
    const desk = await NearDesk.open();
    onTestFinished(() => desk.close());
    desk.write(
      "landform.yaml",
      `landform: 1
name: cells
sites: { main: { name: cells.example } }
pages:
  page:
    each: { matrix: { lang: { file: langs.csv, key: key }, kind: { file: kinds.csv, key: key } } }
    template: { id: tpl-hero }
    variables: { brand: Acme }
    content: { hero.title: "\${each.kind.title}" }
    publish: { site: main, slug: "\${each.lang.key}/\${each.kind.slug}" }
`,
    );
    desk.write("langs.csv", "key\nen\n");
    desk.write("kinds.csv", "key,slug,title\noffer,sale,Hello\n");
    const up = await desk.run(["up", "--yes"]);
    expect([up.code, up.stdout + up.stderr]).toEqual([0, expect.anything()]);
    desk.write("kinds.csv", "key,slug,title\noffer,,Hello\n");
    const moved = (await desk.run(["preview"])).stdout;
    expect(moved).toMatch(/kinds\.csv:2:7[^]*root-slug|root-slug[^]*kinds\.csv:2:7/);
    expect(moved).not.toContain("langs.csv:2:1");
    desk.writes();
    desk.write("kinds.csv", "key,slug,title\noffer,sale,#NAME?\n");
    expect([(await desk.run(["up", "--yes"])).code, desk.writes()]).toEqual([3, []]);
    expect((await desk.run(["up", "--yes", "--force"])).code).toBe(0);
    expect((await desk.run(["preview"])).stdout).toContain("no changes");
  },
);
