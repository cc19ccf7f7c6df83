// @module-tag thorough
/** Pages that link to each other: a change of one plans nothing for the other, whatever is made from its address. */
import { beforeAll, expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { problemsOf } from "../reports/schema.ts";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { editInApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";

const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);

function program(headline: string, slug = "thanks"): string {
  return `
const project = new landform.Project("spring", { description: "${LONG}", context: "${LONG}" });
const site = new landform.Site("spring.example", { projectId: project.id });
const page = (name, slug, content) =>
  new landform.Page(name, { templateId: "tpl-hero", projectId: project.id, variables: { brand: "Acme" }, content, publish: { siteId: site.id, slug } });
const thanks = page("thanks", "${slug}", { "hero.title": "${headline}", "hero.cta.url": "http://spring.example/offer" });
const offer = page("offer", "offer", { "hero.title": "Offer", "hero.cta.url": thanks.url });
export const offerUrl = offer.url;
export const thanksUrl = thanks.url;
`;
}

onBothEngines((engine, path) => {
  const desk = NearDesk.all(engine, path);

  const report = async (...args: string[]): Promise<Report> => {
    const { stdout } = await desk.run([...args, "--json"]);
    const told = JSON.parse(stdout) as Report;
    expect(problemsOf(told)).toEqual([]);
    return told;
  };
  const editByHand = async (slug: string, updates: Record<string, string>): Promise<void> => {
    const listed = await desk.app<{ id: string; slug: string }[]>("GET", "/pages");
    const page_id = listed.find((page) => page.slug === slug)?.id;
    await editInApp(desk, page_id, updates);
  };
  const planned = ({ changes }: Report): string[] => changes.map(({ op, name }) => `${op} ${name}`);

  beforeAll(() => desk.program(program("Thanks")));

  test.skipIf(leftToSoak(engine))("one is changed", async () => {
    await desk.applies();

    desk.program(program("Thank you"));
    expect(planned(await report("preview", "--save", "plan.json"))).toEqual(["update thanks"]);
    desk.writes();
    const applied = await desk.run(["up", "--plan", "plan.json"]);
    expect([applied.stdout, applied.code]).toEqual([expect.stringContaining("1 updated, 3 unchanged"), 0]);
    expect(desk.writes()).toEqual(["PATCH /pages/content", "POST /pages/publish"]);
    await desk.plansNothing();

    desk.program(program("Thank you", "many-thanks"));
    const moved = await report("preview", "--save", "moved.json");
    expect(planned(moved)).toEqual(["update thanks", "update offer"]);
    expect(moved.counts).toMatchObject({ update: 2, same: 2 });
    expect(moved.changes[1]?.fields).toMatchObject([{ new: expect.stringMatching(/\/many-thanks$/) as string }]);
    await desk.says(0, "up", "--plan", "moved.json");
    await desk.plansNothing();

    desk.program(program("Thank you", "Thanks_A_Lot"));
    const respelt = await report("preview");
    expect(respelt.counts).toMatchObject({ update: 1, mayFollow: 1, same: 2 });
    expect(respelt.changes[1]).toMatchObject({ note: expect.stringContaining("may change with thanks") as string });
    desk.program(program("Thank you"));
    await desk.up();

    await editByHand("thanks", { "hero.title": "Merci" });
    const { drift } = await report("drift");
    expect(drift?.map(({ name, kind }) => `${kind} ${name}`)).toEqual(["changed thanks"]);
    expect((await report("up", "--yes", "--refresh")).counts).toMatchObject({ update: 1 });
    await desk.plansNothing();
  });
});
