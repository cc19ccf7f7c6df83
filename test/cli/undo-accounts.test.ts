/** An undo makes an object anew in the account that it was in, or not at all. */
import { expect, test } from "vitest";
import { planUndo } from "../../stack/undo/plan.ts";
import type { ResourceState } from "../../engine/index.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

const desk = forEachTest(() => NearDesk.open());
const other = forEachTest(() => NearDesk.open());

/** Counts products and pages. */
const counts = ({ emulator }: NearDesk): (number | undefined)[] => {
  const { products, pages } = emulator.records();
  return [products?.length, pages?.length];
};

onBothEngines((engine, path) => {
  thorough(
    "the account that the run took out comes back with it",
    async () => {
      const { LANDFORM_BASE_URL: baseUrl, LANDFORM_API_KEY: KEY_B } = other.env;
      const env = { PATH: path("/usr/bin:/bin"), KEY_B };
      const run = (...args: string[]) => desk.run([...args, "--engine", engine], { env });
      const own = `new landform.Product("own", { price: 1 });`;
      const both = `${own}
      const b = new landform.Account("b", { baseUrl: "${baseUrl ?? ""}", apiKeyEnv: "KEY_B" });
      new landform.Product("mug", { price: 2 }, { provider: b });
      new landform.Page("offer", {}, { provider: b });`;
      desk.program(both);
      expect((await run("up", "--yes")).code).toBe(0);
      desk.program(own);
      expect((await run("up", "--yes")).code).toBe(0);
      expect([counts(desk), counts(other)]).toEqual([
        [1, 0],
        [0, 0],
      ]);
      const undo = await run("undo", "--yes");
      expect(undo.stdout + undo.stderr).not.toContain("can't come back");
      expect(undo.code).toBe(0);
      expect([counts(desk), counts(other)]).toEqual([
        [1, 0],
        [1, 1],
      ]);
      desk.program(both);
      expect((await run("preview", "--detailed-exitcode")).code).toBe(0);
    },
    300_000,
  );
});

test("where a later run took the account out, the object stays away", () => {
  const product = "pulumi-nodejs:dynamic/landform:Product";
  const account = "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::b";
  const mug: ResourceState = {
    urn: `urn:pulumi:dev::test::${product}::mug`,
    type: product,
    custom: true,
    id: "prod_1",
    inputs: { name: "mug", price: 2 },
    outputs: {},
    provider: `${account}::04da6b54`,
  };
  const values = { before: [mug], after: [], kept: [] };
  const undoing = { values, urns: [mug.urn], later: [], now: [], isRemade: () => false };
  const { steps, lost } = planUndo(undoing);
  expect(steps.map(({ name }) => name)).toEqual([]);
  expect(lost).toEqual([
    {
      type: "Product",
      name: "mug",
      text: 'the stack no longer has the account "b" that it was in: undo first what took it out',
    },
  ]);
});
