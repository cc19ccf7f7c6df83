/** A client reads what it wrote, whatever the service shows: real calls to a service that lags behind itself. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { Account } from "../../provider/account/account.ts";
import { orGone } from "../../provider/account/presence.ts";
import { product } from "../../provider/kinds/product.ts";
import { pages } from "../../provider/kinds/page/document/collection.ts";
import { forAllTests } from "../suite/opened.ts";

const emulator = forAllTests(() => startEmulator());
let account: Account;
beforeEach(() => {
  account = new Account({ baseUrl: emulator.baseUrl, apiKey: emulator.apiKey }, 1_000);
});
afterEach(async () => {
  emulator.faults.clear();
  emulator.notShown.listLagMs = 0;
  emulator.notShown.contentLagMs = 0;
  await account.api.close();
});

const LONG_AGO = "2020-01-01T00:00:00.000Z";
const HOUR = 3_600_000;

const callsOf = (path: string): number => emulator.requests.filter(({ path: asked }) => asked === path).length;

describe("a record by its id", () => {
  test("that was just made and is not found is waited for", async () => {
    const { api } = account;
    const made = await api.pages.create({ name: "Just made" });
    emulator.faults.add({ method: "GET", path: `/pages/${made.id}`, phase: "status", status: 404, times: 2 });
    expect(await api.pages.read(made.id)).toMatchObject({ page_name: "Just made" });
  });

  test("that was seen before, and is not found, is said to be so at once", async () => {
    const { api } = account;
    const made = await api.pages.create({ name: "Seen" });
    await api.pages.read(made.id);
    emulator.faults.add({ method: "GET", path: `/pages/${made.id}`, phase: "status", status: 404, times: 1 });
    expect(await orGone(api.pages.read(made.id))).toBeUndefined();
  });

  test("that this client deleted is gone", async () => {
    const { api } = account;
    const made = await api.pages.create({ name: "Deleted" });
    await api.pages.delete(made.id);
    expect(await account.read(pages, made.id)).toBeUndefined();
    expect(callsOf(`/pages/${made.id}`)).toBe(2);
  });

  test("that is older than what was answered is waited for", async () => {
    const { api } = account;
    const { id } = await api.projects.create({ name: "Old", description: "d".repeat(60), context: "c".repeat(210) });
    await api.projects.update(id, { name: "New" });
    const behind = { name: "Old", updated_at: LONG_AGO };
    emulator.faults.add({ method: "GET", path: `/projects/${id}`, phase: "altered", set: behind, times: 2 });
    expect(await api.projects.read(id)).toMatchObject({ name: "New" });
  });

  test("of a service whose dates go back is taken as it is, and waited for once", async () => {
    const { api } = account;
    const { id } = await api.projects.create({ name: "Dates", description: "d".repeat(60), context: "c".repeat(210) });
    await api.projects.update(id, { name: "Dates 2" });
    const behind = { updated_at: LONG_AGO };
    emulator.faults.add({ method: "GET", path: `/projects/${id}`, phase: "altered", set: behind, times: Infinity });
    expect(await api.projects.read(id)).toMatchObject({ name: "Dates 2" });
    const before = callsOf(`/projects/${id}`);
    expect(await api.projects.read(id)).toMatchObject({ name: "Dates 2" });
    expect(callsOf(`/projects/${id}`) - before).toBe(1);
  });
});

describe("a list that is behind", () => {
  test("shows what this client wrote, and costs no call more", async () => {
    const { api } = account;
    const { id } = await api.products.create({ name: "Mug", price: 1 });
    emulator.notShown.listLagMs = HOUR;
    await api.products.update({ product_id: id, price: 2 });
    const before = emulator.requests.length;
    expect((await api.products.list()).find((row) => row.id === id)).toMatchObject({ price: 2 });
    expect(emulator.requests.length - before).toBe(1);
  });

  test("serves no read from before a later write", async () => {
    const { api } = account;
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, index) => api.products.create({ name: `Row ${index}` })),
    );
    const rows = product.collection as NonNullable<typeof product.collection>;
    const read = () => Promise.all(made.map(({ id }) => account.row(rows, id)));
    await read();
    await api.products.update({ product_id: made[0]?.id ?? "", name: "Renamed" });
    expect((await read())[0]).toMatchObject({ name: "Renamed" });
  });
});

describe("what a page holds", () => {
  const TITLE = "hero.title";
  const call = "PATCH /pages/content";

  const shown = async (id: string) => {
    const texts = new Map([[TITLE, { was: "Before", sent: "After" }]]);
    const { fields } = await account.documents.texts(id, await account.documents.fields(id), texts);
    return fields.value(TITLE);
  };

  async function written(was: string): Promise<string> {
    const { api } = account;
    const { id } = await api.pages.createFromTemplate({ template_id: "tpl-hero", name: "Texts" });
    await api.pages.updateContent({ page_id: id, updates: { [TITLE]: was } });
    return id;
  }

  test("is shown as it was written", async () => {
    const id = await written("Before");
    emulator.notShown.contentLagMs = 700;
    await account.api.pages.updateContent({ page_id: id, updates: { [TITLE]: "After" } });
    expect(await shown(id)).toBe("After");
  });

  test("and stays as it was is told by its key", async () => {
    const id = await written("Before");
    await expect(shown(id)).rejects.toMatchObject({
      name: "NotYetSeenError",
      fields: [`content.${TITLE}`],
      message: expect.stringContaining(`the service answered ${call} with success, but did not change ${id}`) as string,
    });
  });
});
