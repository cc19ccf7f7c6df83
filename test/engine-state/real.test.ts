// @module-tag thorough
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  exportState,
  FileBackend,
  type PassphraseSecrets,
  readProject,
  StackConfig,
  stackSecrets,
} from "../../engine/index.ts";
import { realEngine as pulumi } from "../suite/parts.ts";
import { page, passphrase, provider, ref, root, secret, summary, temporaryFolder } from "./fixtures.ts";

/** Real Pulumi reads our files, and we read its files. Without Pulumi, the tests count as skipped. */

interface Sandbox {
  backend: FileBackend;
  project: string;
  run(...args: string[]): Promise<string>;
}

async function sandbox(): Promise<Sandbox> {
  const folder = await temporaryFolder();
  const [state, project, home] = ["state", "project", "home"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [state, project, home]) await mkdir(each);
  await writeFile(join(project, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const env = {
    ...process.env,
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  const run = async (...args: string[]): Promise<string> => {
    const all = [...args, "--non-interactive", "--color", "never"];
    return (await promisify(execFile)(pulumi ?? "", all, { cwd: project, env })).stdout;
  };
  return { backend: await FileBackend.open(state), project, run };
}

async function secretsOf({ project, backend }: Sandbox): Promise<PassphraseSecrets> {
  const found = await readProject(project);
  if (found === undefined) throw new Error("no project");
  const config = await StackConfig.read(found, ref.stack);
  const secrets = await stackSecrets(
    config,
    { PULUMI_CONFIG_PASSPHRASE: passphrase },
    (await backend.readStored(ref)).secrets_providers,
  );
  if (secrets === undefined) throw new Error("no passphrase");
  return secrets;
}

async function deploy(box: Sandbox): Promise<PassphraseSecrets> {
  const secrets = await secretsOf(box);
  const lock = await box.backend.lock(ref);
  const session = await box.backend.begin(lock, secrets, {
    kind: "update",
    message: "from landform",
    config: { "shop:a": "1" },
  });
  const old = page("replaced", { delete: true, id: "old" });
  const odd = page("odd", {
    inputs: { html: secret("<a href='x'>&\u2028</a>"), nested: secret({ deep: secret([1, null]) }) },
  });
  for (const state of [root, provider, page("a"), old, page("replaced"), odd]) await session.note({ new: state });
  await session.begin({ type: "creating", resource: page("pending") });
  await session.end(summary());
  await lock.release();
  return secrets;
}

describe.skipIf(pulumi === undefined)("with the real Pulumi", { timeout: 120_000 }, () => {
  it("a stack it made is ours, with its configuration", async () => {
    const box = await sandbox();
    await box.run("stack", "init", ref.stack);
    await box.run("config", "set", "plain", "x");
    await box.run("config", "set", "--secret", "key", "hush <&>");
    await box.run("config", "set", "--path", "a.b[0]", "5");
    await box.run("config", "set", "--path", "--secret", "a.c", "psst");
    expect(await box.backend.list()).toStrictEqual([ref]);
    const found = await readProject(box.project);
    const config = found && (await StackConfig.read(found, ref.stack));
    const resolved = config?.resolve(await secretsOf(box));
    expect(resolved?.secretKeys.sort()).toStrictEqual(["shop:a", "shop:key"]);
    expect(resolved?.values).toStrictEqual({
      "shop:plain": "x",
      "shop:key": "hush <&>",
      "shop:a": '{"b":[5],"c":"psst"}',
    });
  });

  it("a configuration we wrote is its", async () => {
    const box = await sandbox();
    await box.backend.create(ref);
    const secrets = await secretsOf(box);
    const found = await readProject(box.project);
    const config = found && (await StackConfig.read(found, ref.stack));
    config?.set("key", "hush", { secret: secrets });
    config?.set("a.b[0]", "5", { path: true });
    await config?.write();
    expect((await box.run("config", "get", "key", "--stack", ref.stack)).trim()).toBe("hush");
    expect((await box.run("config", "get", "--path", "a.b[0]", "--stack", ref.stack)).trim()).toBe("5");
  });

  it("a stack we wrote passes its checks, export and import, and comes back the same", async () => {
    const box = await sandbox();
    await box.run("stack", "init", ref.stack);
    const secrets = await deploy(box);
    const exported = await box.run("stack", "export", "--show-secrets");
    expect(JSON.parse(exported)).toMatchObject({
      version: 3,
      deployment: { pending_operations: [{ type: "creating" }] },
    });
    expect(exported).toContain("key of a");
    const before = await box.backend.read(ref, secrets);
    const file = join(box.project, "export.json");
    await writeFile(file, exported);
    await box.run("stack", "import", "--file", file);
    const after = await box.backend.read(ref, secrets);
    expect(after.resources).toStrictEqual(before.resources);
    expect(after.pendingOperations).toStrictEqual([]);
  });

  it("leaves alone the bytes of what it wrote and we did not change", async () => {
    const box = await sandbox();
    await box.run("stack", "init", ref.stack);
    const secrets = await deploy(box);
    const file = join(box.project, "export.json");
    await writeFile(file, await box.run("stack", "export"));
    await box.run("stack", "import", "--file", file);
    const before = await exportState(box.backend, ref);
    const lock = await box.backend.lock(ref);
    const session = await box.backend.begin(lock, secrets, { kind: "update" });
    for (const old of session.base.resources) await session.note({ old, new: structuredClone(old) });
    await session.end(summary());
    await lock.release();
    const after = await exportState(box.backend, ref);
    expect(JSON.stringify(after.deployment.resources)).toBe(JSON.stringify(before.deployment.resources));
  });

  it("its history shows our runs", async () => {
    const box = await sandbox();
    await box.run("stack", "init", ref.stack);
    await deploy(box);
    const history = JSON.parse(await box.run("stack", "history", "--json")) as unknown;
    expect(history).toMatchObject([
      { kind: "update", message: "from landform", result: "succeeded", config: { "shop:a": { value: "1" } } },
    ]);
  });

  it("locks hold on both sides", async () => {
    const box = await sandbox();
    await box.run("stack", "init", ref.stack);
    const lock = await box.backend.lock(ref);
    const file = join(box.project, "export.json");
    await writeFile(file, await box.run("stack", "export"));
    await expect(box.run("stack", "import", "--file", file)).rejects.toThrow(
      new RegExp(`locked by 1 lock.*pid ${process.pid}`, "s"),
    );
    await box.run("cancel", "--yes");
    await lock.release();
    await box.run("stack", "import", "--file", file);
  });

  it("removes and renames what we made", async () => {
    const box = await sandbox();
    await box.run("stack", "init", ref.stack);
    await deploy(box);
    await box.run("stack", "rename", "prod");
    const renamed = { ...ref, stack: "prod" };
    expect(JSON.stringify(await exportState(box.backend, renamed))).toContain("urn:pulumi:prod::shop");
    expect(await box.backend.history(renamed)).toHaveLength(1);
    await box.run("stack", "rm", "prod", "--yes", "--force");
    expect(await box.backend.list()).toStrictEqual([]);
    expect(await readdir(join(box.backend.root, ".pulumi"))).toContain("meta.yaml");
    expect(await readFile(join(box.backend.root, ".pulumi", "meta.yaml"), "utf8")).toBe("version: 1\n");
  });
});
