// @module-tag thorough
/** A manifest and a program of the same resources: one plan and one state on both engines, and each goes on for the other. */
import { rmSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { realEngine as pulumi } from "../suite/parts.ts";
import { neutral } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { repository } from "./files.ts";
import { CONFIG, CONTEXT, MANIFEST, PROGRAM } from "./same.ts";
import { forEachTest } from "../suite/opened.ts";

const forms = ["manifest", "program"] as const;
const engines = ["embedded", "pulumi"] as const;
type Form = (typeof forms)[number];
type Engine = (typeof engines)[number];

const desk = forEachTest(() => NearDesk.open(undefined, { seed: "empty" }));

beforeEach(() => {
  symlinkSync(join(repository, "node_modules"), desk.path("node_modules"), "junction");
  desk.write("package.json", JSON.stringify({ type: "module", main: "index.js" }));
  desk.write("landform.yaml", MANIFEST);
  desk.write("index.js", PROGRAM);
  desk.write("brand.md", CONTEXT);
});

/** Makes the folder one of both. With a Pulumi.yaml it is a program; without one, its landform.yaml runs. */
function become(form: Form): void {
  const project = "name: same\nruntime: { name: nodejs, options: { typescript: false } }\n";
  if (form === "program") desk.write("Pulumi.yaml", project);
  else rmSync(desk.path("Pulumi.yaml"), { force: true });
}

async function run(form: Form, engine: Engine, ...args: string[]): Promise<string> {
  become(form);
  const PATH = [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter);
  const { code, stdout, stderr } = await desk.run([...args, "--engine", engine], { env: { PATH } });
  expect(code, `${args.join(" ")} of the ${form} on ${engine}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

/** Returns the plan without the parts that differ from run to run. */
async function plan(form: Form, engine: Engine): Promise<unknown> {
  const { counts, changes, outputs } = JSON.parse(neutral(await run(form, engine, "preview", "--json"))) as Report;
  // A manifest knows the file of a text, and a program doesn't.
  const told = changes.map((change) => ({ ...change, fields: change.fields.map(({ writtenIn, ...field }) => field) }));
  return { counts, changes: told.sort((a, b) => a.urn.localeCompare(b.urn)), outputs };
}

/**
 * Returns the resources in the state, without times of runs and lines of the program. Every run encrypts the same text anew, and dependencies come in
 * any order.
 */
function state(): unknown[] {
  const { checkpoint } = JSON.parse(desk.read(".pulumi/stacks/same/dev.json"), comparable) as {
    checkpoint: { latest: { resources: Record<string, unknown>[] } };
  };
  return checkpoint.latest.resources
    .map(({ created, modified, sourcePosition, stackTrace, ...resource }) => resource)
    .sort((a, b) => String(a["urn"]).localeCompare(String(b["urn"])));
}

function comparable(key: string, value: unknown): unknown {
  if (key === "ciphertext") return "";
  const isUrns = Array.isArray(value) && value.every((item) => String(item).startsWith("urn:"));
  return isUrns ? value.toSorted() : value;
}

describe.skipIf(pulumi === undefined)("a manifest and a program, on both engines", { timeout: 600_000 }, () => {
  test("plan the same, and carry on for each other without a change", async () => {
    become("manifest");
    for (const [key, value] of Object.entries(CONFIG)) {
      const secret = key === "same:sku" ? ["--secret"] : [];
      expect((await desk.run(["config", "set", key, value, ...secret])).code).toBe(0);
    }
    const wanted = await plan("manifest", "embedded");
    expect(wanted).toMatchObject({ counts: { create: 8 } });
    for (const engine of engines) for (const form of forms) expect(await plan(form, engine)).toEqual(wanted);
    expect(desk.writes()).toEqual([]);

    await run("manifest", "pulumi", "up", "--yes");
    expect(desk.writes()).not.toEqual([]);
    const applied = state();
    for (const [form, engine] of [
      ["program", "pulumi"],
      ["manifest", "pulumi"],
      ["program", "embedded"],
      ["manifest", "embedded"],
    ] as const) {
      await run(form, engine, "up", "--yes");
      expect(desk.writes()).toEqual([]);
      expect(state()).toEqual(applied);
    }
    await run("program", "pulumi", "preview", "--detailed-exitcode");
  });
});
