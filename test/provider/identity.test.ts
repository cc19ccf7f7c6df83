/** Identities and markers tell the objects of a stack and a resource. Shown texts have no markers. */
import { describe, expect, test } from "vitest";
import {
  environmentIn,
  identityFor,
  markedName,
  markerIn,
  nameIn,
  resourceKeyIn,
  stackIn,
  stackOf,
  unmarkedName,
  withoutMarkerOf,
} from "../../provider/ledger/identity.ts";
import { BLUE, IDENTITY, OTHER, OWN, RED } from "./creation-desk.ts";

describe("an identity", () => {
  test("tells the stack and the resource, and holds the name for messages", () => {
    const of = (urn: string): string => resourceKeyIn(identityFor(urn));
    expect(IDENTITY).toMatch(/^lf-[0-9a-f]{8}-[0-9a-f]{10} mug$/);
    expect(stackIn(OWN)).toBe(stackOf("shop", "dev"));
    expect(stackIn(of("urn:pulumi:dev::shop::landform:Page::x"))).toBe(stackIn(OWN));
    expect(of("urn:pulumi:dev::shop::landform:Thing::cup")).not.toBe(OWN);
    for (const other of ["urn:pulumi:prod::shop::a::x", "urn:pulumi:dev::bar::a::x"])
      expect(stackIn(of(other))).not.toBe(stackIn(OWN));
    expect(nameIn(identityFor("urn:pulumi:dev::shop::a::some name::x"))).toBe("some name::x");
  });

  test("tells the preview environment that it is part of, and is the same without", () => {
    const inside = identityFor("urn:pulumi:dev::shop::landform:Thing::mug", "pr-1");
    expect([environmentIn(inside), environmentIn(IDENTITY), environmentIn("lf-1-2 a~b c")]).toEqual([
      "pr-1",
      undefined,
      undefined,
    ]);
    expect([resourceKeyIn(inside), nameIn(inside)]).toEqual([OWN, "mug"]);
  });

  test("makes a marker that tells what the object was made from", () => {
    expect(RED.full).toMatch(new RegExp(`^${OWN}-[0-9a-f]{4}$`));
    expect([RED.resourceKey, RED.stack]).toEqual([OWN, stackIn(OWN)]);
    expect(BLUE.full).not.toBe(RED.full);
    expect(markedName("Mug", RED)).toBe(`Mug [${RED.full}]`);
  });

  test.each<[string, string | undefined]>([
    [`Mug [${RED.full}]`, RED.full],
    [`Mug [${RED.full.toUpperCase()}]`, RED.full],
    [`Mug ${RED.full}`, RED.full],
    [`${RED.full} (spring.example)`, RED.full],
    ["Mug", undefined],
    [`Mug [${OWN}]`, undefined],
    ["Mug [lf-12345678]", undefined],
  ])("a marker in %j", (name, marker) => {
    expect(markerIn(name)).toBe(marker);
  });

  test.each<[string, string | undefined]>([
    [`Mug [${RED.full}]`, "Mug"],
    [` MUG  [${RED.full.toUpperCase()}] `, "MUG"],
    [`Mug ${RED.full}`, "Mug"],
    [`Mug-${RED.full}`, "Mug-"],
    [`[${RED.full}]`, ""],
    [`Mug [${RED.full}] (copy)`, undefined],
    [`Mug [${RED.full}] [${BLUE.full}]`, undefined],
    ["Mug", undefined],
    ["undefined", undefined],
    ["", undefined],
  ])("what stands before the marker that ends %j", (name, bare) => {
    expect(unmarkedName(name)).toBe(bare);
  });

  test("no marker in no name", () => {
    expect([markerIn(null), markerIn(undefined)]).toEqual([undefined, undefined]);
  });

  test.each([
    [`Mug [${RED.full}]`, "Mug"],
    [`Mug [${BLUE.full}], again Mug [${RED.full}]`, "Mug, again Mug"],
    [`mug-${RED.full}`, "mug"],
    [`mug_-_${RED.full.toUpperCase()}-2`, "mug-2"],
    [`Mug [${OTHER.full}]`, `Mug [${OTHER.full}]`],
    ["Mug", "Mug"],
  ])("the text %j without it", (text, clean) => {
    expect(withoutMarkerOf(IDENTITY, text)).toBe(clean);
  });
});
