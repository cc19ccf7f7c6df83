/** What a manifest says with each and files, a program says with a loop and the same readers: the same stack. */
import { expect, test } from "vitest";
import { Stack } from "./stack.ts";

const MANIFEST = `landform: 1
pages:
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
outputs: { riga: 'pages.offer["riga"].name' }
`;

const PROGRAM = `import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";
import { z } from "zod";
const City = z.object({ slug: z.string(), name: z.string(), live: z.string(), lang: z.string(), price: z.coerce.number(), before: z.coerce.number().optional() });
const cities = landform.data("cities.csv", City);
const offers = {};
for (const city of cities.filter(({ live }) => live === "yes")) {
  offers[city.slug] = new landform.Page(\`offer-\${city.slug}\`, {
    name: \`\${city.name} on \${pulumi.getStack()}\`,
    templateId: "tpl-hero",
    variables: { brand: city.name },
    content: landform.content([{ file: "base.yaml" }, { file: "copy/*.json", locale: city.lang }, { "hero.note": \`Only in \${city.name}\` }]),
  });
}
for (const city of cities) new landform.Product(\`mug-\${city.slug}\`, { name: \`mug-\${city.slug}\`, price: city.price, comparePrice: city.before });
export const riga = offers["riga"].name;
`;

const FILES = {
  "landform.yaml": MANIFEST,
  "index.js": PROGRAM,
  "cities.csv":
    'slug,name,live,lang,price,before\nriga,"Rīga, LV",yes,lv,12.5,15\nbern,Bern,yes,de-CH,9,\noslo,Oslo,no,no,7,\n',
  "base.yaml": "hero.title: Hello\nhero.text: Text\n",
  "copy/lv.json": '{ "hero.title": "Sveiki" }',
  "copy/de.json": '{ "hero.title": "Hallo", "hero.text": "Text auf Deutsch" }',
  "copy/de-CH.json": '{ "hero.title": "Grüezi" }',
};

test("a program with the same loop plans nothing on what the manifest made", async () => {
  const stack = await Stack.open(FILES);
  try {
    const up = await stack.run("up");
    expect([up.failures, up.changes]).toEqual([[], { create: 6 }]);
    expect(up.outputs["riga"]?.value).toBe("Rīga, LV on dev");
    for (const program of [false, true]) {
      const again = await stack.run("up", { program });
      expect([again.failures, again.changes, again.writes]).toEqual([[], {}, []]);
    }
  } finally {
    await stack.close();
  }
});
