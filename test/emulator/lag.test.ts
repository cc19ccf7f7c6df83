import { expect, test } from "vitest";
import type { Emulator } from "../../emulator/index.ts";
import { Collection } from "../../emulator/records/store.ts";
import { create, type Json, ok, project, start } from "./helpers.ts";

const hour = 3_600_000;

const names = async (emulator: Emulator, path: string): Promise<unknown[]> =>
  (await ok<Json[]>(emulator, "GET", path)).map(({ name }) => name);

test("a new record is read by id at once, and listed and found later", async () => {
  const emulator = await start({ notShown: { listLagMs: hour } });
  const page = await create(emulator, "/pages", { name: "Offer" });
  const projectId = await create(emulator, "/projects", project);
  expect(await ok(emulator, "GET", `/pages/${page}`)).toMatchObject({ name: "Offer" });
  expect(await names(emulator, "/pages")).toEqual([]);
  expect(await names(emulator, `/search/pages?page_id=${page}`)).toEqual([]);
  expect(await names(emulator, `/search/projects?project_id=${projectId}`)).toEqual([]);
  emulator.notShown.listLagMs = 0;
  expect(await names(emulator, "/pages")).toEqual(["Offer"]);
});

test("a changed record is listed as it was, and a deleted one as if it were there", async () => {
  const emulator = await start();
  const kept = await create(emulator, "/projects", { ...project, name: "Old" });
  const gone = await create(emulator, "/projects", { ...project, name: "Gone" });
  emulator.notShown.listLagMs = hour;
  await ok(emulator, "PATCH", `/projects/${kept}`, { name: "New" });
  await ok(emulator, "DELETE", `/projects/${gone}`);
  expect(await ok(emulator, "GET", `/projects/${kept}`)).toMatchObject({ name: "New" });
  expect(await names(emulator, "/projects")).toEqual(["Old", "Gone"]);
  expect(await names(emulator, "/search/projects?query=old")).toEqual(["Old"]);
  emulator.notShown.listLagMs = 0;
  expect(await names(emulator, "/projects")).toEqual(["New"]);
});

test("what is referenced is looked up as it is, not as lists show it", async () => {
  const emulator = await start({ notShown: { listLagMs: hour } });
  const project_id = await create(emulator, "/projects", project);
  const page = await create(emulator, "/pages", { name: "Offer", project_id });
  await expect(ok(emulator, "DELETE", `/projects/${project_id}`)).rejects.toThrow("project_in_use");
  await ok(emulator, "DELETE", `/pages/${page}`);
  await ok(emulator, "DELETE", `/projects/${project_id}`);
});

test("each version shows up when its own time has come", async () => {
  let lag = 0;
  const shown = new Collection<{ id: string; n: number }>(
    [{ id: "a", n: 1 }],
    () => lag,
    () => undefined,
  );
  lag = 1;
  shown.put({ id: "a", n: 2 });
  lag = hour;
  shown.put({ id: "a", n: 3 });
  await expect.poll(() => shown.listed()).toEqual([{ id: "a", n: 2 }]);
  expect(shown.get("a")).toEqual({ id: "a", n: 3 });
  shown.delete("a");
  expect([shown.get("a"), shown.all(), shown.listed()]).toEqual([undefined, [], [{ id: "a", n: 2 }]]);
});
