/** Texts that nobody declares come from a list of the account, which may lag. */
import { beforeAll, expect, test } from "vitest";
import { readAccount } from "../../stack/sources/account.ts";
import { startEmulator } from "../../emulator/index.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { forAllTests } from "../suite/opened.ts";

const emulator = forAllTests(() => startEmulator());
const api = forAllTests(() => new LandformApi(emulator));

beforeAll(() => api.pages.create({ name: "Offer" }));

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
