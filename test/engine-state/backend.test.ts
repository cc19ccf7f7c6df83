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
  parseStackRef,
  PassphraseSecrets,
  StackExistsError,
  StackNotFoundError,
  UnsupportedBackendError,
  WrongPassphraseError,
} from "../../engine/index.ts";
import {
  deployed,
  newBackend,
  page,
  passphrase,
  provider,
  ref,
  root,
  sharedSecrets,
  summary,
  temporaryFolder,
} from "./fixtures.ts";

function stackFile(backend: FileBackend, extension = ".json"): string {
  return join(backend.root, ".pulumi", "stacks", ref.project, ref.stack + extension);
}

async function withCheckpoint(content: unknown): Promise<FileBackend> {
  const backend = await newBackend();
  await backend.create(ref);
  await writeFile(stackFile(backend), typeof content === "string" ? content : JSON.stringify(content));
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
  ])("%s is the folder %s", (url, folder) => {
    expect(backendFolder(url, "/base")).toBe(folder);
  });

  it.each(["s3://bucket", "https://api.pulumi.com", "gs://x", "azblob://x"])("%s is refused by name", (url) => {
    expect(() => backendFolder(url)).toThrow(UnsupportedBackendError);
    expect(() => backendFolder(url)).toThrow(url);
  });

  it("never shows credentials", () => {
    expect(() => backendFolder("postgres://user:hunter2@host/db")).toThrow(/^(?!.*hunter2)/s);
  });

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
  it.each(["dev", "organization/dev", "organization/shop/dev"])("%s is the stack dev of shop", (text) => {
    expect(parseStackRef(text, "shop")).toStrictEqual(ref);
  });
  it.each(["", "..", "a b", "acme/shop/dev", "organization/shop/dev/x", "a/../b", "x".repeat(101)])(
    "%j is refused",
    (text) => {
      expect(() => parseStackRef(text, "shop")).toThrow(InvalidNameError);
    },
  );
  it("cannot leave the folder", async () => {
    const backend = await newBackend();
    await expect(backend.exists({ project: "..", stack: "x" })).rejects.toThrow(InvalidNameError);
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
    await backend.create(ref);
    await backend.create({ project: "shop", stack: "a.b" });
    await backend.create({ project: "blog", stack: "dev" });
    await expect(backend.create(ref)).rejects.toThrow(StackExistsError);
    expect(await backend.list()).toStrictEqual([
      { project: "blog", stack: "dev" },
      { project: "shop", stack: "a.b" },
      { project: "shop", stack: "dev" },
    ]);
    const lock = await backend.lock(ref);
    await backend.remove(lock);
    await lock.release();
    expect(await backend.list("shop")).toStrictEqual([{ project: "shop", stack: "a.b" }]);
    await expect(backend.read(ref)).rejects.toThrow(StackNotFoundError);
  });

  it("keeps what a run left, without a word of the secrets, and the state before as .bak", async () => {
    const backend = await newBackend();
    const secrets = await sharedSecrets();
    await deployed(backend, secrets, [root, provider, page("a")]);
    const read = await backend.read(ref, secrets);
    expect(read.resources).toStrictEqual([root, provider, page("a")]);
    expect(await readFile(stackFile(backend), "utf8")).not.toContain("key of a");
    expect(await readFile(stackFile(backend, ".json.bak"), "utf8")).not.toContain("landform:Page");
  });

  it("needs the right passphrase for secrets, and none where there are none", async () => {
    const backend = await newBackend();
    await deployed(backend, await sharedSecrets(), [root, provider, page("a")]);
    await expect(backend.read(ref)).rejects.toThrow(MissingPassphraseError);
    const wrong = await PassphraseSecrets.create("wrong");
    await expect(backend.read(ref, wrong)).rejects.toThrow(WrongPassphraseError);
    const plain = await newBackend();
    await deployed(plain, undefined, [root, page("a", { outputs: {}, provider: undefined })]);
    expect((await plain.read(ref)).resources).toHaveLength(2);
  });

  it("gives what it has decrypted to nobody who could not decrypt it, and not once the file is another", async () => {
    const backend = await newBackend();
    const secrets = await sharedSecrets();
    await deployed(backend, secrets, [root, provider, page("a")]);
    const first = await backend.read(ref, secrets);
    expect(await backend.read(ref, secrets)).toBe(first);
    await expect(backend.read(ref)).rejects.toThrow(MissingPassphraseError);
    await expect(backend.read(ref, await PassphraseSecrets.create("wrong"))).rejects.toThrow(WrongPassphraseError);
    const other = await FileBackend.open(backend.root);
    const lock = await other.lock(ref);
    const session = await other.begin(lock, secrets, { kind: "update" });
    await session.note({ new: page("b") });
    expect((await backend.read(ref, secrets)).resources.map(({ urn }) => urn)).toContain(page("b").urn);
    await session.end(summary());
    await lock.release();
    const after = await backend.read(ref, secrets);
    expect(after.resources).toHaveLength(4);
    expect(after.resources).toContainEqual(page("b"));
    expect(first.resources).toHaveLength(3);
  });

  it("takes over a stack that has another salt of the same passphrase", async () => {
    const backend = await newBackend();
    await deployed(backend, await sharedSecrets(), [root, provider, page("a")]);
    const other = await PassphraseSecrets.create(passphrase);
    const lock = await backend.lock(ref);
    const session = await backend.begin(lock, other, { kind: "update" });
    await session.commit(await session.begin({ type: "creating", resource: page("b") }), { new: page("b") });
    await session.abandon();
    await backend.fold(lock);
    await lock.release();
    const read = await backend.read(ref, other);
    expect(read.secretsProvider).toStrictEqual(other.provider);
    expect(read.resources).toStrictEqual(expect.arrayContaining([root, provider, page("a"), page("b")]));
  });

  it("reads a compressed checkpoint and keeps it compressed; zstd is refused by name", async () => {
    const backend = await newBackend();
    await deployed(backend, await sharedSecrets(), [root, provider]);
    await writeFile(stackFile(backend, ".json.gz"), gzipSync(await readFile(stackFile(backend))));
    await rm(stackFile(backend));
    const lock = await backend.lock(ref);
    const session = await backend.begin(lock, await sharedSecrets(), { kind: "update" });
    expect(session.base.resources).toHaveLength(2);
    await session.end(summary());
    await lock.release();
    expect(gunzipSync(await readFile(stackFile(backend, ".json.gz"))).toString()).toContain("pulumi:providers");
    expect(await backend.exists(ref)).toBe(true);
    await rm(stackFile(backend, ".json.gz"));
    await writeFile(stackFile(backend, ".json.zst"), "");
    await expect(backend.read(ref)).rejects.toThrow(/zstd/);
  });

  it("does not start on a state that Pulumi would refuse", async () => {
    const latest = { manifest: {}, resources: [page("a", { outputs: {} })] };
    const backend = await withCheckpoint({ version: 3, checkpoint: { stack: "organization/shop/dev", latest } });
    const lock = await backend.lock(ref);
    await expect(backend.begin(lock, undefined, { kind: "update" })).rejects.toThrow(IntegrityError);
    await expect(backend.begin(lock, undefined, { kind: "update" })).rejects.toThrow(/its parent .* is missing/);
    await lock.release();
  });
});

describe("a checkpoint", () => {
  it("of a stack that was only created is an empty state", async () => {
    const backend = await withCheckpoint('{"version":0,"checkpoint":{"stack":"organization/shop/dev"}}');
    expect((await backend.read(ref)).resources).toStrictEqual([]);
  });
});
