// @module-tag thorough
/** A plan says that an update may become a replacement once a value is known. */
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);
const desk = forEachTest(() => NearDesk.open());

function program(project: string, template: string): string {
  // Each project has a subject of its own. With equal inputs, another name would be a rename.
  const brief = `{ description: "About ${project}. ${LONG}", context: "${LONG}" }`;
  return `
const project = new landform.Project("${project}", ${brief});
new landform.Site("spring.example", { projectId: project.id });
const page = new landform.Page("page", { templateId: "${template}" });
new landform.Page("copy", { duplicateOf: page.id });
`;
}

interface Told {
  changes: { name: string; op: string; perhaps?: string; note?: string }[];
}

async function planned(): Promise<Told["changes"]> {
  const { stdout } = await desk.run(["preview", "--json"]);
  const { changes } = JSON.parse(stdout) as Told;
  return changes.filter(({ perhaps }) => perhaps !== undefined).sort((a, b) => a.name.localeCompare(b.name));
}

test("a page that may be replaced, a site that may be refused", async () => {
  desk.program(program("spring", "tpl-hero"));
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  expect(await planned()).toEqual([]);
  desk.program(program("summer", "tpl-sales"));
  expect(await planned()).toMatchObject([
    { name: "copy", op: "update", perhaps: "replace", note: expect.stringContaining("duplicateOf") as string },
    { name: "spring.example", op: "update", perhaps: "refuse", note: expect.stringContaining("projectId") as string },
  ]);
  expect(await outputOf(3, desk.run(["up", "--yes", "--max-deletes", "2"]))).toContain(
    "this plan leaves 1 behind and replaces 1 (perhaps 2): 3 of 4 resources",
  );
  desk.program(program("spring", "tpl-sales"));
  expect((await desk.run(["up", "--yes"])).stdout).toContain("2 replaced");
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
}, 240_000);
