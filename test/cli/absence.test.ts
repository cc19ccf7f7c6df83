/** Commands that get one answer "not found" for an object, and commands after somebody deleted an object. */
import { beforeAll, expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => NearDesk.open());
let id: string;

beforeAll(async () => {
  desk.write("landform.yaml", "landform: 1\nname: absence\npages: { offer: { name: Offer } }\n");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  const [page] = await new LandformApi(desk.emulator).pages.search({ query: "Offer" });
  id = page?.id ?? "";
}, 240_000);

test.each(["drift", "refresh"])("%s finds nothing gone after one 404", async (command) => {
  desk.emulator.faults.add({ method: "GET", path: `/pages/${id}`, phase: "status", status: 404 });
  const options = command === "drift" ? ["--detailed-exitcode"] : ["--yes"];
  const { code, stdout } = await desk.run([command, ...options]);
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("deleted")]);
  expect(desk.emulator.requests.filter(({ path }) => path === `/pages/${id}`).length).toBeGreaterThan(1);
  desk.emulator.requests.length = 0;
});

test("drift tells of a real deletion, and the next refresh forgets the page", async () => {
  await new LandformApi(desk.emulator).pages.delete(id);
  expect((await desk.run(["drift", "--detailed-exitcode"])).code).toBe(2);
  expect((await desk.run(["up", "--refresh", "--yes"])).code).toBe(0);
  const pages = await new LandformApi(desk.emulator).pages.list();
  expect(pages.map(({ page_name: name }) => name)).toEqual(["Offer"]);
  expect(pages[0]?.id).not.toBe(id);
}, 240_000);
