// @module-tag thorough
/** A page that is written without its release: the run says that it is not public, and how to publish it. */
import { expect, test } from "vitest";
import { WalkDesk } from "../walk/desk.ts";
import { inTest } from "../suite/opened.ts";
import { textsOf } from "../reports/texts.ts";

const page = (slug: string, title: string): object => ({
  ...{ template: "tpl-hero", variables: { brand: "Acme" }, content: { "hero.title": title } },
  publish: { site: "main", slug },
});
const manifest = (title: string): object => ({
  ...{ landform: 1, name: "awaiting", sites: { main: { name: "awaiting.example" } } },
  pages: { g1: page("g1", title), g2: page("g2", "Second"), alone: page("alone", title) },
  releases: { launch: { pages: ["g1", "g2"] } },
});

test("with targets, each page that waits for a release that is none of them is named, and no other", async () => {
  const desk = await inTest(WalkDesk.open());
  const up = async (title: string, ...targets: string[]): Promise<readonly string[]> => {
    desk.declare(manifest(title));
    const args = targets.flatMap((target) => ["--target", target]);
    const { code, printed, report } = await desk.run("up", "--yes", ...args);
    expect(code, printed).toBe(0);
    const warnings = textsOf(report, "warn");
    for (const warning of warnings) expect(printed).toContain(warning);
    return warnings;
  };
  expect(await up("First")).toEqual([]);
  expect(await up("Second", "Page/g1", "Page/alone")).toEqual([
    expect.stringMatching(
      /^Page g1 is written, and not public: Release launch publishes it, and is not among the targets\./,
    ),
  ]);
  expect(await up("Second", "Release/launch")).toEqual([]);
  expect(await up("Third", "Page/g1", "Release/launch")).toEqual([]);
});
