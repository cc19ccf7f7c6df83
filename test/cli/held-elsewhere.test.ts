// @module-tag thorough
/** Two stacks in one folder take one object with adoptId. The plan of the second says so, and so does the destruction of either. */
import { beforeEach, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();
beforeEach(async () => {
  const { id } = await desk.app("POST", "/products", { name: "Mug", price: 3 });
  declares(`adoptId: ${id}, `);
});

const declares = (adopted: string) =>
  desk.declare(
    `landform: 1\nname: shared\nsites: { main: { name: shared.example } }\nproducts: { mug: { ${adopted}name: Mug, price: 3 } }\n`,
  );

/** Returns what the command says, in one line. */
async function run(...args: string[]): Promise<string> {
  return (await desk.says(0, ...args)).replaceAll(/\s+/g, " ");
}

test("by adoptId", async () => {
  expect(await run("up", "--yes")).not.toContain("is managed by");
  const plan = await run("preview", "-s", "prod");
  expect(plan).toMatch(
    /Product mug: \S+ is managed by stack dev, as mug, as well\. Each run writes what its own code says/,
  );
  await run("up", "--yes", "-s", "prod");
  await run("preview", "--detailed-exitcode", "-s", "prod");
  expect(await run("destroy", "--yes")).toMatch(
    /is managed by stack prod, as mug, as well\. This deletion takes it from there, too/,
  );
  expect(await run("destroy", "--yes", "-s", "prod")).not.toContain("is managed by");
});

test("what each stack made for itself is nothing to the other", async () => {
  declares("");
  await run("up", "--yes");
  expect(await run("up", "--yes", "-s", "prod")).not.toContain("is managed by");
  expect(await run("destroy", "--yes")).not.toContain("is managed by");
});

test("an export leaves what another stack of the folder manages to that stack, and names it", async () => {
  const declaresPage = (page: string) => desk.declare(`landform: 1\nname: shared\npages: { ${page}: {} }\n`);
  await declaresPage("theirs").up("-s", "theirs");
  await declaresPage("mine").up();
  await desk.app("POST", "/pages", { name: "By hand" });
  const told = /Left out: page "theirs" \(page_\w+\), stack theirs manages it, as theirs/;
  expect(await desk.says(0, "export", "--out", ".")).toMatch(told);
  const code = desk.read("landform.yaml");
  expect(code).toContain("by-hand:");
  expect(code).not.toContain("  theirs:");
  expect(await desk.applies()).toContain("2 adopted");
});
