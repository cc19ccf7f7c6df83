import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ExportedStack,
  exportState,
  type FileBackend,
  importState,
  RefusedImportError,
  PassphraseSecrets,
  type SecretsManager,
  unlockStack,
} from "../../engine/index.ts";
import { deployed, newBackend, page, passphrase, provider, ref, root, sharedSecrets } from "./fixtures.ts";

const yes = () => Promise.resolve(true);

async function filled(): Promise<FileBackend> {
  const backend = await newBackend();
  await deployed(backend, await sharedSecrets(), [root, provider, page("a")]);
  return backend;
}

async function importInto(
  backend: FileBackend,
  exported: unknown,
  secrets?: SecretsManager,
): ReturnType<typeof importState> {
  const lock = await backend.lock(ref);
  try {
    return await importState(backend, lock, exported, secrets);
  } finally {
    await lock.release();
  }
}

describe("export and import", () => {
  it("carry a stack over, encrypted or readable, even under another salt", async () => {
    const secrets = await sharedSecrets();
    const source = await filled();
    const other = await PassphraseSecrets.create(passphrase);
    for (const exported of [await exportState(source, ref), await exportState(source, ref, secrets)]) {
      const target = await newBackend();
      await target.create(ref, other);
      await importInto(target, JSON.parse(JSON.stringify(exported)), other);
      const read = await target.read(ref, other);
      expect(read.resources).toStrictEqual([root, provider, page("a")]);
      expect(read.secretsProvider).toStrictEqual(other.provider);
    }
  });

  it("show secrets only when asked to", async () => {
    const source = await filled();
    expect(JSON.stringify(await exportState(source, ref))).not.toContain("key of a");
    expect(JSON.stringify(await exportState(source, ref, await sharedSecrets()))).toContain("key of a");
  });

  it("drop pending operations and say which", async () => {
    const source = await filled();
    const exported = await exportState(source, ref);
    exported.deployment.pending_operations = [{ type: "creating", resource: page("lost", { outputs: {} }) }];
    expect(await importInto(source, exported, await sharedSecrets())).toMatchObject({
      dropped: [{ type: "creating" }],
    });
    expect((await source.read(ref, await sharedSecrets())).pendingOperations).toStrictEqual([]);
  });

  it.each<[string, (exported: ExportedStack) => unknown, new (...args: never[]) => Error, RegExp]>([
    ["a missing parent", (e) => dropResource(e, 0), RefusedImportError, /parent .* is missing/],
    ["a missing provider", (e) => dropResource(e, 1), RefusedImportError, /provider .* is missing/],
    [
      "a resource twice",
      (e) => changeResources(e, (all) => [...all, ...all.slice(2)]),
      RefusedImportError,
      /is there twice/,
    ],
    ["the wrong order", (e) => changeResources(e, (all) => all.toReversed()), RefusedImportError, /comes after it/],
    [
      "another stack",
      (e) => JSON.parse(JSON.stringify(e).replaceAll(":dev::", ":prod::")) as unknown,
      RefusedImportError,
      /another stack/,
    ],
    ["a newer version", (e) => ({ ...e, version: 7 }), RefusedImportError, /version 7/],
    ["no deployment", () => ({ version: 3 }), RefusedImportError, /not an exported state/],
  ])("refuse %s and leave the stack as it was", async (_what, spoil, error, message) => {
    const backend = await filled();
    const file = join(backend.root, ".pulumi", "stacks", "shop", "dev.json");
    const before = await readFile(file, "utf8");
    const spoiled = spoil(await exportState(backend, ref));
    await expect(importInto(backend, spoiled, await sharedSecrets())).rejects.toThrow(error);
    await expect(importInto(backend, spoiled, await sharedSecrets())).rejects.toThrow(message);
    expect(await readFile(file, "utf8")).toBe(before);
  });
});

describe("unlock", () => {
  async function killedRun(): Promise<FileBackend> {
    const backend = await filled();
    const session = await backend.begin(await backend.lock(ref), await sharedSecrets(), { kind: "update" });
    await session.commit(await session.begin({ type: "creating", resource: page("b") }), { new: page("b") });
    await session.abandon();
    await onAnotherMachine(backend);
    return backend;
  }

  async function onAnotherMachine(backend: FileBackend): Promise<void> {
    const folder = join(backend.root, ".pulumi", "locks", "organization", ref.project, ref.stack);
    const [name = ""] = await readdir(folder);
    const holder = JSON.parse(await readFile(join(folder, name), "utf8")) as object;
    await writeFile(join(folder, name), JSON.stringify({ ...holder, hostname: "elsewhere" }));
  }

  it("removes locks and folds the journal, without a passphrase", async () => {
    const backend = await killedRun();
    expect(await unlockStack(backend, ref, yes)).toMatchObject({ holders: [{ pid: process.pid }], folded: 2 });
    expect((await backend.read(ref, await sharedSecrets())).resources).toHaveLength(4);
    await (await backend.lock(ref)).release();
  });

  it("sets a journal aside that does not fit", async () => {
    const backend = await killedRun();
    await appendFile(join(backend.root, ".pulumi", "stacks", "shop", "dev.json"), " ");
    const { folded, setAside } = (await unlockStack(backend, ref, yes)) ?? {};
    expect(folded).toBe(0);
    expect(await readFile(setAside ?? "", "utf8")).toContain("Page::b");
    expect((await backend.read(ref, await sharedSecrets())).resources).toHaveLength(3);
  });
});

function changeResources(
  exported: ExportedStack,
  change: (all: NonNullable<ExportedStack["deployment"]["resources"]>) => ExportedStack["deployment"]["resources"],
): ExportedStack {
  return {
    ...exported,
    deployment: { ...exported.deployment, resources: change(exported.deployment.resources ?? []) },
  };
}

function dropResource(exported: ExportedStack, index: number): ExportedStack {
  return changeResources(exported, (all) => all.toSpliced(index, 1));
}
