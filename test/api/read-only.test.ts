/** Commands that only read change nothing, whatever the key may do. The test watches the wire. */
import { afterEach, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { LandformApi, ReadOnlyError } from "../../provider/api/index.ts";
import { operations } from "../../provider/api/operations.ts";
import { forAllTests } from "../suite/opened.ts";

const emulator = forAllTests(() => startEmulator());
const api = forAllTests(() => new LandformApi(emulator));

afterEach(() => {
  delete process.env["LANDFORM_READ_ONLY"];
});

test.each(["1", "TRUE", "yes", " on "])("%j forbids writes", async (word) => {
  process.env["LANDFORM_READ_ONLY"] = word;
  await expect(api.pages.create({ name: "No" })).rejects.toBeInstanceOf(ReadOnlyError);
});

test.each(["", "0", "False", "no", "off"])("%j forbids none", async (word) => {
  process.env["LANDFORM_READ_ONLY"] = word;
  await expect(api.pages.create({ name: "Yes" })).resolves.toMatchObject({ name: "Yes" });
});

test("another word is refused by name before anything is sent, even a read", async () => {
  process.env["LANDFORM_READ_ONLY"] = "maybe";
  emulator.requests.length = 0;
  await expect(api.pages.list()).rejects.toThrow('LANDFORM_READ_ONLY is "maybe". Set it to true or false.');
  expect(emulator.requests).toEqual([]);
});

test("every kind of call that changes something is refused before it is sent; reads are not, also those that are posted", async () => {
  const page = await api.pages.create({ name: "Before" });
  process.env["LANDFORM_READ_ONLY"] = "true";
  emulator.requests.length = 0;
  const writes: (() => Promise<unknown>)[] = [
    () => api.pages.create({ name: "No" }),
    () => api.pages.updateContent({ page_id: page.id, updates: { a: "b" } }),
    () => api.pages.delete(page.id),
  ];
  for (const write of writes) {
    const error: unknown = await write().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ReadOnlyError);
    expect(String(error)).toMatch(/(POST|PATCH|DELETE) \/pages.*LANDFORM_READ_ONLY/);
  }
  expect(emulator.requests).toEqual([]);
  expect((await api.pages.list()).length).toBeGreaterThan(0);
  await api.pages.validate(page.id).catch(() => undefined);
  expect(emulator.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
  // One table says which operations read.
  const posted = Object.values(operations).filter(({ method, effect }) => effect === "read" && method !== "GET");
  expect(posted.map(({ path }) => path)).toEqual(["/pages/validate-before-publish"]);
});
