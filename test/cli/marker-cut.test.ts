// @module-tag thorough
/** The report names a service that cuts names once a kind and run, with the number of cut names. With --verbose it lists each. */
import { expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { worthLines } from "../../provider/messages/host-lines.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => NearDesk.open());

const mugs = (...names: string[]): string =>
  names.map((name) => `new landform.Product("${name}", { name: "A mug as long as ${name}" });`).join("\n");

async function warnings(...args: string[]): Promise<string[]> {
  const { code, stdout } = await desk.run(["up", "--yes", "--json", ...args]);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as JsonReport).warnings.filter((text) => text.includes("The service cut"));
}

test("three are told in one, with --verbose in three", async () => {
  const creations = { method: "POST", path: "/products", times: Infinity } as const;
  desk.emulator.faults.add({ ...creations, phase: "altered", set: { name: "A mug as long" } });
  desk.program(mugs("one", "two", "three"));
  const [told = "", ...more] = await warnings();
  expect(more).toEqual([]);
  expect(told).toMatch(
    /^The service cut the names of 3 objects of kind product, such as that of \w+ to "A mug as long", and with them the marker/,
  );
  expect(await warnings()).toEqual([]);
  desk.program(mugs("one", "two", "three", "four", "five"));
  expect(await warnings("--verbose")).toEqual([
    expect.stringMatching(/^The service cut the name of product \w+ to "A mug as long"/),
    expect.stringMatching(/^The service cut the name of product \w+ to "A mug as long"/),
  ]);
  expect(await warnings()).toEqual([]);
  desk.program(mugs("one", "two", "three", "four", "five", "six"));
  expect(await warnings()).toEqual([expect.stringMatching(/^The service cut the name of product /)]);
  expect(await warnings()).toEqual([]);
});

test("under plain Pulumi the first of a kind is told", () => {
  const isTold = worthLines({});
  const of = (kind: string, id: string): Notice => ({ code: "marker-cut", kind, id, name: "A mug", room: 0 });
  const told = [of("product", "1"), of("product", "2"), of("page", "3"), of("product", "4")].filter(isTold);
  expect(told.map(({ id }) => id)).toEqual(["1", "3"]);
});
