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
  type UpdateSession,
} from "../../engine/index.ts";
import { makeSecret } from "../../engine/model/values.ts";
import { realEngine as pulumi } from "../suite/parts.ts";
import { locked, page, passphrase, provider, ran, ref, root, summary, temporaryFolder } from "./fixtures.ts";

/** Real Pulumi reads our files, and we read its files. Without Pulumi, the tests count as skipped. */

type Sandbox = Awaited<ReturnType<typeof sandbox>>;

/** A project with its own home of Pulumi. Pulumi has made its stack, unless it is not to. */
async function sandbox({ made = true } = {}) {
  const folder = await temporaryFolder();
  const [state, project, home] = [join(folder, "state"), join(folder, "project"), join(folder, "home")];
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
  if (made) await run("stack", "init", ref.stack);
  return { backend: await FileBackend.open(state), project, file: join(project, "export.json"), run };
}

async function configOf({ project }: Sandbox): Promise<StackConfig> {
  const found = await readProject(project);
  if (found === undefined) throw new Error("no project");
  return StackConfig.read(found, ref.stack);
}

async function secretsOf(box: Sandbox): Promise<PassphraseSecrets> {
  const { secrets_providers } = await box.backend.readStored(ref);
  const env = { PULUMI_CONFIG_PASSPHRASE: passphrase };
  const secrets = await stackSecrets(await configOf(box), env, secrets_providers);
  if (secrets === undefined) throw new Error("no passphrase");
  return secrets;
}

async function deploy(box: Sandbox): Promise<PassphraseSecrets> {
  const secrets = await secretsOf(box);
  const old = page("replaced", { delete: true, id: "old" });
  const nested = makeSecret({ deep: makeSecret([1, null]) });
  const odd = page("odd", { inputs: { html: makeSecret("<a href='x'>&\u2028</a>"), nested } });
  const about = { kind: "update", config: { "shop:a": "1" } } as const;
  await locked(box.backend, async (lock) => {
    const session = await box.backend.begin(lock, secrets, about);
    for (const state of [root, provider, page("a"), old, page("replaced"), odd]) await session.note({ new: state });
    await session.begin({ type: "creating", resource: page("pending") });
    await session.end(summary());
  });
  return secrets;
}

describe.skipIf(pulumi === undefined)("with the real Pulumi", { timeout: 120_000 }, () => {
  it("a stack it made is ours, with its configuration", async () => {
    const box = await sandbox();
    await box.run("config", "set", "plain", "x");
    await box.run("config", "set", "--secret", "key", "hush <&>");
    await box.run("config", "set", "--path", "a.b[0]", "5");
    await box.run("config", "set", "--path", "--secret", "a.c", "psst");
    expect(await box.backend.list()).toStrictEqual([ref]);
    const { secretKeys, values } = (await configOf(box)).resolve(await secretsOf(box));
    expect(secretKeys.sort()).toStrictEqual(["shop:a", "shop:key"]);
    const a = '{"b":[5],"c":"psst"}';
    expect(values).toStrictEqual({ "shop:plain": "x", "shop:key": "hush <&>", "shop:a": a });
  });

  it("a configuration we wrote is its", async () => {
    const box = await sandbox({ made: false });
    await box.backend.create(ref);
    const secrets = await secretsOf(box);
    const config = await configOf(box);
    config.set("key", "hush", { secret: secrets });
    config.set("a.b[0]", "5", { path: true });
    await config.write();
    expect((await box.run("config", "get", "key", "--stack", ref.stack)).trim()).toBe("hush");
    expect((await box.run("config", "get", "--path", "a.b[0]", "--stack", ref.stack)).trim()).toBe("5");
  });

  it("a stack we wrote passes its checks, export and import, and comes back the same", async () => {
    const box = await sandbox();
    const secrets = await deploy(box);
    const exported = await box.run("stack", "export", "--show-secrets");
    const deployment = { pending_operations: [{ type: "creating" }] };
    expect(JSON.parse(exported)).toMatchObject({ version: 3, deployment });
    expect(exported).toContain("key of a");
    const before = await box.backend.read(ref, secrets);
    await writeFile(box.file, exported);
    await box.run("stack", "import", "--file", box.file);
    const after = await box.backend.read(ref, secrets);
    expect(after.resources).toStrictEqual(before.resources);
    expect(after.pendingOperations).toStrictEqual([]);
  });

  it("leaves alone the bytes of what it wrote and we did not change", async () => {
    const box = await sandbox();
    const secrets = await deploy(box);
    await writeFile(box.file, await box.run("stack", "export"));
    await box.run("stack", "import", "--file", box.file);
    const before = await exportState(box.backend, ref);
    const notesAll = async (session: UpdateSession): Promise<void> => {
      for (const old of session.base.resources) await session.note({ old, new: structuredClone(old) });
    };
    await ran(box.backend, notesAll, secrets);
    const after = await exportState(box.backend, ref);
    expect(JSON.stringify(after.deployment.resources)).toBe(JSON.stringify(before.deployment.resources));
  });

  it("its history shows our runs", async () => {
    const box = await sandbox();
    await deploy(box);
    const config = { "shop:a": { value: "1" } };
    const run = { kind: "update", message: "", result: "succeeded", config };
    expect(JSON.parse(await box.run("stack", "history", "--json"))).toMatchObject([run]);
  });

  it("locks hold on both sides", async () => {
    const box = await sandbox();
    const imported = () => box.run("stack", "import", "--file", box.file);
    await locked(box.backend, async () => {
      await writeFile(box.file, await box.run("stack", "export"));
      await expect(imported()).rejects.toThrow(new RegExp(`locked by 1 lock.*pid ${process.pid}`, "s"));
      await box.run("cancel", "--yes");
    });
    await imported();
  });

  it("removes and renames what we made", async () => {
    const box = await sandbox();
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
