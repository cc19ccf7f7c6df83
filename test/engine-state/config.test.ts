import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  MissingPassphraseError,
  type Project,
  ProjectFileError,
  projectWithoutFile,
  readProject,
  StackConfig,
  stackSecrets,
  WrongPassphraseError,
} from "../../engine/index.ts";
import { passphrase, sharedSecrets, temporaryFolder } from "./fixtures.ts";

async function project(text: string, stack?: string): Promise<Project> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "Pulumi.yaml"), text);
  if (stack !== undefined) await writeFile(join(folder, "Pulumi.dev.yaml"), stack);
  const found = await readProject(folder);
  if (found === undefined) throw new Error("no project");
  return found;
}

const plainProject = "name: shop\nruntime: nodejs\n";

const stackConfig = async (text: string, projectText = plainProject): Promise<StackConfig> =>
  StackConfig.read(await project(projectText, text), "dev");

describe("Pulumi.yaml", () => {
  it("may be missing, or be called .yml with its stacks", async () => {
    const folder = await temporaryFolder();
    expect(await readProject(folder)).toBeUndefined();
    await writeFile(join(folder, "Pulumi.yml"), plainProject);
    const found = await readProject(folder);
    expect(found && (await StackConfig.read(found, "dev")).file).toBe(join(folder, "Pulumi.dev.yml"));
    expect((await StackConfig.read(projectWithoutFile(folder, "x"), "dev")).file).toBe(join(folder, "Pulumi.dev.yaml"));
  });

  it.each([
    ["broken YAML", "name: shop\nruntime: [nodejs\n", /Pulumi\.yaml:3:1: .*flow/i],
    ["a key twice", "name: shop\nname: shop\n", /Pulumi\.yaml:2:1: .*unique/],
    ["no name", "runtime: nodejs\n", /Pulumi\.yaml:1:1: .*no `name`/],
    ["a bad name", "name: a b\nruntime: nodejs\n", /Pulumi\.yaml:1:7: "a b" is not a valid project name/],
    ["no runtime", "name: shop\n", /no `runtime`/],
    ["a list", "- name\n", /is a map/],
    ["an empty file", "", /is a map/],
    ["a number for a text", "name: shop\nruntime: nodejs\nmain: 5\n", /Pulumi\.yaml:3:7: `main` is a text/],
  ])("with %s says where", async (_what, text, message) => {
    await expect(project(text)).rejects.toThrow(ProjectFileError);
    await expect(project(text)).rejects.toThrow(message);
  });
});

