// @module-tag thorough
/** Addresses that a plan can tell: what depends on one is planned with it, and the run does as the plan says. */
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { BRIEF } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

interface Shape {
  readonly slug: string;
  readonly release: boolean;
  readonly title?: string;
  /** A page that was not there before. What depends on an address takes its. */
  readonly anew?: string;
  /** The code leaves the place of the first page to the app. */
  readonly ignores?: true;
}

function manifest({ slug, release, title = "Mugs", anew, ignores }: Shape): string {
  const options = ignores ? "options: { ignoreChanges: [publish] }, " : "";
  const page = (name: string, at: string) =>
    `  ${name}: { ${options}project: mugs, template: tpl-hero, variables: { brand: Acme }, content: { hero.title: ${title} }, publish: { site: main, slug: ${at} } }\n`;
  const used = anew === undefined ? "offer" : "anew";
  return `landform: 1
name: foretold
projects: { mugs: { description: "${BRIEF}", context: "${BRIEF}" } }
sites: { main: { name: foretold.example, project: mugs } }
pages:
${page("offer", slug)}${anew === undefined ? "" : page("anew", anew)}\
  other: { project: mugs, template: tpl-hero, variables: { brand: Acme }, content: { hero.cta.url: { ref: pages.${used}.url } }, publish: { site: main, slug: other } }
${release ? `releases: { launch: { pages: [offer${anew === undefined ? "" : ", anew"}] } }` : ""}
products: { mug: { project: mugs, price: 12.5, ctaText: Buy, ctaUrl: { ref: pages.${used}.url } } }
funnels: { way: { project: mugs, steps: [{ url: { ref: pages.${used}.url }, pageType: sales }] } }
`;
}

function program({ slug, release, title = "Mugs", anew, ignores }: Shape): string {
  const used = anew === undefined ? "offer" : "anew";
  const pages = `{ offer: page("offer", "${slug}")${anew === undefined ? "" : `, anew: page("anew", "${anew}")`} }`;
  return `
const project = new landform.Project("mugs", { description: "${BRIEF}", context: "${BRIEF}" });
const site = new landform.Site("foretold.example", { projectId: project.id });
const about = { projectId: project.id, templateId: "tpl-hero", variables: { brand: "Acme" } };
const page = (name, slug) =>
  new landform.Page(name, { ...about, content: { "hero.title": "${title}" }, publish: { siteId: site.id, slug } }${ignores ? `, { ignoreChanges: ["publish"] }` : ""});
${
  release
    ? `let pages;\nnew landform.Release("launch", { pages: () => (pages = ${pages}) });`
    : `const pages = ${pages};`
}
const { url } = pages.${used};
new landform.Page("other", { ...about, content: { "hero.cta.url": url }, publish: { siteId: site.id, slug: "other" } });
new landform.Product("mug", { projectId: project.id, price: 12.5, ctaText: "Buy", ctaUrl: url });
new landform.Funnel("way", { projectId: project.id, steps: [{ url, pageType: "sales" }] });
`;
}

const START: Shape = { slug: "offer", release: false };
const RELEASED: Shape = { slug: "offer", release: true };

/** `planned`: the changes besides the three that depend on the address. */
const ROWS: readonly { what: string; from: Shape; to: Shape; planned: readonly string[] }[] = [
  { what: "a slug changes", from: START, to: { ...START, slug: "deal" }, planned: ["update offer"] },
  { what: "a page is new on a known site", from: START, to: { ...START, anew: "fresh" }, planned: ["create anew"] },
  {
    what: "a slug changes in a release",
    from: RELEASED,
    to: { ...RELEASED, slug: "deal" },
    planned: ["update launch", "update offer"],
  },
  {
    what: "a page is new in a release",
    from: RELEASED,
    to: { ...RELEASED, anew: "fresh" },
    planned: ["create anew", "update launch"],
  },
  {
    what: "a text changes in a release",
    from: RELEASED,
    to: { ...RELEASED, title: "Cups" },
    planned: ["update launch", "update offer"],
  },
  {
    what: "a slug changes that the run ignores",
    from: START,
    to: { slug: "deal", release: false, title: "Cups", ignores: true },
    planned: ["update offer"],
  },
];
/** The rest is the same code as for a manifest. */
const IN_PROGRAMS = ROWS.filter(({ what }) => what !== "a slug changes" && what !== "a page is new in a release");

onBothEngines((engine, path) => {
  const desk = NearDesk.each(engine, path);
  const writers = [
    { how: "landform.yaml", rows: ROWS, write: (shape: Shape) => desk.declare(manifest(shape)) },
    { how: "a program", rows: IN_PROGRAMS, write: (shape: Shape) => desk.program(program(shape)) },
  ];

  for (const { how, rows, write } of writers)
    test.skipIf(leftToSoak(engine)).each(rows)(`$what, in ${how}`, async ({ from, to, planned }) => {
      const moves = to.anew !== undefined || (to.slug !== from.slug && to.ignores !== true);
      const ends = moves ? `/${to.anew ?? to.slug}` : "/offer";
      write(from);
      await desk.applies();
      write(to);
      const { changes } = await desk.json("preview", "--save", "plan.json");
      const follow = !moves ? [] : ["update mug", "update other", "update way"];
      expect(changes.map(({ op, name }) => `${op} ${name}`).sort()).toEqual([...planned, ...follow].sort());
      const told = changes.flatMap(({ name, fields }) =>
        ["mug", "other", "way"].includes(name) ? fields.map((field) => JSON.stringify(field.new)) : [],
      );
      for (const one of told) expect(one).toMatch(new RegExp(`//foretold-example\\.localhost:\\d+${ends}"`));
      await desk.says(0, "up", "--plan", "plan.json");
      await desk.plansNothing();
      expect(JSON.stringify(desk.rows("products"))).toContain(ends);
    });
});
