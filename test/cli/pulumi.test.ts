// @module-tag thorough
/**
 * The same commands on Pulumi's own engine, if there is one, and changes from one engine to the other in the same folder. A stack with secrets in
 * HashiCorp Vault: Pulumi's engine serves it, and the embedded engine refuses it by name.
 */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { realEngine as pulumi } from "../suite/parts.ts";
import { Desk, type Ended, neutral, outputOf } from "./harness.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { textsOf } from "../reports/texts.ts";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { NearDesk } from "./near-desk.ts";

describe.skipIf(pulumi === undefined)("Pulumi's engine", { timeout: 240_000 }, () => {
  const desk = forAllTests(() => Desk.open("quickstart"));
  const run = (args: string[], env: Record<string, string> = {}): Promise<Ended> => {
    const PATH = [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter);
    return desk.run(args, { env: { PATH, PULUMI_CONFIG_PASSPHRASE: undefined, ...env } });
  };

  test("is taken where it is found, and leaves nothing to do for either", async () => {
    const up = await run(["up", "--yes", "--json"]);
    expect(up.code).toBe(0);
    const report = JSON.parse(up.stdout) as Report;
    expect(report).toMatchObject({ engine: { name: "pulumi" }, counts: { create: 5, same: 0 } });
    expect(textsOf(report, "warn")).toEqual([]);
    expect(report.urls).toContain(report.outputs["offerUrl"]);
    expect(await outputOf(0, run(["preview", "--engine", "embedded", "--detailed-exitcode"]))).toContain(
      "no changes, 5 unchanged",
    );
  });

  test("shows the same plan, saves it, and applies what was reviewed", async () => {
    desk.edit("index.ts", "A mug worth getting up for", "A mug to keep");
    const plans = [];
    for (const engine of ["embedded", "pulumi"]) {
      const { code, stdout: said } = await run(["preview", "--engine", engine, "--detailed-exitcode"]);
      // The next command in a message names the chosen engine.
      const stdout = said.replace(` --engine ${engine} `, " ");
      expect(said).toContain(`npx landform up --engine ${engine} applies it.`);
      expect(code).toBe(2);
      plans.push(neutral(stdout).replace(/(embedded engine|Pulumi) \S+/, "ENGINE"));
    }
    expect(plans[1]).toBe(plans[0]);
    expect((await run(["preview", "--save", "plan.json"])).code).toBe(0);
    desk.edit("index.ts", "A mug to keep", "Another mug");
    expect((await run(["up", "--plan", "plan.json"])).code).toBe(3);
    desk.edit("index.ts", "Another mug", "A mug to keep");
    desk.writes();
    const applied = await run(["up", "--plan", "plan.json"]);
    expect([applied.code, applied.stderr]).toEqual([0, ""]);
    expect(desk.writes()).toEqual(["PATCH /pages/content", "POST /pages/publish"]);
  });

  test("a secret that changed since the review is named and refused, and shown nowhere", async () => {
    const hook =
      'new landform.Hook("leads", { eventType: "form_lead.created", targetUrl: process.env.RECEIVER ?? "" });\nconst brand';
    desk.edit("index.ts", "const brand", hook);
    const env = (name: string) => ({ RECEIVER: `https://${name}.example.com/hooks` });
    expect((await run(["preview", "--save", "secret.json"], env("canary-one"))).code).toBe(0);
    desk.writes();
    const reports = ["--json", "r.json", "--markdown", "r.md", "--junit", "r.xml"];
    const up = await run(["up", "--plan", "secret.json", ...reports], env("canary-two"));
    expect([up.code, up.stderr]).toEqual([3, expect.stringContaining("Hook leads")]);
    expect(desk.writes()).toEqual([]);
    const everything = [up.stdout, up.stderr, desk.read("r.json"), desk.read("r.md"), desk.read("r.xml")].join();
    expect(everything).not.toContain("canary");
    expect(desk.read("secret.json")).not.toContain("canary");
    expect((await run(["up", "--plan", "secret.json"], env("canary-one"))).code).toBe(0);
    desk.edit("index.ts", hook, "const brand");
  });

  test("destroys, and says what stays", async () =>
    expect(await outputOf(0, run(["destroy", "--yes"]))).toContain('warning: Site "mugs.example"'));
});

