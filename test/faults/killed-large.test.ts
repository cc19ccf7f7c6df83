/**
 * kill -9 of large runs on Pulumi's engine, which save the state only at their end: at random moments of an up and of a destroy of 32 pages. The next
 * run converges: nothing twice, nothing lost, nothing left to do.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { realEngine, rounds } from "../suite/parts.ts";
import { contents } from "./oracle.ts";
import { Machine, type Ended, type Kept } from "./whole/machine.ts";

const PAGES = 32;
const KILLS = rounds({ quick: 0, all: 0, soak: 12 });
const LOOK_MS = 2;

const pages = Array.from({ length: PAGES }, (_, index) => [
  `page-${index}`,
  {
    project: { id: "PROJECT" },
    template: "tpl-hero",
    content: { "hero.title": `What page ${index} says` },
    variables: { brand: "Acme", product_count: "1" },
    publish: { site: "mugs.example", slug: `p-${index}` },
  },
]);
const MANIFEST = stringify({
  landform: 1,
  name: "large",
  sites: { "mugs.example": { project: { id: "PROJECT" } } },
  pages: Object.fromEntries(pages) as object,
});

describe.skipIf(realEngine === undefined || KILLS === 0)(
  "a large run that is killed",
  { timeout: 4 * 3_600_000 },
  () => {
    let machine: Machine;
    let nothing: Kept;
    let standing: Kept;
    const expected = new Map<string, unknown>();

    beforeAll(async () => {
      const path = realEngine;
      machine = await Machine.open({ kind: "pulumi", form: "landform.yaml", path }, { "landform.yaml": "" });
      const { emulator } = machine;
      const answer = await fetch(`${emulator.baseUrl}/projects`, {
        method: "POST",
        headers: { authorization: `Bearer ${emulator.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "Mugs", description: TEXT, context: TEXT }),
      });
      const { id } = (await answer.json()) as { id: string };
      machine.write("landform.yaml", MANIFEST.replaceAll("PROJECT", id));
      nothing = machine.keep("nothing");
      for (const command of ["up", "destroy"]) {
        if (command === "destroy") standing = machine.keep("standing");
        const { code, said } = await machine.run([command, "--yes"]);
        expect([said, code]).toEqual([expect.stringContaining("saves the state once"), 0]);
        expected.set(command, contents(emulator.records()));
      }
    }, 600_000);
    afterAll(() => machine.close());

    test.for(["up", "destroy"])("in %s", async (command) => {
      let hits = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        machine.restore(command === "up" ? nothing : standing);
        const writes = 1 + Math.floor(Math.random() * PAGES * (command === "up" ? 4 : 1));
        const { signal } = await killedAfter(writes, [command, "--yes"]);
        if (signal === "SIGKILL") hits++;
        await machine.free();
        const again = await machine.run([command, "--yes"]);
        const place = `killed after ${writes} writes`;
        expect([place, again.code, again.code === 0 ? "" : again.said]).toEqual([place, 0, ""]);
        expect([place, contents(machine.emulator.records())]).toEqual([place, expected.get(command)]);
        if (command === "destroy") continue;
        const { code, said } = await machine.run(["preview", "--refresh", "--detailed-exitcode"]);
        expect([place, code, code === 0 ? "" : said]).toEqual([place, 0, ""]);
      }
      expect(hits).toBeGreaterThan(KILLS / 2);
    });

    async function killedAfter(writes: number, args: readonly string[]): Promise<Ended> {
      const { requests } = machine.emulator;
      requests.length = 0;
      let look: NodeJS.Timeout | undefined;
      const ended = await machine.run(args, (kill) => {
        look = setInterval(() => {
          const made = requests.filter(({ method, route }) => method !== "GET" && !route.includes("validate")).length;
          if (made >= writes) kill();
        }, LOOK_MS);
      });
      clearInterval(look);
      return ended;
    }
  },
);

const TEXT = "What there is to say about mugs, to people who drink from them in the morning and at night. ".repeat(3);
