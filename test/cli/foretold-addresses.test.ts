// @module-tag thorough
/** Addresses that a plan can tell: what depends on one is planned with it, and the run does as the plan says. */
import { beforeAll, expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { BRIEF } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";
import type { JsonReport } from "../../stack/report/json.ts";
import { problemsOf } from "../reports/schema.ts";

/** `anew`: a page that was not there before, and whose address the others take. `ignores`: the code leaves the place of the first page to the app. */
type Shape = Readonly<{ slug: string; release: boolean; title?: string; anew?: string; ignores?: true }>;

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

/** The event, the code before it and the change in it, and the planned changes besides the three that depend on the address. */
const ROWS: readonly (readonly [what: string, from: Shape, change: Partial<Shape>, planned: readonly string[]])[] = [
  ["a slug changes", START, { slug: "deal" }, ["update offer"]],
  ["a page is new on a known site", START, { anew: "fresh" }, ["create anew"]],
  ["a slug changes in a release", RELEASED, { slug: "deal" }, ["update launch", "update offer"]],
  ["a page is new in a release", RELEASED, { anew: "fresh" }, ["create anew", "update launch"]],
  ["a text changes in a release", RELEASED, { title: "Cups" }, ["update launch", "update offer"]],
  ["a slug changes that the run ignores", START, { slug: "deal", title: "Cups", ignores: true }, ["update offer"]],
];
/** The rest is the same code as for a manifest. */
const IN_PROGRAMS = ROWS.filter(([what]) => what !== "a slug changes" && what !== "a page is new in a release");

onBothEngines((engine, path) => {
  const desk = NearDesk.each(engine, path);
  const writers = [
    { how: "landform.yaml", rows: ROWS, write: (shape: Shape) => desk.declare(manifest(shape)) },
    { how: "a program", rows: IN_PROGRAMS, write: (shape: Shape) => desk.program(program(shape)) },
  ];

  for (const { how, rows, write } of writers)
    test.skipIf(leftToSoak(engine)).each(rows)(`%s, in ${how}`, async (_, from, change, planned) => {
      const to = { ...from, ...change };
      const moves = to.anew !== undefined || (to.slug !== from.slug && to.ignores !== true);
      const ends = moves ? `/${to.anew ?? to.slug}` : "/offer";
      await write(from).applies();
      const { changes } = await write(to).json("preview", "--save", "plan.json");
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

/** Pages that link to each other: a change of one plans nothing for the other, whatever is made from its address. */
const linking = (headline: string, slug = "thanks"): string => `
const site = new landform.Site("spring.example");
const page = (name, slug, content) =>
  new landform.Page(name, { templateId: "tpl-hero", variables: { brand: "Acme" }, content, publish: { siteId: site.id, slug } });
const thanks = page("thanks", "${slug}", { "hero.title": "${headline}", "hero.cta.url": "http://spring.example/offer" });
const offer = page("offer", "offer", { "hero.title": "Offer", "hero.cta.url": thanks.url });
export const offerUrl = offer.url;
export const thanksUrl = thanks.url;
`;

onBothEngines((engine, path) => {
  const desk = NearDesk.all(engine, path);
  const report = async (...args: string[]): Promise<JsonReport> => {
    const told = await desk.json(...args);
    expect(problemsOf(told)).toEqual([]);
    return told;
  };
  const planned = ({ changes }: JsonReport): string[] => changes.map(({ op, name }) => `${op} ${name}`);

  beforeAll(() => desk.program(linking("Thanks")));

  test.skipIf(leftToSoak(engine))("one of two pages that link to each other is changed", async () => {
    await desk.applies();

    desk.program(linking("Thank you"));
    expect(planned(await report("preview", "--save", "plan.json"))).toEqual(["update thanks"]);
    desk.writes();
    expect(await desk.says(0, "up", "--plan", "plan.json")).toContain("1 updated, 2 unchanged");
    expect(desk.writes()).toEqual(["PATCH /pages/content", "POST /pages/publish"]);
    await desk.plansNothing();

    desk.program(linking("Thank you", "many-thanks"));
    const moved = await report("preview", "--save", "moved.json");
    expect(planned(moved)).toEqual(["update thanks", "update offer"]);
    expect(moved.counts).toMatchObject({ update: 2, same: 1 });
    expect(moved.changes[1]?.fields).toMatchObject([{ new: expect.stringMatching(/\/many-thanks$/) as string }]);
    await desk.says(0, "up", "--plan", "moved.json");
    await desk.plansNothing();

    desk.program(linking("Thank you", "Thanks_A_Lot"));
    const respelt = await report("preview");
    expect(respelt.counts).toMatchObject({ update: 1, mayFollow: 1, same: 1 });
    expect(respelt.changes[1]).toMatchObject({ note: expect.stringContaining("may change with thanks") as string });
    await desk.program(linking("Thank you")).up();

    await desk.edits("thanks", { "hero.title": "Merci" });
    const { drift } = await report("drift");
    expect(drift?.map(({ name, kind }) => `${kind} ${name}`)).toEqual(["changed thanks"]);
    expect((await report("up", "--yes", "--refresh")).counts).toMatchObject({ update: 1 });
    await desk.plansNothing();
  });
});
