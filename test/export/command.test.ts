// @module-tag thorough
/** A whole round with the command line: an account is adopted, copied into another one, destroyed there and made again. */
import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { JsonReport as Report } from "../../stack/report/json.ts";
import { startEmulator, type Emulator } from "../../emulator/index.ts";
import { buildModel } from "../../manifest/export/build.ts";
import { readAccount } from "../../manifest/export/read.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { type Ended } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { populate, shapesOf, type Shape } from "./accounts.ts";
import { meaningOf } from "./meaning.ts";

const [shape] = fc.sample(shapesOf(2), { seed: 27, numRuns: 1 }) as [Shape];

let desk: NearDesk;
let copy: Emulator;
let templates: string[];

afterEach(async () => {
  await desk.close();
  await copy.close();
});

async function open(of: Shape): Promise<void> {
  desk = await NearDesk.open(undefined, { notShown: of.notShown });
  copy = await startEmulator({ notShown: of.notShown });
  const api = new LandformApi({ baseUrl: desk.emulator.baseUrl, apiKey: desk.emulator.apiKey });
  const templateOf = await populate({ api }, of);
  await api.products.create({ name: "Set", type: "bundle", bundle_items_json: [{ id: "a" }, { id: "b" }] });
  await api.products.create({ name: "Plan", subscription_json: { enabled: true, discountPercent: 5, benefits: [] } });
  await api.close();
  desk.writes();
  await run("export");
  const pages = [...desk.read("landform.yaml").matchAll(/^ {2}([\w-]+):\n {4}adoptId: (page_\w+)$/gm)];
  templates = pages.flatMap(([, key = "", id = ""]) => {
    const template = templateOf.get(id);
    return template === undefined ? [] : ["--template", `${key}=${template}`];
  });
}

async function run(...args: string[]): Promise<string> {
  return done(args, await desk.run(args));
}

/** Runs the command in the folder of the copy, with the other account. */
async function runCopy(...args: string[]): Promise<string> {
  const env = { LANDFORM_BASE_URL: copy.baseUrl, LANDFORM_API_KEY: copy.apiKey };
  return done(args, await desk.run([...args, "-C", "copy"], { env }));
}

function done(args: readonly string[], { code, stdout, stderr }: Ended): string {
  expect(code, `${args.join(" ")}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

async function meaningIn({ baseUrl, apiKey }: Emulator): Promise<string[]> {
  const api = new LandformApi({ baseUrl, apiKey });
  try {
    return meaningOf(buildModel(await readAccount(api)));
  } finally {
    await api.close();
  }
}

async function expectEqual(): Promise<void> {
  expect(await meaningIn(copy)).toEqual(await meaningIn(desk.emulator));
  await runCopy("preview", "--detailed-exitcode");
}

test("a generated account is taken over without a write, and its copy means the same", async () => {
  await open(shape);
  const resources = [...desk.read("landform.yaml").matchAll(/^ {4}adoptId: /gm)].length;
  expect(resources).toBeGreaterThan(10);
  const { counts } = JSON.parse(await run("preview", "--json")) as Report;
  expect(counts).toMatchObject({ adopt: resources, create: 0, update: 0, replace: 0, delete: 0 });
  await run("up", "--yes");
  await run("preview", "--detailed-exitcode");
  await run("export", "--as-new", "--out", "copy", ...templates);
  await runCopy("up", "--yes");
  await expectEqual();
  expect(desk.writes()).toEqual([]);
}, 600_000);
