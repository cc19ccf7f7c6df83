/** An undo makes an object anew in the account that it was in, or not at all. */
import { expect } from "vitest";
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
