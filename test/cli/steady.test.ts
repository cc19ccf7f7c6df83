// @module-tag thorough
/** Pages that link to each other: a change of one plans nothing for the other, whatever is made from its address. */
import { beforeAll, expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { problemsOf } from "../reports/schema.ts";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

const program = (headline: string, slug = "thanks"): string => `
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

  beforeAll(() => desk.program(program("Thanks")));

  test.skipIf(leftToSoak(engine))("one is changed", async () => {
    await desk.applies();

    desk.program(program("Thank you"));
    expect(planned(await report("preview", "--save", "plan.json"))).toEqual(["update thanks"]);
    desk.writes();
    expect(await desk.says(0, "up", "--plan", "plan.json")).toContain("1 updated, 2 unchanged");
    expect(desk.writes()).toEqual(["PATCH /pages/content", "POST /pages/publish"]);
    await desk.plansNothing();

    desk.program(program("Thank you", "many-thanks"));
    const moved = await report("preview", "--save", "moved.json");
    expect(planned(moved)).toEqual(["update thanks", "update offer"]);
    expect(moved.counts).toMatchObject({ update: 2, same: 1 });
    expect(moved.changes[1]?.fields).toMatchObject([{ new: expect.stringMatching(/\/many-thanks$/) as string }]);
    await desk.says(0, "up", "--plan", "moved.json");
    await desk.plansNothing();

    desk.program(program("Thank you", "Thanks_A_Lot"));
    const respelt = await report("preview");
    expect(respelt.counts).toMatchObject({ update: 1, mayFollow: 1, same: 1 });
    expect(respelt.changes[1]).toMatchObject({ note: expect.stringContaining("may change with thanks") as string });
    await desk.program(program("Thank you")).up();

    await desk.edits("thanks", { "hero.title": "Merci" });
    const { drift } = await report("drift");
    expect(drift?.map(({ name, kind }) => `${kind} ${name}`)).toEqual(["changed thanks"]);
    expect((await report("up", "--yes", "--refresh")).counts).toMatchObject({ update: 1 });
    await desk.plansNothing();
  });
});
