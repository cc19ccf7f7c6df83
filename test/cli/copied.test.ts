/** A copy of a page takes its draft along. The plan names the edits of others in it, and makes no public copy of them unless it is told to. */
import { expect, test } from "vitest";
import { editInApp, inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const code = (more = ""): string => `landform: 1
name: copied
sites: { main: { name: copied.example } }
pages:
  source: { template: tpl-hero, variables: { brand: Acme }, publish: { site: main, slug: source } }
${more}`;

test("a page and its public copy, both new", async () => {
  const desk = await inTest(NearDesk.open());
  desk.write("landform.yaml", code("  copy: { duplicateOf: source, publish: { site: main, slug: copy } }\n"));
  expect(await outputOf(0, desk.run(["preview"]))).not.toContain("could not be read");
  await outputOf(0, desk.run(["up", "--yes"]));
  expect(desk.emulator.records().pages).toMatchObject([{ status: "published" }, { status: "published" }]);
  expect(await outputOf(0, desk.run(["up", "--yes"]))).toContain("no changes");
});

thorough("a copy of a page whose draft holds edits of others", async () => {
  const desk = await inTest(NearDesk.open());
  const run = async (code: number, ...args: string[]): Promise<string> => {
    return outputOf(code, desk.run(args));
  };
  desk.write("landform.yaml", code());
  await run(0, "up", "--yes");
  const [{ id } = { id: "" }] = await inTheApp<{ id: string }[]>(desk, "GET", "/pages");
  await editInApp(desk, id, { "hero.note": "Half a thought" });
  desk.writes();

  desk.write("landform.yaml", code("  copy: { duplicateOf: source, publish: { site: main, slug: copy } }\n"));
  expect(await run(4, "preview")).toMatch(
    /Page copy: .*would show visitors somebody's unpublished edits.*hero\.note "Half a thought"/s,
  );
  await run(4, "up", "--yes");
  expect(desk.writes()).toEqual([]);

  // Nobody knows if the draft holds edits, so that nothing is made public from it.
  const fault = { method: "GET", path: "/search/page-content-map", phase: "status", status: 503 } as const;
  desk.emulator.faults.add({ ...fault, times: Infinity });
  expect(await run(3, "up", "--yes")).toMatch(
    /Page copy: the draft that it copies could not be read.*The next run asks again/s,
  );
  desk.emulator.faults.clear();
  expect(desk.writes()).toEqual([]);

  // A copy that stays a draft shows nobody anything.
  desk.write("landform.yaml", code("  copy: { duplicateOf: source }\n"));
  await run(0, "up", "--yes");
  expect(await run(0, "up", "--yes")).toContain("no changes");

  desk.write("landform.yaml", code("  second: { duplicateOf: source, publish: { site: main, slug: copy } }\n"));
  expect(await run(0, "up", "--yes", "--foreign-edits", "include")).toMatch(/warning: Page second: .*Half a thought/s);
  expect(await run(0, "up", "--yes")).toContain("no changes");
});
