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
import {
  creates,
  fileOf,
  locked,
  locksOf,
  newBackend,
  page,
  passphrase,
  provider,
  ref,
  root,
  sharedSecrets,
  stackOf,
} from "./fixtures.ts";

const yes = () => Promise.resolve(true);

const importInto = (backend: FileBackend, exported: unknown, secrets: SecretsManager) =>
  locked(backend, (lock) => importState(backend, lock, exported, secrets));

describe("export and import", () => {
  it("carry a stack over, encrypted or readable, even under another salt", async () => {
    const secrets = await sharedSecrets();
    const source = await stackOf(page("a"));
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
    const source = await stackOf(page("a"));
    expect(JSON.stringify(await exportState(source, ref))).not.toContain("key of a");
    expect(JSON.stringify(await exportState(source, ref, await sharedSecrets()))).toContain("key of a");
  });

  it("drop pending operations and say which", async () => {
    const source = await stackOf(page("a"));
    const exported = await exportState(source, ref);
    exported.deployment.pending_operations = [{ type: "creating", resource: page("lost", { outputs: {} }) }];
    const { dropped } = await importInto(source, exported, await sharedSecrets());
    expect(dropped).toMatchObject([{ type: "creating" }]);
    expect((await source.read(ref, await sharedSecrets())).pendingOperations).toStrictEqual([]);
  });

  type Resources = NonNullable<ExportedStack["deployment"]["resources"]>;
  const changed =
    (change: (all: Resources) => Resources) =>
    ({ deployment, ...rest }: ExportedStack) => ({
      ...rest,
      deployment: { ...deployment, resources: change(deployment.resources ?? []) },
    });

  it.each<[string, (exported: ExportedStack) => unknown, RegExp]>([
    ["a missing parent", changed((all) => all.toSpliced(0, 1)), /parent .* is missing/],
    ["a missing provider", changed((all) => all.toSpliced(1, 1)), /provider .* is missing/],
    ["a resource twice", changed((all) => [...all, ...all.slice(2)]), /is there twice/],
    ["the wrong order", changed((all) => all.toReversed()), /comes after it/],
    ["another stack", (e) => JSON.parse(JSON.stringify(e).replaceAll(":dev::", ":prod::")) as object, /another stack/],
    ["a newer version", (e) => ({ ...e, version: 7 }), /version 7/],
    ["no deployment", () => ({ version: 3 }), /not an exported state/],
  ])("refuse %s and leave the stack as it was", async (_what, spoil, message) => {
    const backend = await stackOf(page("a"));
    const before = await readFile(fileOf(backend), "utf8");
    const refused = importInto(backend, spoil(await exportState(backend, ref)), await sharedSecrets());
    await expect(refused).rejects.toThrow(RefusedImportError);
    await expect(refused).rejects.toThrow(message);
    expect(await readFile(fileOf(backend), "utf8")).toBe(before);
  });
});

describe("unlock", () => {
  async function killedRun(): Promise<FileBackend> {
    const backend = await stackOf(page("a"));
    const session = await backend.begin(await backend.lock(ref), await sharedSecrets(), { kind: "update" });
    await creates(session, page("b"));
    await session.abandon();
    // It ran on another machine.
    const [name = ""] = await readdir(locksOf(backend));
    const file = join(locksOf(backend), name);
    const holder = JSON.parse(await readFile(file, "utf8")) as object;
    await writeFile(file, JSON.stringify({ ...holder, hostname: "elsewhere" }));
    return backend;
  }

  it("removes locks and folds the journal, without a passphrase", async () => {
    const backend = await killedRun();
    expect(await unlockStack(backend, ref, yes)).toMatchObject({ holders: [{ pid: process.pid }], folded: 2 });
    expect((await backend.read(ref, await sharedSecrets())).resources).toHaveLength(4);
    await (await backend.lock(ref)).release();
  });

  it("sets a journal aside that does not fit", async () => {
    const backend = await killedRun();
    await appendFile(fileOf(backend), " ");
    const { folded, setAside } = (await unlockStack(backend, ref, yes)) ?? {};
    expect(folded).toBe(0);
    expect(await readFile(setAside ?? "", "utf8")).toContain("Page::b");
    expect((await backend.read(ref, await sharedSecrets())).resources).toHaveLength(3);
  });
});
