/** Only its owner sees a state, and nothing in its folder leads a run to another file. */
import { lstat, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InvalidNameError, projectWithoutFile, StackConfig, UnsupportedBackendError } from "../../engine/index.ts";
import { fileOf, newBackend, page, ran, ref, stackOf, temporaryFolder } from "./fixtures.ts";

async function modes(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    found.set(path.slice(folder.length + 1), `${entry.isDirectory() ? "folder" : "file"} ${await modeOf(path)}`);
  }
  return found;
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe("the files of a stack", () => {
  it("are their owner's alone: checkpoint, backup, history, locks, journal", async () => {
    const mask = process.umask(0o022);
    try {
      const backend = await stackOf(page("offer"));
      await ran(backend, async (session) => {
        await session.begin({ type: "creating", resource: page("second") });
        const found = await modes(join(backend.root, ".pulumi"));
        const names = [...found.keys()].join("\n");
        for (const part of [".json.bak", ".journal", ".history.json", "locks/", "backups/"])
          expect(names).toContain(part);
        expect([...new Set(found.values())].sort()).toEqual(["file 600", "folder 700"]);
      });
    } finally {
      process.umask(mask);
    }
  });
});

describe("a symbolic link in the folder of the state is refused, and what it leads to stays as it is:", () => {
  it.each([".json", ".json.bak", ".journal"])("the stack's %s", async (extension) => {
    const backend = await newBackend();
    await backend.create(ref);
    const victim = join(await temporaryFolder(), "victim");
    await writeFile(victim, "precious");
    const path = fileOf(backend, extension);
    await rename(path, `${path}.away`).catch(() => undefined);
    await symlink(victim, path);
    await expect(backend.lock(ref)).rejects.toThrow(UnsupportedBackendError);
    await expect(backend.readStored(ref)).rejects.toThrow(/is a symbolic link/);
    expect(await readFile(victim, "utf8")).toBe("precious");
  });

  it.each(["locks", "locks/organization", "history/shop", "stacks/shop"])("the folder %s", async (name) => {
    const backend = await newBackend();
    const outside = await temporaryFolder();
    const path = join(backend.root, ".pulumi", name);
    await mkdir(join(path, ".."), { recursive: true });
    await symlink(outside, path);
    await expect(backend.create(ref)).rejects.toThrow(/is a symbolic link/);
    expect(await readdir(outside)).toEqual([]);
  });
});

const NO_STACK = ["../../out", "/../../out", "..", ".", "a b", "a/", "a/../b", "", "x\0y", "x".repeat(101)];

it.each(NO_STACK)("a stack named %j has no file of configuration", async (stack) => {
  const refused = StackConfig.read(projectWithoutFile(await temporaryFolder(), "test"), stack);
  await expect(refused).rejects.toThrow(InvalidNameError);
  await expect(refused).rejects.toThrow(/is not a valid stack name/);
});

describe("a stack's settings that are a link", () => {
  async function linkedTo(target: string): Promise<StackConfig> {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "settings"));
    await writeFile(join(folder, "settings", "dev.yaml"), "config: {}\n", { mode: 0o640 });
    await symlink(target, join(folder, "Pulumi.dev.yaml"));
    const config = await StackConfig.read(projectWithoutFile(folder, "test"), "dev");
    config.set("color", "red");
    return config;
  }

  it("to a file outside of the project: it stays as it is", async () => {
    const victim = join(await temporaryFolder(), "victim.yaml");
    await writeFile(victim, "precious: true\n");
    await expect((await linkedTo(victim)).write()).rejects.toThrow(/outside of the project, and nothing is written/);
    expect(await readFile(victim, "utf8")).toBe("precious: true\n");
  });

  it("to a file that isn't there: none is made", async () => {
    const outside = await temporaryFolder();
    await expect((await linkedTo(join(outside, "new.yaml"))).write()).rejects.toThrow(/to a file that isn't there/);
    expect(await readdir(outside)).toEqual([]);
  });

  it("to another file of the project: that is changed, and the link stays", async () => {
    const config = await linkedTo("settings/dev.yaml");
    await config.write();
    const file = join(config.project.root, "settings/dev.yaml");
    expect((await lstat(config.file)).isSymbolicLink()).toBe(true);
    expect(await readFile(file, "utf8")).toContain("color: red");
    expect(await modeOf(file)).toBe("640");
  });
});

it("a stack's settings are shared with whoever reads the project, and are written whole", async () => {
  const mask = process.umask(0o022);
  const config = await StackConfig.read(projectWithoutFile(await temporaryFolder(), "test"), "dev");
  config.set("color", "red");
  await config.write();
  process.umask(mask);
  expect(await modeOf(config.file)).toBe("644");
  expect(await readdir(config.project.root)).toEqual(["Pulumi.dev.yaml"]);
});

it("the state of another stack, put in the place of this one's, is refused and stays as it is", async () => {
  const backend = await stackOf(page("offer"));
  const content = (await readFile(fileOf(backend), "utf8")).replaceAll(`::${ref.project}::`, "::other::");
  await writeFile(fileOf(backend), content);
  await expect(ran(backend, () => undefined)).rejects.toThrow(
    /holds the state of other\/.* and this is .* Nothing was sent/,
  );
  expect(await readFile(fileOf(backend), "utf8")).toBe(content);
});
