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

async function shown(env: Record<string, string> = {}): Promise<string> {
  const told = [];
  for (const args of [
    ["up", "--yes", "--json", "up.json", "--markdown", "up.md"],
    ["refresh", "--yes"],
    ["output"],
    ["history"],
  ]) {
    const { code, stdout, stderr } = await desk.run(args, { env });
    expect([args[0], code, code === 0 ? "" : stdout + stderr]).toEqual([args[0], 0, ""]);
    told.push(stdout, stderr);
  }
  return [...told, desk.read("up.json"), desk.read("up.md"), written()].join("\n");
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
  const told = await shown({ ...env, STEP: "https://x.example/hidden-step" });
  expect([...new Set(told.match(SECRET))]).toEqual([]);
  expect(told).toContain("Open name");
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
  const told = await shown({ SITE: "hidden-site", SLUG: "hidden-slug" });
  expect([...new Set(told.match(SECRET))]).toEqual([]);
  expect(told).toMatch(/"siteName": ?"plain.example"/);
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
  const told = await shown();
  expect([...new Set(told.match(SECRET))]).toEqual([]);
  expect(told).toMatch(/"siteName": ?"plain.example"/);
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
  const told = await shown();
  expect([...new Set(told.match(SECRET))]).toEqual([]);
  expect(told).toMatch(/"pageName": ?"Open name"/);
});

const funnel = (title: string, brand: string): string => `landform: 1
name: stepped
sites: { s: { name: stepped.example } }
pages:
  pg: { template: tpl-hero, content: { hero.title: ${title} }, variables: { brand: { env: ${brand}, secret: true } }, publish: { site: s, slug: x } }
funnels: { fu: { steps: [{ page: pg, pageType: presell }, { url: { env: CHECKOUT, secret: true }, pageType: sales }] } }
`;

thorough("a page in a funnel with a secret step is changed, looked at and put back as any other", async () => {
  const env = { CHECKOUT: "https://x.example/hidden-step", ONE: "hidden-one", TWO: "hidden-two" };
  const run = async (...args: string[]): Promise<string> => {
    return desk.saysWith(env, 0, ...args);
  };
  desk.declare(funnel("Old", "ONE"));
  await run("up", "--yes");
  const [page] = desk.rows("pages");
  desk.declare(funnel("New", "TWO"));
  const told = [await run("preview")];
  expect(told[0]).toContain(`Page pg  ${String(page?.id)}`);
  told.push(await run("up", "--yes"), await run("preview", "--detailed-exitcode"));
  expect(await (await fetch(`${desk.emulator.url}/_sites/stepped-example/x`)).text()).toContain("hidden-two");
  told.push(await run("undo", "--preview", "--json"), await run("undo", "--yes"));
  expect(await (await fetch(`${desk.emulator.url}/_sites/stepped-example/x`)).text()).toContain("hidden-one");
  expect([...new Set(told.join().match(SECRET))]).toEqual([]);
  desk.declare(funnel("Old", "ONE"));
  await run("preview", "--detailed-exitcode");
});
