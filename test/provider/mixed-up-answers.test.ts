/** A gateway that answers a creation with somebody's object: the run sees that it is the wrong one, and doesn't touch it. */
import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { byHand, HERO, PROJECT, ResourceTest, worldOfAll } from "./harness.ts";

type Row = Readonly<Record<"id" | "name", string>>;

const world = worldOfAll({}, { LANDFORM_PATIENCE_MS: "1500" });

const cases: readonly (readonly [Kind, path: string, inputs: PropertyMap, theirs: object])[] = [
  ["product", "/products", { price: 5 }, { price: 99 }],
  ["funnel", "/funnels", { steps: [] }, { pages: [] }],
  ["project", "/projects", PROJECT, PROJECT],
  ["page", "/pages/from-template", HERO, { template_id: "tpl-hero" }],
];

test.each(cases)(
  "a %s is found by its marker, and the other one stays as it is",
  async (kind, path, inputs, theirs) => {
    const rowsOf = (): Promise<Row[]> => byHand(world, "GET", `${path.replace("/from-template", "")}?limit=100`);
    const name = `mixed up ${kind}`;
    await byHand(world, "POST", path, { name: `Theirs ${kind}`, ...theirs });
    const [other] = (await rowsOf()).filter((row) => row.name === `Theirs ${kind}`);
    world.emulator.faults.add({ method: "POST", path, phase: "altered", set: { ...other } });
    const resource = new ResourceTest(world, kind, name);
    await resource.up(inputs);
    const { id } = resource;
    expect(id).not.toBe(other?.id);
    expect(await resource.apply(inputs)).toBe("same");
    const rows = await rowsOf();
    expect(rows.filter((row) => row.name.includes("[lf-"))).toEqual([]);
    expect(rows.filter((row) => row.name === name).map((row) => row.id)).toEqual([id]);
    await resource.delete();
    expect((await rowsOf()).find((row) => row.id === other?.id)).toEqual(other);
  },
);
