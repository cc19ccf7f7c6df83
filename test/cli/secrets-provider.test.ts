// @module-tag thorough
/** A stack with secrets in HashiCorp Vault: Pulumi's engine serves it, and the embedded engine refuses it by name. */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { realEngine as pulumi } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

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
  let desk: NearDesk;
  let env: Record<string, string | undefined>;

  beforeAll(async () => {
    await new Promise<void>((resolve) => vault.listen(0, "127.0.0.1", resolve));
    desk = await NearDesk.open();
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
  afterAll(async () => {
    vault.close();
    await desk.close();
  });

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
