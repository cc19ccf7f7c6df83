import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  backendFolder,
  configuredBackend,
  FileBackend,
  IntegrityError,
  InvalidNameError,
  MissingPassphraseError,
  PassphraseSecrets,
  StackExistsError,
  StackNotFoundError,
  UnsupportedBackendError,
  WrongPassphraseError,
} from "../../engine/index.ts";
import {
  creates,
  deployed,
  fileOf,
  interrupted,
  locked,
  newBackend,
  page,
  passphrase,
  provider,
  ran,
  ref,
  root,
  sharedSecrets,
  stackOf,
  temporaryFolder,
} from "./fixtures.ts";

async function withCheckpoint(content: unknown): Promise<FileBackend> {
  const backend = await newBackend();
  await backend.create(ref);
  await writeFile(fileOf(backend), JSON.stringify(content));
  return backend;
}

describe("the address of a backend", () => {
  it.each([
    ["file:///var/state", "/var/state"],
    ["file://~", homedir()],
    ["file://~/state", join(homedir(), "state")],
    ["file://./state", "/base/state"],
    ["file://state?no_tmp_dir=true", "/base/state"],
    ["file:///with%20space", "/with space"],
    ["state", "/base/state"],
  ])("%s is the folder %s", (url, folder) => expect(backendFolder(url, "/base")).toBe(folder));

  it.each(["s3://bucket", "https://api.pulumi.com", "gs://x", "azblob://x"])("%s is refused by name", (url) => {
    expect(() => backendFolder(url)).toThrow(UnsupportedBackendError);
    expect(() => backendFolder(url)).toThrow(url);
  });

  it("never shows credentials", () =>
    expect(() => backendFolder("postgres://user:hunter2@host/db")).toThrow(/^(?!.*hunter2)/s));

  it("comes from the environment, the project, or where the user logged in", async () => {
    const home = await temporaryFolder();
    const env = { PULUMI_HOME: home };
    expect(await configuredBackend(undefined, env)).toBeUndefined();
    await writeFile(join(home, "credentials.json"), '{"current":"file:///a"}');
    expect(await configuredBackend(undefined, env)).toBe("file:///a");
    expect(await configuredBackend(undefined, { ...env, PULUMI_BACKEND_URL: "file:///b" })).toBe("file:///b");
  });
});

describe("names", () => {
  it.each(["", "..", "a b", "acme/dev", "a/../b", "x".repeat(101)])("%j is refused", async (text) => {
    const backend = await newBackend();
    await expect(backend.exists({ project: text, stack: "dev" })).rejects.toThrow(InvalidNameError);
    await expect(backend.exists({ project: "shop", stack: text })).rejects.toThrow(InvalidNameError);
  });
});

