// @module-tag thorough
/**
 * A state that is older than its history, that moves, or that has another passphrase, and objects that two stacks have: no object is made twice, and
 * nothing is written before that is clear.
 */
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

const HOOKS = { leads: { eventType: "form_lead.created", targetUrl: "https://example.com/leads" } };

const desk = NearDesk.each();

function declare(products: Record<string, object>, hooks?: object): NearDesk {
  const whole = Object.fromEntries(Object.entries(products).map(([name, more]) => [name, { name, price: 2, ...more }]));
  return desk.declare(JSON.stringify({ landform: 1, name: "test", products: whole, hooks }));
}

function cups(): string[] {
  const products = desk.rows("products") as { id: string; name: string }[];
  return products.flatMap(({ id, name }) => (name === "cup" ? [id] : []));
}

onBothEngines((engine, path) => {
  beforeEach(() => void desk.on(engine, path));

  /** One side of a merge has this state, and the code of both: a cup was made since. */
  async function withOlderState({ hooks }: { hooks?: object } = {}) {
    await declare({ mug: {} }).up();
    cpSync(desk.path(".pulumi"), desk.path("older"), { recursive: true });
    await declare({ mug: {}, cup: {} }, hooks).up();
    cpSync(desk.path("older/stacks"), desk.path(".pulumi/stacks"), { recursive: true });
    desk.writes();
    return cups()[0] ?? "";
  }

  test.skipIf(leftToSoak(engine))("the plan names what would be made twice, and up refuses", async () => {
    const cup = await withOlderState({ hooks: HOOKS });
    const planned = await desk.plan();
    expect(planned).toMatch(new RegExp(`would make a second time: Product cup \\(${cup}, of run \\d{8}-\\S+\\)\\.`));
    expect(planned).toMatch(/Hook leads: run \d{8}-\S+ made it, and the state has lost it\. .* each lead twice/);
    expect(planned).toContain(`npx landform up --engine ${engine} --target 'Product/*' applies everything else`);
    const refused = await desk.says(3, "up", "--yes");
    expect(refused).toContain("--force makes a second one");
    expect(refused).toContain("pulumi state delete");
    expect(refused.split("would make a second time")).toHaveLength(2);
    expect(desk.writes()).toEqual([]);

    await declare({ mug: {}, cup: { adoptId: cup } }).applies();
    expect(cups()).toEqual([cup]);
  });

  test.skipIf(leftToSoak(engine))("whoever means a second one says so", async () => {
    await withOlderState();
    await desk.applies("--force");
    expect(cups()).toHaveLength(2);
  });
});

/** Makes a product, and returns the settings of the stack. */
async function withSettings(hooks?: object): Promise<string> {
  await declare({ mug: {} }, hooks).up();
  return desk.read("Pulumi.dev.yaml");
}

const forgetSettings = (): void => rmSync(desk.path("Pulumi.dev.yaml"), { force: true });

onBothEngines((engine, path) => {
  beforeEach(() => void desk.on(engine, path));

  test.skipIf(leftToSoak(engine))("a stack moves to another folder: the import makes it there", async () => {
    const settings = await withSettings();
    await desk.says(0, "state", "export", "--file", "state.json");
    forgetSettings();
    mkdirSync(desk.path("there"));
    desk.also.env["PULUMI_BACKEND_URL"] = `file://${desk.path("there")}`;

    expect(await desk.says(4, "output")).toMatch(/no stack "dev" .* npx landform state import/s);
    const planned = await desk.run(["preview"]);
    expect(planned.stdout + planned.stderr).toContain("has a state of test/dev with 1 resources, and");
    await desk.run(["stack", "rm", "dev", "--yes"]);
    forgetSettings();

    desk.write("other.json", desk.read("state.json").replaceAll("::test::", "::other::"));
    for (const [file, more] of [
      ["other.json", {}],
      ["state.json", { PULUMI_CONFIG_PASSPHRASE: "wrong" }],
    ] as const) {
      await desk.saysWith(more, 4, "state", "import", "--file", file);
      expect(await desk.says(0, "stack", "ls")).toContain("test has no stack");
      expect(existsSync(desk.path("Pulumi.dev.yaml"))).toBe(false);
    }
    expect(await desk.says(0, "state", "import", "--file", "state.json")).toContain("note: the stack is new in ");
    expect(desk.read("Pulumi.dev.yaml")).toBe(settings);
    expect(await desk.applies()).toContain("no changes");
    expect(desk.rows("products")).toHaveLength(1);

    expect(await desk.says(0, "history")).toContain("LANDFORM_HISTORY names the history");
    const elsewhere = { LANDFORM_HISTORY: desk.path(".pulumi/landform/history") };
    await desk.saysWith(elsewhere, 0, "undo", "--yes");
    expect(desk.rows("products")).toHaveLength(0);
  });
});