// A shell reads the plugin, and the path of a socket may not be long.
test.skipIf(pulumi === undefined).each(["it's; touch taken", "long ".repeat(30)])(
  "any temporary folder will do: %s",
  { timeout: 240_000 },
  async (name) => {
    const desk = await inTest(Desk.open("quickstart"));
    const TMPDIR = join(desk.folder, name);
    mkdirSync(TMPDIR);
    const PATH = [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter);
    const run = (...args: string[]) => outputOf(0, desk.run(args, { env: { PATH, TMPDIR } }));
    expect(await run("up", "--yes")).toContain("Done: 5 created");
    expect(await run("preview", "--detailed-exitcode")).toContain("no changes");
    expect(existsSync(join(desk.folder, "taken"))).toBe(false);
    expect(readdirSync(TMPDIR).filter((left) => left.startsWith("landform-"))).toEqual([]);
  },
);

/** The part of Vault's transit engine that Pulumi uses. */
const vault = createServer((request, response) => {
  void json(request).then((body) => {
    const { plaintext, ciphertext } = body as { plaintext?: string; ciphertext?: string };
    const data =
      ciphertext === undefined
        ? { ciphertext: `vault:v1:${plaintext ?? ""}` }
        : { plaintext: ciphertext.slice("vault:v1:".length) };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
});

describe.skipIf(pulumi === undefined)("another secrets provider", { timeout: 240_000 }, () => {
  const desk = NearDesk.all();
  let env: Record<string, string | undefined>;

  beforeAll(async () => {
    await new Promise<void>((resolve) => vault.listen(0, "127.0.0.1", resolve));
    desk.program('new landform.Page("a", {});');
    env = {
      PATH: [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter),
      PULUMI_BACKEND_URL: `file://${desk.folder}`,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_CONFIG_PASSPHRASE: undefined,
      LANDFORM_API_KEY: undefined,
      VAULT_SERVER_URL: `http://127.0.0.1:${(vault.address() as AddressInfo).port}`,
      VAULT_SERVER_TOKEN: "token",
    };
    const run = (args: string[]) =>
      promisify(execFile)(pulumi ?? "", args, { cwd: desk.folder, env: { ...desk.env, ...env } });
    await run(["stack", "init", "dev", "--secrets-provider", "hashivault://key"]);
    await run(["config", "set", "--stack", "dev", "--secret", "landform:apiKey", desk.emulator.apiKey]);
  });
  afterAll(() => void vault.close());

  test("is left to Pulumi's engine", async () => {
    const up = await desk.run(["up", "--yes"], { env });
    expect([up.code, up.stderr]).toEqual([0, ""]);
    expect(up.stdout).toContain("+ created Page a");
    expect(up.stdout).not.toContain(desk.emulator.apiKey);
    await desk.saysWith(env, 0, "preview", "--detailed-exitcode");
    // With the decrypted key, the run asks the account about the plan.
    desk.program('new landform.Page("a", {});\nnew landform.Page("b", { projectId: "proj_nowhere" });');
    const foreseen = await desk.saysWith(env, 4, "preview");
    expect(foreseen).toContain("proj_nowhere");
    expect(foreseen).toContain("projectId: GET /projects/proj_nowhere");
    desk.program('new landform.Page("a", {});');
  });

  test("is refused by the embedded engine, by name", async () => {
    const said = await desk.saysWith(env, 4, "preview", "--engine", "embedded");
    expect(said).toContain('the secrets provider "hashivault://key" is not supported by the embedded engine');
    expect(said).toContain("--engine pulumi");
  });
});
