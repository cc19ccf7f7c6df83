/** Programs: a failure names the line that makes the resource, an Output in a text is refused, and an exported program runs as it is written. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";

const program = (key: string): string => `
const page = (name) =>
  new landform.Page(name, { templateId: "tpl-hero", variables: { brand: "Acme" }, content: { "${key}": "Hello" } });
for (const one of ["a", "b"]) page(\`offer-\${one}\`);`;

onBothEngines((engine, path) => {
  const desk = NearDesk.each(engine, path);

  test("a content key that the page lacks, in an up and in a plan", async () => {
    const failed = await desk.program(program("hero.titel")).says(1, "up", "--yes");
    await desk.program(program("hero.title")).applies();
    const planned = await desk.program(program("hero.titel")).says(4, "preview");
    expect(failed.match(/error: .*index\.ts:4:3/g)).toHaveLength(2);
    expect(planned).toMatch(/error: index\.ts:4:3: Page offer-[ab], offer-[ab]: content: /);
  });
});

const PROGRAM = `
const first = new landform.Page("first", { templateId: "tpl-hero" });
new landform.Page("second", {
  templateId: "tpl-hero",
  productLabel: \`after \${first.id}\`,
  content: { "hero.title": \`See \${first.name}\`, "hero.text": JSON.stringify({ id: first.id }) },
  tags: ["plain", \`of \${first.id}\`],
});
`;

onBothEngines((engine, path) => {
  const desk = NearDesk.each(engine, path);

  test("each place is named, with what to write instead, and nothing is sent", async () => {
    const told = await desk.program(PROGRAM).sendsNothing(4, "preview");
    for (const place of ["productLabel", 'content["hero.title"]', 'content["hero.text"]', "tags[1]"])
      expect(
        told.split("\n").filter((line) => line.includes(place) && line.includes("was made from an Output")),
      ).not.toEqual([]);
    expect(told).toContain("pulumi.interpolate");
    expect(told).not.toContain("Calling [");
  });
});

test("an account exported as TypeScript is previewed", async () => {
  const desk = await inTest(NearDesk.open(undefined, { seed: "demo" }));
  await desk.says(0, "export", "-o", "shop", "--format", "typescript");
  const program = desk.read("shop/index.ts");
  expect(program).toContain("new URL(path, import.meta.url)");
  await desk.says(0, "preview", "-C", "shop");
});