describe("a file backend", () => {
  it("starts a new folder in Pulumi's current layout", async () => {
    const folder = join(await temporaryFolder(), "new", "folder");
    await FileBackend.open(folder);
    expect(await readFile(join(folder, ".pulumi", "meta.yaml"), "utf8")).toBe("version: 1\n");
  });

  it("refuses the old layout and later ones by name", async () => {
    const legacy = await temporaryFolder();
    await mkdir(join(legacy, ".pulumi", "stacks"), { recursive: true });
    await writeFile(join(legacy, ".pulumi", "stacks", "dev.json"), "{}");
    await expect(FileBackend.open(legacy)).rejects.toThrow(/pulumi state upgrade/);
    const later = await temporaryFolder();
    await mkdir(join(later, ".pulumi"));
    await writeFile(join(later, ".pulumi", "meta.yaml"), "version: 9\n");
    await expect(FileBackend.open(later)).rejects.toThrow(/version 9/);
  });

  it("creates, lists and removes stacks", async () => {
    const backend = await newBackend();
    const [other, blog] = [
      { project: "shop", stack: "a.b" },
      { project: "blog", stack: "dev" },
    ];
    for (const one of [ref, other, blog]) await backend.create(one);
    await expect(backend.create(ref)).rejects.toThrow(StackExistsError);
    expect(await backend.list()).toStrictEqual([blog, other, ref]);
    await locked(backend, (lock) => backend.remove(lock));
    expect(await backend.list("shop")).toStrictEqual([other]);
    await expect(backend.read(ref)).rejects.toThrow(StackNotFoundError);
  });

  it("keeps what a run left, without a word of the secrets, and the state before as .bak", async () => {
    const backend = await stackOf(page("a"));
    expect((await backend.read(ref, await sharedSecrets())).resources).toStrictEqual([root, provider, page("a")]);
    expect(await readFile(fileOf(backend), "utf8")).not.toContain("key of a");
    expect(await readFile(fileOf(backend, ".json.bak"), "utf8")).not.toContain("landform:Page");
  });

  it("needs the right passphrase for secrets, and none where there are none", async () => {
    const backend = await stackOf(page("a"));
    await expect(backend.read(ref)).rejects.toThrow(MissingPassphraseError);
    await expect(backend.read(ref, await PassphraseSecrets.create("wrong"))).rejects.toThrow(WrongPassphraseError);
    const plain = await newBackend();
    await deployed(plain, undefined, [root, page("a", { outputs: {}, provider: undefined })]);
    expect((await plain.read(ref)).resources).toHaveLength(2);
  });

  it("gives what it has decrypted to nobody who could not decrypt it, and not once the file is another", async () => {
    const [backend, secrets] = [await stackOf(page("a")), await sharedSecrets()];
    const first = await backend.read(ref, secrets);
    expect(await backend.read(ref, secrets)).toBe(first);
    await expect(backend.read(ref)).rejects.toThrow(MissingPassphraseError);
    await expect(backend.read(ref, await PassphraseSecrets.create("wrong"))).rejects.toThrow(WrongPassphraseError);
    await ran(await FileBackend.open(backend.root), async (session) => {
      await session.note({ new: page("b") });
      expect((await backend.read(ref, secrets)).resources.map(({ urn }) => urn)).toContain(page("b").urn);
    });
    const after = await backend.read(ref, secrets);
    expect(after.resources).toHaveLength(4);
    expect(after.resources).toContainEqual(page("b"));
    expect(first.resources).toHaveLength(3);
  });

  it("takes over a stack that has another salt of the same passphrase", async () => {
    const backend = await stackOf(page("a"));
    const other = await PassphraseSecrets.create(passphrase);
    await interrupted(backend, (session) => creates(session, page("b")), other);
    await locked(backend, (lock) => backend.fold(lock));
    const read = await backend.read(ref, other);
    expect(read.secretsProvider).toStrictEqual(other.provider);
    expect(read.resources).toStrictEqual(expect.arrayContaining([root, provider, page("a"), page("b")]));
  });

  it("reads a compressed checkpoint and keeps it compressed; zstd is refused by name", async () => {
    const backend = await stackOf();
    await writeFile(fileOf(backend, ".json.gz"), gzipSync(await readFile(fileOf(backend))));
    await rm(fileOf(backend));
    await ran(backend, ({ base }) => expect(base.resources).toHaveLength(2));
    expect(gunzipSync(await readFile(fileOf(backend, ".json.gz"))).toString()).toContain("pulumi:providers");
    expect(await backend.exists(ref)).toBe(true);
    await rm(fileOf(backend, ".json.gz"));
    await writeFile(fileOf(backend, ".json.zst"), "");
    await expect(backend.read(ref)).rejects.toThrow(/zstd/);
  });

  it.each([
    ["compressed content in .json", ".json", gzipSync],
    ["plain content in .json.gz", ".json.gz", (bytes: Buffer) => bytes],
  ])("reads %s, and writes what the name says", async (_which, extension, pack) => {
    const backend = await stackOf();
    const plain = await readFile(fileOf(backend));
    await rm(fileOf(backend));
    await writeFile(fileOf(backend, extension), pack(plain));
    await ran(backend, ({ base }) => expect(base.resources).toHaveLength(2));
    const bytes = await readFile(fileOf(backend, extension));
    expect((extension === ".json" ? bytes : gunzipSync(bytes)).toString()).toContain("pulumi:providers");
    expect((await backend.read(ref, await sharedSecrets())).resources).toHaveLength(2);
    expect(await backend.history(ref)).not.toEqual([]);
  });

  it("does not start on a state that Pulumi would refuse", async () => {
    const latest = { manifest: {}, resources: [page("a", { outputs: {} })] };
    const backend = await withCheckpoint({ version: 3, checkpoint: { stack: "organization/shop/dev", latest } });
    const refused = ran(backend, () => undefined);
    await expect(refused).rejects.toThrow(IntegrityError);
    await expect(refused).rejects.toThrow(/its parent .* is missing/);
  });

  it("finds an empty state where a stack was only created", async () => {
    const backend = await withCheckpoint({ version: 0, checkpoint: { stack: "organization/shop/dev" } });
    expect((await backend.read(ref)).resources).toStrictEqual([]);
  });
});