describe("a stack's configuration", () => {
  it("keeps comments, order and what it does not know", async () => {
    const text = `# The development stack
encryptionsalt: v1:x # never change
config:
  # Where the shop lives
  shop:url: https://shop.example # live
  shop:count: "5"

  aws:region: eu-west-1
future: field
`;
    const config = await stackConfig(text);
    config.set("count", "6");
    config.set("landform:baseUrl", "http://x");
    await config.write();
    expect(await readFile(config.file, "utf8")).toBe(
      text.replace('"5"', '"6"').replace("eu-west-1\n", "eu-west-1\n  landform:baseUrl: http://x\n"),
    );
  });

  it("gets, sets and removes plain, secret and inner values", async () => {
    const secrets = await sharedSecrets();
    const config = await stackConfig("");
    config.set("name", "x");
    config.set("key", "hush", { secret: secrets });
    config.set("a.b[0]", "5", { path: true });
    config.set("a.b[1]", "007", { path: true });
    config.set("a.deep.secret", "psst", { path: true, secret: secrets });
    config.set('a["x.y"]', "true", { path: true });
    await config.write();
    expect(await readFile(config.file, "utf8")).not.toMatch(/hush|psst/);
    const again = await StackConfig.read(config.project, "dev");
    expect(again.get("name")).toBe("x");
    expect(again.get("shop:key", secrets)).toBe("hush");
    expect(again.get("a", secrets)).toStrictEqual({ b: [5, "007"], deep: { secret: "psst" }, "x.y": true });
    expect(again.get("a.b[1]", undefined, { path: true })).toBe("007");
    expect(again.get("a.b[7].c", undefined, { path: true })).toBeUndefined();
    expect(() => again.get("key")).toThrow(MissingPassphraseError);
    const inside = () => again.set("a.deep.secret.x", 1, { path: true });
    expect(inside).toThrow(/shop:a\.deep\.secret is a plain value or a secret/);
    expect(again.remove("a.deep", { path: true })).toBe(true);
    expect(again.remove("key")).toBe(true);
    expect(again.remove("key")).toBe(false);
    expect(again.keys()).toStrictEqual(["shop:name", "shop:a"]);
    expect(again.get("a")).toStrictEqual({ b: [5, "007"], "x.y": true });
  });

  it("gives programs the settings as texts, and the names of the secret ones", async () => {
    const secrets = await sharedSecrets();
    const config = await stackConfig(`
config:
  shop:text: hello
  shop:number: 1.50
  shop:long: 12345678901234567890
  shop:flag: true
  shop:object: { b: [1, two], a: null }
  shop:config:older: form
  shop:key: { secure: "${secrets.encrypt("hush")}" }
  shop:nested: { list: [{ secure: "${secrets.encrypt("psst")}" }] }
`);
    expect(config.resolve(secrets)).toStrictEqual({
      values: {
        "shop:text": "hello",
        "shop:number": "1.5",
        "shop:long": "12345678901234567890",
        "shop:flag": "true",
        "shop:object": '{"a":null,"b":[1,"two"]}',
        "shop:older": "form",
        "shop:key": "hush",
        "shop:nested": '{"list":["psst"]}',
      },
      secretKeys: ["shop:key", "shop:nested"],
    });
    const names = Object.keys(config.resolve(secrets).values);
    expect(names).toStrictEqual(names.toSorted());
    expect(JSON.stringify(config.record())).not.toMatch(/hush|psst/);
    expect(() => config.resolve()).toThrow(/shop:key is a secret.*PULUMI_CONFIG_PASSPHRASE/s);
  });

  it.each([
    ["a missing value", "config: {}", "{ need: { type: string } }", /no value for shop:need/],
    ["an open secret", "config: { shop:need: x }", "{ need: { secret: true } }", /^.*dev\.yaml:1:22: .*be a secret/],
    ["a wrong type", "config: { shop:need: x }", "{ need: { type: integer } }", /dev\.yaml:1:22: .*of type integer/],
  ])("says what the project asks for: %s", async (_what, text, asked, message) => {
    const config = await stackConfig(text, `${plainProject}config: ${asked}\n`);
    expect(() => config.resolve()).toThrow(/shop:need/);
    expect(() => config.resolve()).toThrow(ProjectFileError);
    expect(() => config.resolve()).toThrow(message);
  });
});

describe("a stack's secrets", () => {
  it("get a salt once, and open with it afterwards", async () => {
    const config = await stackConfig("# mine\nconfig: {}\n");
    expect(await stackSecrets(config, {})).toBeUndefined();
    const first = await stackSecrets(config, { PULUMI_CONFIG_PASSPHRASE: passphrase });
    expect(await readFile(config.file, "utf8")).toBe(`# mine\nconfig: {}\nencryptionsalt: ${first?.salt ?? ""}\n`);
    const read = await StackConfig.read(config.project, "dev");
    expect(read.encryptionSalt).toBe(first?.salt);
    expect((await stackSecrets(read, { PULUMI_CONFIG_PASSPHRASE: passphrase }))?.salt).toBe(first?.salt);
    await expect(stackSecrets(read, { PULUMI_CONFIG_PASSPHRASE: "other" })).rejects.toThrow(WrongPassphraseError);
  });

  it("take the checkpoint's salt where the file has none", async () => {
    const secrets = await sharedSecrets();
    const config = await stackConfig("");
    const opened = await stackSecrets(config, { PULUMI_CONFIG_PASSPHRASE: passphrase }, secrets.provider);
    expect(opened?.salt).toBe(secrets.salt);
    expect(config.encryptionSalt).toBe(secrets.salt);
  });
});

describe("what config set refuses", () => {
  it("a key without a name", async () => {
    const config = await stackConfig("config: {}\n");
    for (const key of ["", " ", ":", "shop:", ":key", "shop:config:"])
      expect(() => config.set(key, "x"), JSON.stringify(key)).toThrow(ProjectFileError);
    expect(config.keys()).toEqual([]);
  });

  it("refuses to replace a secret by an unencrypted value without --plaintext", async () => {
    const secure = "{ secure: v1:abc }";
    const config = await stackConfig(`config: { shop:token: ${secure}, shop:map: { inner: ${secure}, other: x } }\n`);
    expect(() => config.set("token", "in clear")).toThrow(/token is a secret.*--secret.*--plaintext/);
    expect(() => config.set("map.inner", "in clear", { path: true })).toThrow(/is a secret/);
    expect(() => config.set("map", "in clear")).toThrow(/is a secret/);
    expect(JSON.stringify(config.record())).not.toContain("in clear");
    config.set("map.other", "y", { path: true });
    config.set("token", "in clear", { plaintext: true });
    expect(config.get("token")).toBe("in clear");
  });
});
