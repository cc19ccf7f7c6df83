/** A gateway that answers a creation with somebody's object: the run sees that it is the wrong one, and doesn't touch it. */
import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { byHand, LONG, openWorld, ResourceTest } from "./harness.ts";
import { forAllTests } from "../suite/opened.ts";

interface Row {
  readonly id: string;
  readonly name: string;
}

const world = forAllTests(() => openWorld({}, { LANDFORM_PATIENCE_MS: "1500" }));

const rowsOf = async (list: string): Promise<Row[]> => (await byHand(world, "GET", `${list}?limit=100`)) as Row[];

const cases: readonly (readonly [Kind, { path: string; list: string; inputs: PropertyMap; theirs: object }])[] = [
  ["product", { path: "/products", list: "/products", inputs: { price: 5 }, theirs: { price: 99 } }],
  ["funnel", { path: "/funnels", list: "/funnels", inputs: { steps: [] }, theirs: { pages: [] } }],
  [
    "project",
    {
      ...{ path: "/projects", list: "/projects", inputs: { description: LONG, context: LONG } },
      theirs: { description: LONG, context: LONG },
    },
  ],
  [
    "page",
    {
      ...{
        path: "/pages/from-template",
        list: "/pages",
        inputs: { templateId: "tpl-hero", variables: { brand: "A" } },
      },
      theirs: { template_id: "tpl-hero" },
    },
  ],
];

test.each(cases)("a %s is found by its marker, and the other one stays as it is", async (kind, about) => {
  const { path, list, inputs, theirs } = about;
  const name = `mixed up ${kind}`;
  await byHand(world, "POST", path, { name: `Theirs ${kind}`, ...theirs });
  const [other] = (await rowsOf(list)).filter((row) => row.name === `Theirs ${kind}`);
  world.emulator.faults.add({ method: "POST", path, phase: "altered", set: { ...other } });
  const resource = new ResourceTest(world, kind, name);
  await resource.up(inputs);
  const { id } = resource;
  expect(id).not.toBe(other?.id);
  expect(await resource.apply(inputs)).toBe("same");
  const rows = await rowsOf(list);
  expect(rows.filter((row) => row.name.includes("[lf-"))).toEqual([]);
  expect(rows.filter((row) => row.name === name).map((row) => row.id)).toEqual([id]);
  await resource.delete();
  expect((await rowsOf(list)).find((row) => row.id === other?.id)).toEqual(other);
});
