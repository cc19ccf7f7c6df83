/** Calls that can go together don't wait for each other: at the start of a run, everything else would wait for each. */
import { expect, test } from "vitest";
import { Desk } from "../cli/harness.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => Desk.open());

const MANIFEST = `landform: 1
name: ahead
projects: { shop: { description: ${"A shop for mugs. ".repeat(4)}, context: ${"People drink from them. ".repeat(10)} } }
sites: { ahead.example: { project: shop } }
pages: { offer: { project: shop, template: tpl-thankyou, variables: { brand: A, support_email: a@b.example }, publish: { site: ahead.example, slug: offer } } }
products: { mug: { project: shop } }
funnels: { way: { project: shop, steps: [{ page: offer, pageType: presell }] } }
`;

test("the looks for what a killed run left are over before what hangs on the project is made", async () => {
  desk.write("landform.yaml", MANIFEST);
  const up = await desk.run(["up", "--yes", "--engine", "embedded"]);
  expect([up.code, up.stderr]).toEqual([0, ""]);
  const asked = desk.emulator.requests.map(({ method, route }) => `${method} ${route}`);
  // The look for pages has to learn its path first, because the specification doesn't show it.
  const first = asked.indexOf("POST /sites");
  const looks = ["projects", "pages", "products", "funnels"].map((kind) => asked.indexOf(`GET /search/${kind}`));
  for (const look of looks) expect(look).toBeGreaterThan(-1);
  expect(Math.max(...looks)).toBeLessThan(first);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});
