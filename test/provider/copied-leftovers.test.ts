/**
 * A person's copy of a killed run's unfinished object has our marker in its name, and belongs to that person. The run never takes, changes or removes
 * it.
 */
import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { byHand, newMachine, nextRun, PROJECT, ResourceTest, runWith, worldOfAll } from "./harness.ts";

type Row = Readonly<Record<"id" | "name", string>>;

interface Case {
  readonly kind: Kind;
  readonly rename: string;
  readonly list: string;
  readonly inputs: PropertyMap;
  /** Copies as a person does in the app, or with a script. */
  readonly copy: (original: Row, name: string) => Promise<unknown>;
}

const world = worldOfAll({}, { LANDFORM_PATIENCE_MS: "1500" });

const post = (path: string, body: object): Promise<unknown> => byHand(world, "POST", path, body);
const cases: Case[] = [
  {
    ...{ kind: "page", rename: "/pages/metadata", list: "/pages" },
    inputs: { templateId: "tpl-hero", variables: { brand: "Acme" } },
    copy: ({ id }, name) => post("/pages/duplicate", { page_id: id, new_name: name }),
  },
  {
    ...{ kind: "product", rename: "/products", list: "/products" },
    inputs: { price: 5 },
    copy: (_, name) => post("/products", { name, price: 77 }),
  },
  {
    ...{ kind: "project", rename: "/projects/{projectId}", list: "/projects" },
    inputs: PROJECT,
    copy: (_, name) => post("/projects", { name, ...PROJECT }),
  },
  {
    ...{ kind: "funnel", rename: "/funnels", list: "/funnels" },
    inputs: { steps: [] },
    copy: (_, name) => post("/funnels", { name, pages: [{ url: "https://other.example/", pageType: "sales" }] }),
  },
];

const rowsOf = (list: string): Promise<Row[]> => byHand(world, "GET", `${list}?limit=100`);

/** Plays a run that was killed before the state knew, and the copies of a person under these names. */
async function copied(one: Case, as: string, names: (marked: string) => string[]) {
  const { kind, rename, list, inputs, copy } = one;
  const called = `${as} ${kind}`;
  const resource = new ResourceTest(world, kind, called);
  world.emulator.faults.add({ method: "PATCH", path: rename, phase: "status", status: 403, times: Infinity });
  await expect(resource.up(inputs)).rejects.toThrow(/403/);
  resource.state = undefined;
  world.emulator.faults.clear();
  const [original] = (await rowsOf(list)).filter(({ name }) => name.startsWith(called));
  if (original === undefined) throw new TypeError("nothing was left behind");
  expect(original.name).toMatch(/ \[lf-[^\]]+\]$/);
  for (const name of names(original.name)) await copy(original, name);
  const own = async (): Promise<Row[]> => (await rowsOf(list)).filter(({ name }) => name.includes(called));
  const copies = (await own()).filter(({ id }) => id !== original.id);
  const untouched = async (): Promise<void> => {
    expect(await rowsOf(list)).toEqual(expect.arrayContaining(copies));
  };
  const carriesOn = async (client: ResourceTest["client"]): Promise<void> => {
    expect(await resource.handTo(client).apply(inputs)).toBe("created");
    await untouched();
    const ids = (await own()).map(({ id }) => id);
    expect(ids.sort()).toEqual([resource.id, ...copies.map(({ id }) => id)].sort());
  };
  const looksAndGoes = async (client: ResourceTest["client"]): Promise<void> => {
    await resource.handTo(client).refresh();
    expect(await resource.apply(inputs)).toBe("same");
    await untouched();
    await resource.delete();
    await untouched();
  };
  return { original, copies, carriesOn, looksAndGoes };
}

test.each(cases)("of a $kind", async (one) => {
  const names = (marked: string): string[] => [`${marked} (copy)`, `Copy of ${marked}`];
  const { copies, carriesOn, looksAndGoes } = await copied(one, "copied", names);
  expect(copies).toHaveLength(2);
  const elsewhere = { PULUMI_HOME: newMachine() };
  await runWith(world, elsewhere, carriesOn);
  await runWith(world, elsewhere, looksAndGoes);
});

test.each(cases)("of a $kind under exactly its name, where the ledger of this machine knows its id", async (one) => {
  const { original, copies, carriesOn, looksAndGoes } = await copied(one, "twice", (marked) => [marked]);
  expect(copies).toEqual([expect.objectContaining({ name: original.name })]);
  expect(await nextRun(world, carriesOn)).toContain(copies[0]?.id);
  await nextRun(world, looksAndGoes);
});
