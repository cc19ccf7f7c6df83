/** Mentions come from a list of the account, which may lag. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAccount } from "../../stack/mentions/look.ts";
import { startEmulator, type Emulator } from "../../emulator/index.ts";
import { LandformApi } from "../../provider/api/index.ts";

let emulator: Emulator;
let api: LandformApi;

beforeAll(async () => {
  emulator = await startEmulator();
  api = new LandformApi(emulator);
  await api.pages.create({ name: "Offer" });
});
afterAll(async () => {
  await api.close();
  await emulator.close();
});

test("a page that a list still shows, and that is gone, says nothing; one that can't be asked is told", async () => {
  const fault = { method: "GET", path: "/search/page-content-map", phase: "status" } as const;
  const pages = async () => (await readAccount(api)).looks.filter(({ what }) => what === "pages");
  emulator.faults.add({ ...fault, status: 404 });
  expect(await pages()).toEqual([{ what: "pages", read: 1, left: 0 }]);
  emulator.faults.add({ ...fault, status: 403 });
  expect(await pages()).toEqual([
    { what: "pages", read: 0, left: 1, failed: expect.stringContaining("403") as string },
  ]);
});
