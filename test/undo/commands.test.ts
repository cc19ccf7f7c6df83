// @module-tag thorough
/**
 * Random runs of the whole command, with edits by hand before each, undone by `landform undo`: account and state are as they were, and the earlier
 * program plans nothing. On both engines.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ResourceState } from "../../engine/index.ts";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { Desk } from "../cli/harness.ts";
import { onBothEngines, rounds } from "../suite/parts.ts";
import { accountOf, declaredState } from "./account.ts";
import { Dice, editByHand, program } from "./random-program.ts";
import type { Declared } from "./world.ts";

const FIRST = 7000;
const SECTIONS: Readonly<Record<string, string>> = { page: "pages", product: "products", funnel: "funnels" };

/** Returns the same program as a landform.yaml; JSON is YAML. */
function manifestOf(declared: readonly Declared[]): string {
  const sections: Record<string, JsonMap> = { sites: { main: { name: "random.example" } } };
  for (const { kind, name, inputs } of declared) {
    const section = SECTIONS[kind];
    if (section !== undefined) (sections[section] ??= {})[name] = entryOf(inputs);
  }
  return JSON.stringify({ landform: 1, name: "undone", ...sections });
}

function entryOf({ templateId, publish, steps, ...inputs }: JsonMap): JsonMap {
  const { siteId: _, ...place } = (publish ?? {}) as JsonMap;
  return {
    ...inputs,
    ...(templateId !== undefined && { template: templateId }),
    ...(publish !== undefined && { publish: { site: "main", ...place } }),
    ...(steps !== undefined && { steps: (steps as { pageId: { ref: string }; pageType: string }[]).map(stepOf) }),
  };
}

function stepOf({ pageId, pageType }: { pageId: { ref: string }; pageType: string }): Json {
  return { page: pageId.ref.replace("page/", ""), pageType };
}

/** Leaves out encrypted values, which differ each time. */
function statesIn(desk: Desk): ResourceState[] {
  const folder = join(desk.folder, ".pulumi/stacks");
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith("dev.json"));
  const { checkpoint } = JSON.parse(readFileSync(join(folder, file ?? ""), "utf8"), (key, value: unknown) =>
    key === "ciphertext" ? "" : value,
  ) as { checkpoint: { latest: { resources: ResourceState[] } } };
  return checkpoint.latest.resources.filter(({ type }) => type.includes("landform:"));
}

onBothEngines((engine, path) => {
  const count = rounds({ quick: 0, all: engine === "embedded" ? 1 : 0, soak: 20 });
  test.skipIf(count === 0)(`${count} random runs are undone`, { timeout: (count + 1) * 300_000 }, async () => {
    const env = { PATH: path("/usr/bin:/bin") };
    const found: string[] = [];
    for (let seed = FIRST; seed < FIRST + count; seed++) {
      const desk = await Desk.open();
      try {
        const dice = new Dice(seed);
        const run = async (...args: string[]): Promise<string> => {
          const ended = await desk.run([...args, "--engine", engine], { env });
          expect(ended.code, `${args.join(" ")}: ${ended.stdout}${ended.stderr}`).toBe(0);
          return ended.stdout;
        };
        const looked = async () => ({ account: await accountOf(desk), state: declaredState(statesIn(desk)) });
        const [first, second] = [manifestOf(program(dice)), manifestOf(program(dice))];
        desk.write("landform.yaml", first);
        await run("up", "--yes");
        await editByHand(dice, { emulator: desk.emulator, states: statesIn(desk) });
        const before = await looked();
        desk.write("landform.yaml", second);
        if ((await run("up", "--yes", "--force")).includes("no changes")) continue;
        await run("undo", "--yes", "--force");
        expect(await looked()).toEqual(before);
        desk.write("landform.yaml", first);
        await run("preview", "--detailed-exitcode");
      } catch (error) {
        found.push(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        await desk.close();
      }
    }
    expect(found).toEqual([]);
  });
});