onBothEngines((engine, path) => {
  test("a wrong passphrase on a machine without the stack's settings is refused before anything is written", async () => {
    desk.on(engine, path);
    const settings = await withSettings(HOOKS);
    forgetSettings();
    for (const command of [["preview"], ["up", "--yes"]]) {
      const wrong = { PULUMI_CONFIG_PASSPHRASE: "wrong" };
      expect(await desk.saysWith(wrong, 4, ...command)).toContain("error: wrong passphrase: ");
      expect(existsSync(desk.path("Pulumi.dev.yaml"))).toBe(false);
    }
    await desk.plansNothing();
    expect(desk.read("Pulumi.dev.yaml")).toBe(settings);
    const missing = await desk.saysWith({ PULUMI_CONFIG_PASSPHRASE: undefined }, 4, "preview");
    expect(missing).toContain("Set PULUMI_CONFIG_PASSPHRASE, or");
    expect(missing).toMatch(/need a passphrase, and none is set\.[^]*troubleshooting.*missing-passphrase/);
  });
});

/** Returns what the command says, in one line. */
async function run(...args: string[]): Promise<string> {
  return (await desk.says(0, ...args)).replaceAll(/\s+/g, " ");
}

test("two stacks in one folder take one object with adoptId: the plan of the second says so, and the destruction of either", async () => {
  const { id } = await desk.app("POST", "/products", { name: "Mug", price: 3 });
  declare({ mug: { adoptId: id } });
  expect(await run("up", "--yes")).not.toContain("is managed by");
  expect(await run("preview", "-s", "prod")).toMatch(
    /Product mug: \S+ is managed by stack dev, as mug, as well\. Each run writes what its own code says/,
  );
  await run("up", "--yes", "-s", "prod");
  await run("preview", "--detailed-exitcode", "-s", "prod");
  expect(await run("destroy", "--yes")).toMatch(
    /is managed by stack prod, as mug, as well\. This deletion takes it from there, too/,
  );
  expect(await run("destroy", "--yes", "-s", "prod")).not.toContain("is managed by");
});

test("what each of two stacks made for itself is nothing to the other", async () => {
  declare({ mug: {} });
  await run("up", "--yes");
  expect(await run("up", "--yes", "-s", "prod")).not.toContain("is managed by");
  expect(await run("destroy", "--yes")).not.toContain("is managed by");
});

test("an export leaves what another stack of the folder manages to that stack, and names it", async () => {
  const declaresPage = (page: string) => desk.declare(`landform: 1\nname: shared\npages: { ${page}: {} }\n`);
  await declaresPage("theirs").up("-s", "theirs");
  await declaresPage("mine").up();
  await desk.app("POST", "/products", { name: "Mug", price: 3 });
  await desk.app("POST", "/pages", { name: "By hand" });
  const told = /Left out: page "theirs" \(page_\w+\), stack theirs manages it, as theirs/;
  expect(await desk.says(0, "export", "--out", ".")).toMatch(told);
  const code = desk.read("landform.yaml");
  expect(code).toContain("by-hand:");
  expect(code).not.toContain("  theirs:");
  expect(await desk.applies()).toContain("2 adopted");
});
