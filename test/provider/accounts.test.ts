/** The account of a key: keys of another account, keys with few scopes, rotated and missing keys. */
import { beforeEach, describe, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import {
  calls,
  nextRun,
  openHost,
  PROJECT as declared,
  ResourceTest,
  applied,
  runWith,
  worldOfAll,
} from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { forAllTests } from "../suite/opened.ts";

const world = worldOfAll();
const other = forAllTests(() => startEmulator());
beforeEach(() => {
  other.requests.length = 0;
});

describe("a key of another account", () => {
  const wrong =
    /belongs to account \S+, but this stack's state belongs to account \S+\. Nothing was sent\. Use a key of account/;
  const made = (): string[] => other.requests.map(({ method, path }) => `${method} ${path}`);

  async function elsewhere(work: (project: ResourceTest) => Promise<void>): Promise<void> {
    const project = await applied(world, "project", unique("account"), declared);
    const { host } = openHost(other);
    try {
      await work(project.handTo(host.client));
    } finally {
      await host.close();
    }
    expect(made().filter((call) => call !== "GET /me")).toEqual([]);
  }

  test("refuses update, delete and read before anything is sent", () =>
    elsewhere(async (project) => {
      await expect(project.up({ ...declared, name: "New" })).rejects.toThrow(wrong);
      await expect(project.delete()).rejects.toThrow(wrong);
      await expect(project.refresh()).rejects.toThrow(wrong);
      expect(project.state).toBeDefined();
      expect(project.outputs["name"]).not.toBe("New");
    }));

  test("refuses a creation in a run that has seen the state of the other account", () =>
    elsewhere(async (project) => {
      expect(await project.up(declared)).toBe("same");
      const page = new ResourceTest(world, "page", unique("page")).handTo(project.client);
      await expect(page.up({})).rejects.toThrow(wrong);
    }));
});

test("a key without account:read works, and what it makes can be worked on with a full one", async () => {
  const scopes = ["projects:read", "projects:write"];
  const project = new ResourceTest(world, "project", unique("narrow"));
  await runWith(world, { LANDFORM_API_KEY: world.emulator.createKey({ scopes }) }, async (client) => {
    expect(await project.handTo(client).apply(declared)).toBe("created");
    expect(await project.apply({ ...declared, name: "Renamed" })).toBe("updated");
    await refreshPlansNothing(project, { ...declared, name: "Renamed" });
  });
  project.handTo(world.host.client);
  await refreshPlansNothing(project, { ...declared, name: "Renamed" });
  await project.delete();
});

test("a key without account:read is refused where the state knows its account, before anything is sent", async () => {
  const project = await applied(world, "project", unique("whose"), declared);
  calls(world);
  const key = world.emulator.createKey({ scopes: ["projects:read", "projects:write"] });
  const unknown = /may not tell which account it belongs to .*account:read.*this stack's state belongs to account/;
  await runWith(world, { LANDFORM_API_KEY: key }, async (client) => {
    project.handTo(client);
    await expect(project.up({ ...declared, name: "New" })).rejects.toThrow(unknown);
    await expect(project.delete()).rejects.toThrow(unknown);
    await expect(project.refresh()).rejects.toThrow(unknown);
    const page = new ResourceTest(world, "page", unique("page")).handTo(client);
    await expect(page.up({})).rejects.toThrow(unknown);
  });
  expect(calls(world).filter((call) => !call.includes("/me"))).toEqual([]);
  project.handTo(world.host.client);
  await refreshPlansNothing(project, declared);
});

test("a key that lacks a scope is told so by the scope's name, and leaves nothing behind", async () => {
  const key = world.emulator.createKey({ scopes: ["projects:read"] });
  const project = new ResourceTest(world, "project", unique("scope"));
  const up = project.upNext(declared, { LANDFORM_API_KEY: key });
  await expect(up).rejects.toThrow(/POST \/projects.*403.*projects:write/);
  expect(project.state).toBeUndefined();
});

test("a key rotated in the environment is used at once", async () => {
  const old = world.emulator.createKey();
  const project = new ResourceTest(world, "project", unique("rotated"));
  await project.upNext(declared, { LANDFORM_API_KEY: old });
  world.emulator.revokeKey(old);
  await runWith(world, { LANDFORM_API_KEY: old }, async (client) => {
    await expect(project.handTo(client).refresh()).rejects.toThrow(/401/);
    expect(project.state).toBeDefined();
  });
  await nextRun(world, (client) => refreshPlansNothing(project.handTo(client), declared));
});

test.each([
  ["no key", { LANDFORM_API_KEY: "" }, /LANDFORM_API_KEY.*is not set/],
  ["a key with a line break", { LANDFORM_API_KEY: "abc\ndef" }, /LANDFORM_API_KEY.*line break/],
  ["no base URL", { LANDFORM_BASE_URL: "" }, /LANDFORM_BASE_URL.*is not set/],
])("%s is named, and check still works offline", async (_, env, message) => {
  await runWith(world, env, async (client) => {
    const project = new ResourceTest(world, "project", unique("unset")).handTo(client);
    await project.check(declared);
    await expect(project.up(declared)).rejects.toThrow(message);
  });
});
