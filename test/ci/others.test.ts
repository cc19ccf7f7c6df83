// @module-tag thorough
/** Failures in a program that are not ours: another's provider, and a component that throws. */
import { rmSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { JsonReport as Report } from "../../stack/report/json.ts";
import { Desk, type Ended } from "../cli/harness.ts";
import { forAllTests } from "../suite/opened.ts";

const program = `
import * as pulumi from "@pulumi/pulumi";
const exists = (name: string): boolean => process.getBuiltinModule("node:fs").existsSync(name);
const fails = (step: string): void => {
  if (exists(\`fails-\${step}\`)) throw new Error(\`the other service is down at its \${step}\`);
};
const provider: pulumi.dynamic.ResourceProvider = {
  async check(_, inputs) { fails("check"); return { inputs }; },
  async diff(_, olds, news) { fails("diff"); return { changes: olds.size !== news.size }; },
  async create(inputs) { fails("create"); return { id: "one", outs: inputs }; },
  async update(_, __, news) { return { outs: news }; },
  async read(id, props) { fails("read"); return { id, props }; },
};
class Bucket extends pulumi.dynamic.Resource {
  constructor(name: string, size: number) { super(provider, name, { size }, undefined, "other", "Bucket"); }
}
class Shop extends pulumi.ComponentResource {
  constructor(name: string) {
    super("acme:index:Shop", name);
    if (exists("fails-component")) throw new Error("the shop has no owner");
    new landform.Page("offer", { templateId: "tpl-hero" }, { parent: this });
  }
}
new Shop("shop");
new Bucket("logs", exists("larger") ? 2 : 1);
`;

const desk = forAllTests(() => Desk.open());
beforeAll(() => desk.program(program));

async function failing(step: string, ...args: string[]): Promise<Ended & { report: Report }> {
  desk.write(`fails-${step}`, "");
  const ended = await desk.run(["ci", ...args, "--json", "report.json"]);
  rmSync(desk.path(`fails-${step}`));
  return { ...ended, report: JSON.parse(desk.read("report.json")) as Report };
}

test("its failure ends each job with 1, and is told by its name", async () => {
  const told: [string, number | null, string | undefined][] = [];
  const keep = async (step: string, ...args: string[]): Promise<void> => {
    const { code, stdout, stderr, report } = await failing(step, ...args);
    expect(report.result, stdout + stderr).toBe("failed");
    told.push([`${args[0] ?? ""}, ${step}`, code, report.failures.map(({ message }) => message.split("\n")[0]).join()]);
  };
  await keep("component", "plan");
  await keep("check", "plan");
  await keep("create", "apply", "--replan");
  expect((await desk.run(["ci", "apply", "--replan"])).code).toBe(0);
  await keep("read", "drift");
  desk.write("larger", "");
  await keep("diff", "plan");
  const why = 'other:Bucket "logs".* failed: the other service is down at its';
  expect(told).toEqual([
    // The program fails before anything of it reaches the account.
    ["plan, component", 4, "Error: the shop has no owner"],
    ["plan, check", 1, expect.stringMatching(`checking ${why} check`)],
    ["apply, create", 1, expect.stringMatching(`creating ${why} create`)],
    ["drift, read", 1, expect.stringMatching(`reading ${why} read`)],
    ["plan, diff", 1, expect.stringMatching(`comparing ${why} diff`)],
  ]);
  expect((await desk.run(["ci", "apply", "--replan"])).code).toBe(0);
  expect((await desk.run(["ci", "plan", "--detailed-exitcode"])).code).toBe(0);
}, 480_000);
