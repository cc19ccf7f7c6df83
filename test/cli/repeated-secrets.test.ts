/** A declared secret stands in no file of the state and on no screen, under whatever name an output shows it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { thorough } from "../suite/parts.ts";

const desk = NearDesk.each();

const SECRET = /hidden-[a-z]+/g;

/** Returns everything that the run wrote below its folder, except the code. */
function written(): string {
  const files = readdirSync(desk.folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile() && /[/\\]\.pulumi\b/.test(one.parentPath) && !one.parentPath.includes("node_modules"),
  );
  expect(files.length).toBeGreaterThan(0);
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
}

/** Applies the code, looks again, and returns all that is shown and written. No secret is in it. */
async function shown(env: Record<string, string> = {}): Promise<string> {
  desk.also.env = env;
  const told = [
    await desk.clean("up", "--yes", "--json", "up.json", "--markdown", "up.md"),
    await desk.clean("refresh", "--yes"),
    await desk.clean("output"),
    await desk.clean("history"),
  ];
  const all = [...told, desk.read("up.json"), desk.read("up.md"), written()].join("\n");
  expect([...new Set(all.match(SECRET))]).toEqual([]);
  return all;
}

test("in landform.yaml", async () => {
  desk.declare(`landform: 1
name: repeated
sites: { s: {}, other: { name: { env: SITE, secret: true } } }
pages:
  a:
    name: { env: NAME, secret: true }
    template: { lookup: { name: Product launch } }
    variables: { brand: { env: BRAND, secret: true } }
    publish: { site: s, slug: { env: SLUG, secret: true } }
  open: { name: Open name }
funnels: { f: { steps: [{ url: { env: STEP, secret: true }, pageType: sales }] } }
outputs: { named: pages.a.pageName, at: pages.a.slug }
`);
  const env = { SITE: "hidden-site", NAME: "hidden-name", SLUG: "hidden-slug", BRAND: "hidden-brand" };
  expect(await shown({ ...env, STEP: "https://x.example/hidden-step" })).toContain("Open name");
});

const SITED = `landform: 1
name: sited
sites: { s: { name: { env: SITE, secret: true } }, plain: { name: plain.example } }
pages:
  a: { name: Open name, template: { lookup: { name: Product launch } }, variables: { brand: Mugs }, publish: { site: s, slug: a } }
  b: { name: Plain name, template: { lookup: { name: Product launch } }, variables: { brand: Mugs }, publish: { site: plain, slug: b } }
  c: { name: Released, template: { lookup: { name: Product launch } }, variables: { brand: Mugs }, publish: { site: plain, slug: { env: SLUG, secret: true } } }
releases: { r: { pages: [c] } }
funnels: { f: { steps: [{ page: a, pageType: sales }, { page: c, pageType: thankyou }] } }
outputs: { site: pages.a.siteName, plain: pages.b.siteName }
`;

thorough("in what shows another resource: the site of a page, the pages of a release", async () => {
  desk.declare(SITED);
  expect(await shown({ SITE: "hidden-site", SLUG: "hidden-slug" })).toMatch(/"siteName": ?"plain.example"/);
});

thorough("in a program, of what shows another resource", async () => {
  desk.program(`import * as pulumi from "@pulumi/pulumi";
const site = new landform.Site("s", { name: pulumi.interpolate\`\${pulumi.secret("hidden-site")}.example\` });
const plain = new landform.Site("plain", { name: "plain.example" });
const common = { templateId: "tpl-hero", variables: { brand: "Mugs" } };
const a = new landform.Page("a", { ...common, publish: site.id.apply((siteId) => ({ siteId, slug: "a" })) });
new landform.Page("b", { ...common, publish: { siteId: plain.id, slug: "b" } });
new landform.Page("d", { ...common, siteId: site.id });
new landform.Release("r", {
  pages: () => ({ c: new landform.Page("c", { ...common, publish: { siteId: plain.id, slug: pulumi.secret("hidden-slug") } }) }),
});
export const at = a.siteName;`);
  expect(await shown()).toMatch(/"siteName": ?"plain.example"/);
});

test("in a program, whenever it is known to be secret", async () => {
  desk.program(`import * as pulumi from "@pulumi/pulumi";
const site = new landform.Site("s", {});
const variables = { brand: "Mugs" };
const later = pulumi.output(new Promise<string>((resolve) => setTimeout(resolve, 300, "hidden-later")));
const made = new landform.Page("made", { name: pulumi.secret("hidden-name") });
new landform.Page("copy", { name: pulumi.interpolate\`\${made.pageName} again\` });
new landform.Page("a", {
  name: later.apply((text) => pulumi.secret(text)),
  templateId: "tpl-hero",
  variables,
  publish: site.id.apply((siteId) => ({ siteId, slug: pulumi.secret("hidden-slug") })),
});
new landform.Page("open", { name: later.apply(() => "Open name"), templateId: "tpl-hero", variables, publish: { siteId: site.id, slug: "open-slug" } });
new landform.Funnel("f", { steps: [{ url: pulumi.secret("https://x.example/hidden-step"), pageType: "sales" }] });
export const at = made.pageName;`);
  expect(await shown()).toMatch(/"pageName": ?"Open name"/);
});

const funnel = (title: string, brand: string): string => `landform: 1
name: stepped
sites: { s: { name: stepped.example } }
pages:
  pg: { template: tpl-hero, content: { hero.title: ${title} }, variables: { brand: { env: ${brand}, secret: true } }, publish: { site: s, slug: x } }
funnels: { fu: { steps: [{ page: pg, pageType: presell }, { url: { env: CHECKOUT, secret: true }, pageType: sales }] } }
`;

thorough("a page in a funnel with a secret step is changed, looked at and put back as any other", async () => {
  desk.also.env = { CHECKOUT: "https://x.example/hidden-step", ONE: "hidden-one", TWO: "hidden-two" };
  await desk.declare(funnel("Old", "ONE")).up();
  const told = [await desk.declare(funnel("New", "TWO")).plan()];
  expect(told[0]).toContain(`Page pg  ${desk.page("pg")}`);
  told.push(await desk.applies());
  expect(await desk.visited("stepped-example/x")).toContain("hidden-two");
  told.push(await desk.says(0, "undo", "--preview", "--json"), await desk.undo());
  expect(await desk.visited("stepped-example/x")).toContain("hidden-one");
  expect(told.join().match(SECRET)).toBeNull();
  await desk.declare(funnel("Old", "ONE")).plansNothing();
});
