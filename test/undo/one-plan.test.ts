/** A pass plans its writes once, and what it keeps for an undo is told from that plan. */
import { expect, test, vi } from "vitest";
import type * as Writes from "../../provider/kinds/page/document/writes.ts";
import { UndoWorld, type Declared } from "./world.ts";
import { forAllTests } from "../suite/opened.ts";

const plans = vi.hoisted((): string[] => []);
vi.mock("../../provider/kinds/page/document/writes.ts", async (original) => {
  const real = await original<typeof Writes>();
  const planWrites: typeof real.planWrites = (pass) => {
    plans.push("pass");
    return real.planWrites(pass);
  };
  const writesFor: typeof real.writesFor = (object, change) => {
    plans.push(change === undefined ? "nothing" : "change");
    return real.writesFor(object, change);
  };
  return { ...real, planWrites, writesFor };
});

const world = forAllTests(() => UndoWorld.open());

const site: Declared = { kind: "site", name: "one-plan.example", inputs: {} };
const page = (title: string, text: string): Declared => ({
  kind: "page",
  name: "offer",
  inputs: {
    templateId: "tpl-hero",
    content: { "hero.title": title, "hero.text": text },
    variables: { brand: "Acme" },
    publish: { siteId: { ref: "site/one-plan.example" }, slug: "offer" },
    onForeignEdits: "include",
  },
});

/** "nothing" are the writes of no change: they tell the texts of the draft that no visitor got. */
test.each([
  [
    "whose texts stand in the builder tree",
    ["One title", "One text of some length"],
    ["Another title", "Another text"],
  ],
  ["whose texts are too short to tell", ["1", "2"], ["3", "4"]],
])("of a public page %s", async (_, [title = "", text = ""], [next = "", other = ""]) => {
  await world.up([]);
  await world.up([site, page(title, text)]);
  plans.length = 0;
  const { values } = await world.up([site, page(next, other)]).then((run) => ({ values: JSON.stringify(run) }));
  expect(values).toContain(`"then":{"content":{"hero.title":"${title}","hero.text":"${text}"}}`);
  expect(plans.filter((one) => one === "pass")).toHaveLength(1);
  expect(plans.filter((one) => one === "change")).toEqual([]);
  expect(plans.filter((one) => one === "nothing").length).toBeLessThanOrEqual(1);
});
