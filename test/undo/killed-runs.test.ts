/** The undo of a run that was killed: what it had come to, and what it was about to do, go back to what was before it. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import { strike, type Boundary } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";

const SITE = "sites: { main: { name: killed.example } }";
const manifest = (...parts: string[]): string => ["landform: 1", "name: killed", ...parts, ""].join("\n");

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": manifest(SITE) });
});
afterEach(() => machine.close());

async function run(...args: string[]): Promise<string> {
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  return said;
}

async function up(text: string): Promise<void> {
  machine.write("landform.yaml", text);
  await run("up", "--yes", "--force");
}

interface Place {
  readonly number?: number;
  readonly boundary?: Boundary;
  readonly call: (asked: Asked) => boolean;
}

async function killAt(args: readonly string[], { number = 0, boundary = "after commit", call }: Place): Promise<void> {
  const struck = await strike(machine, [...args, "--yes", "--force", "--parallel", "1"], { number, boundary }, call);
  await machine.free();
  expect(struck.call, struck.said).toBeDefined();
}

type Row = Readonly<Record<string, unknown>>;
const rows = (kind: string): Row[] => machine.emulator.records()[kind] ?? [];

/** Nothing is left that a further run would change. */
async function expectSettled(text: string): Promise<void> {
  machine.write("landform.yaml", text);
  await run("preview", "--detailed-exitcode");
  await run("drift", "--detailed-exitcode");
}

describe("of deletions", () => {
  const HAT = "hat: { price: 7 }";
  const ALL = manifest(`products: { cup: { price: 5 }, tee: { price: 6 }, ${HAT} }`);
  const names = (): string[] => rows("products").map(({ name }) => String(name)).sort();
  const deletion = ({ method, path }: Asked): boolean => method === "DELETE" && path.startsWith("/products/prod_");

  test.each([
    ["an up", ["up"], "before it is sent"],
    ["a destroy", ["destroy"], "before it is sent"],
  ] as const)("%s (%j), killed at the second one, %s", { timeout: 120_000 }, async (_, args, boundary) => {
    await up(ALL);
    machine.write("landform.yaml", manifest(`products: { ${HAT} }`));
    await killAt(args, { number: 1, boundary, call: deletion });
    await run("undo", "--preview");
    expect(await run("undo", "--yes", "--force")).toContain("created Product");
    expect(names()).toEqual(["cup", "hat", "tee"]);
    await expectSettled(ALL);
  });

  test("an undo of them, killed once it has made one anew, is carried on with", { timeout: 120_000 }, async () => {
    await up(ALL);
    const next = manifest("products: { hat: { price: 8 } }");
    await up(next);
    // What it is updating by then is asked about first, and what it has yet to make is in no state.
    const isUpdate = ({ method, path }: Asked): boolean => method === "PATCH" && path === "/products";
    await killAt(["undo"], { call: isUpdate });
    await run("undo", "--yes", "--force");
    expect(names()).toEqual(["cup", "hat", "tee"]);
    await expectSettled(ALL);
  });
});
