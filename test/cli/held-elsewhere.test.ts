// @module-tag thorough
/** Two stacks in one folder take one object with adoptId. The plan of the second says so, and so does the destruction of either. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Machine } from "../faults/whole/machine.ts";
import { inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";

let machine: Machine;
beforeEach(async () => {
  const { id } = await openMachine();
  machine.write("landform.yaml", manifest(`adoptId: ${id}, `));
});
afterEach(() => machine.close());

const manifest = (adopted: string): string =>
  `landform: 1\nname: shared\nsites: { main: { name: shared.example } }\nproducts: { mug: { ${adopted}name: Mug, price: 3 } }\n`;

async function openMachine(): Promise<{ id: string }> {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": manifest("") });
  return inTheApp(machine, "POST", "/products", { name: "Mug", price: 3 });
}

async function run(...args: string[]): Promise<string> {
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  return said.replaceAll(/\s+/g, " ");
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
  machine.write("landform.yaml", manifest(""));
  await run("up", "--yes");
  expect(await run("up", "--yes", "-s", "prod")).not.toContain("is managed by");
  expect(await run("destroy", "--yes")).not.toContain("is managed by");
});

test("an export leaves what another stack of the folder manages to that stack, and names it", async () => {
  const own = await NearDesk.own();
  const done = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await own.run(args);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  };
  const declares = (page: string): void => {
    own.declare(`landform: 1\nname: shared\npages: { ${page}: {} }\n`);
  };
  declares("theirs");
  await done("up", "--yes", "-s", "theirs");
  declares("mine");
  await done("up", "--yes");
  await own.app("POST", "/pages", { name: "By hand" });
  const told = /Left out: page "theirs" \(page_\w+\), stack theirs manages it, as theirs/;
  expect(await done("export", "--out", ".")).toMatch(told);
  const code = own.read("landform.yaml");
  expect(code).toContain("by-hand:");
  expect(code).not.toContain("  theirs:");
  expect(await done("up", "--yes")).toContain("1 adopted");
  expect(await done("preview", "--detailed-exitcode")).toContain("no changes");
});
