/** A copy of a page takes its draft along. The plan names the edits of others in it, and makes no public copy of them unless it is told to. */
import { expect, test } from "vitest";
import { thorough } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const declare = (...copies: string[]) => desk.declare(sited([hero("source"), ...copies.map((one) => `  ${one}\n`)]));
const PUBLIC = "copy: { duplicateOf: source, publish: { site: main, slug: copy } }";

test("a page and its public copy, both new", async () => {
  expect(await declare(PUBLIC).says(0, "preview")).not.toContain("could not be read");
  await desk.applies();
  expect(desk.rows("pages")).toMatchObject([{ status: "published" }, { status: "published" }]);
});

thorough("a copy of a page whose draft holds edits of others", async () => {
  await declare().up();
  await desk.edits("source", { "hero.note": "Half a thought" });
  desk.writes();

  expect(await declare(PUBLIC).says(4, "preview")).toMatch(
    /Page copy: .*would show visitors somebody's unpublished edits.*hero\.note "Half a thought"/s,
  );
  await desk.says(4, "up", "--yes");
  // Nobody knows if the draft holds edits, so that nothing is made public from it.
  const fault = { method: "GET", path: "/search/page-content-map", phase: "status", status: 503 } as const;
  desk.emulator.faults.add({ ...fault, times: Infinity });
  expect(await desk.says(3, "up", "--yes")).toMatch(
    /Page copy: the draft that it copies could not be read.*The next run asks again/s,
  );
  desk.emulator.faults.clear();
  expect(desk.writes()).toEqual([]);

  // A copy that stays a draft shows nobody anything.
  await declare("copy: { duplicateOf: source }").applies();

  declare(PUBLIC.replace("copy:", "second:"));
  expect(await desk.applies("--foreign-edits", "include")).toMatch(/warning: Page second: .*Half a thought/s);
});
