// @module-tag thorough
/** A manifest with `each` and files, and a program with a loop and the same readers, make the same stack. */
import { expect, test } from "vitest";
import { Stack } from "./stack.ts";
import { inTest } from "../suite/opened.ts";

const MANIFEST = `landform: 1
include: ["more/*.yaml"]
defaults: { products: { showFullProduct: true } }
pages:
  step:
    each: { matrix: { brand: [acme, zen], city: { file: cities.csv, key: slug, where: { live: { not: no } } } } }
    template: { id: tpl-hero }
    variables: { brand: "\${each.brand.value}", you: Du }
    name: \${each.brand.value} in \${each.city.name}, \${config.season}
    content: [{ folder: texts }, { file: units.xlf }, { hero.note: "$\${each.x} \${each.key}" }]
  offer:
    each: { file: cities.csv, key: slug, where: { live: yes } }
    name: \${each.name} on \${stack}
    template: { id: tpl-hero }
    variables: { brand: "\${each.name}" }
    content:
      - { file: base.yaml }
      - { file: "copy/*.json", locale: "\${each.lang}" }
      - hero.note: Only in \${each.name}
products:
  mug:
    each: { file: cities.csv, key: slug }
    price: \${each.price}
    comparePrice: \${each.before}
funnels:
  way:
    each: { file: cities.csv, key: slug, where: { live: yes } }
    steps:
      - { page: 'offer["\${each.key}"]', pageType: presell }
      - { page: 'step["acme-\${each.slug}"]', pageType: sales }
outputs: { riga: 'pages.offer["riga"].name' }
`;

const PROGRAM = `import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";
import { z } from "zod";
const City = z.object({ slug: z.string(), name: z.string(), live: z.string(), lang: z.string(), price: z.coerce.number(), before: z.coerce.number().optional() });
const cities = landform.data("cities.csv", City);
const season = new pulumi.Config().require("season");
const live = cities.filter(({ live }) => live === "yes");
const steps = {};
for (const brand of ["acme", "zen"]) for (const city of live) {
  const key = \`\${brand}-\${city.slug}\`;
  steps[key] = new landform.Page(\`step-\${key}\`, {
    name: \`\${brand} in \${city.name}, \${season}\`,
    templateId: "tpl-hero", variables: { brand, you: "Du" },
    content: landform.content([{ folder: "texts" }, { file: "units.xlf" }, { "hero.note": \`\\\${each.x} \${key}\` }]),
  });
}
new landform.Page("legal", { name: "Legal" });
const offers = {};
for (const city of cities.filter(({ live }) => live === "yes")) {
  offers[city.slug] = new landform.Page(\`offer-\${city.slug}\`, {
    name: \`\${city.name} on \${pulumi.getStack()}\`,
    templateId: "tpl-hero",
    variables: { brand: city.name },
    content: landform.content([{ file: "base.yaml" }, { file: "copy/*.json", locale: city.lang }, { "hero.note": \`Only in \${city.name}\` }]),
  });
}
for (const city of cities) new landform.Product(\`mug-\${city.slug}\`, { name: \`mug-\${city.slug}\`, price: city.price, comparePrice: city.before, showFullProduct: true });
for (const { slug } of live) new landform.Funnel(\`way-\${slug}\`, { name: \`way-\${slug}\`, steps: [{ pageId: offers[slug].id, pageType: "presell" }, { pageId: steps[\`acme-\${slug}\`].id, pageType: "sales" }] });
export const riga = offers["riga"].name;
`;

const FILES = {
  "landform.yaml": MANIFEST,
  "index.js": PROGRAM,
  "cities.csv":
    'slug,name,live,lang,price,before\nriga,"Rīga, LV",yes,lv,12.5,15\nbern,Bern,yes,de-CH,9,\noslo,Oslo,no,no,7,\n',
  "more/legal.yaml": "pages: { legal: { name: Legal } }\n",
  "texts/hero.title.md": "A text\n",
  "units.xlf":
    '<xliff version="1.2"><file original="o" source-language="en" target-language="de" datatype="plaintext"><body><trans-unit id="hero.text"><source>Hi</source><target>Hallo <x id="1" equiv-text="{{you}}"/></target></trans-unit></body></file></xliff>',
  "base.yaml": "hero.title: Hello\nhero.text: Text\n",
  "copy/lv.json": '{ "hero.title": "Sveiki" }',
  "copy/de.json": '{ "hero.title": "Hallo", "hero.text": "Text auf Deutsch" }',
  "copy/de-CH.json": '{ "hero.title": "Grüezi" }',
};

test("a program with the same loop plans nothing on what the manifest made", async () => {
  const stack = await inTest(Stack.open(FILES));
  const config = { "same:season": "summer" };
  const up = await stack.run("up", { config });
  expect([up.failures, up.changes]).toEqual([[], { create: 13 }]);
  expect(up.outputs["riga"]?.value).toBe("Rīga, LV on dev");
  for (const program of [false, true]) {
    const again = await stack.run("up", { program, config });
    expect([again.failures, again.changes, again.writes]).toEqual([[], {}, []]);
  }
});
