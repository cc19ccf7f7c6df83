/** A value that a person and the code have changed is not written over unseen, where the object has no draft that could be held back. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Desk } from "./harness.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.close());

const mug = (ctaText: string): void =>
  desk.program(`new landform.Product("mug", { price: 3, ctaText: "${ctaText}" });`);
const apply = async (): Promise<void> => {
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
};
const told = async (): Promise<string[]> => {
  const { stdout } = await desk.run(["preview", "--json"]);
  const { warnings } = JSON.parse(stdout) as { readonly warnings: readonly string[] };
  return warnings.filter((text) => /by now|somebody has changed/.test(text));
};

async function edit(text: string): Promise<void> {
  const { baseUrl, apiKey } = desk.emulator;
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const [product] = desk.emulator.records().products ?? [];
  const body = JSON.stringify({ product_id: product?.["id"], cta_text: text });
  expect((await fetch(`${baseUrl}/products`, { method: "PATCH", headers, body })).status).toBe(200);
}

test("the plan shows the value of the last run, of the account and of the code; the undo brings the person's back", async () => {
  mug("one");
  await apply();
  mug("two");
  expect(await told()).toEqual([]);
  await edit("WORDS of a person");
  expect(await told()).toEqual([
    'Product mug: ctaText is "WORDS of a person" by now, not as the last run left it, and this plan writes "two" over it',
  ]);
  const { stdout } = await desk.run(["preview"]);
  expect(stdout).toMatch(/ctaText +"one" → "two"[^]*WORDS of a person/);
  await apply();
  expect((await desk.run(["undo", "--yes"])).code).toBe(0);
  expect(desk.emulator.records().products).toMatchObject([{ ctaText: "WORDS of a person" }]);
});

test("nothing is told of what a person has made as the code says, and of values that the plan leaves alone", async () => {
  mug("one");
  await apply();
  await edit("two");
  mug("two");
  expect(await told()).toEqual([]);
  await apply();
});

test("an account that does not answer is named", async () => {
  mug("one");
  await apply();
  mug("two");
  desk.emulator.faults.add({ method: "GET", path: "/products/{productId}", phase: "status", status: 403, times: null });
  expect(await told()).toEqual([expect.stringContaining("Landform could not ask if somebody has changed it")]);
});

test("an adoption shows the values that it writes over, and says so of an object that is as declared", async () => {
  const { baseUrl, apiKey } = desk.emulator;
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "mug", price: 3, cta_text: "WORDS of a person" });
  const { id } = (await (await fetch(`${baseUrl}/products`, { method: "POST", headers, body })).json()) as {
    id: string;
  };
  const adopting = (more: string): void => desk.program(`new landform.Product("mug", { adoptId: "${id}", ${more} });`);
  adopting('price: 3, ctaText: "two"');
  expect((await desk.run(["preview"])).stdout).toMatch(
    /= Product mug\n.*only what differs there is sent\n +ctaText +"WORDS of a person" → "two"\n\n/,
  );
  // The site's id is known once it is made, so nobody can say yet that nothing differs.
  desk.program(`const site = new landform.Site("new.example");
new landform.Product("mug", { adoptId: "${id}", price: 3, ctaUrl: site.id });`);
  expect((await desk.run(["preview"])).stdout).toMatch(
    /= Product mug\n.*only what differs there is sent\n +ctaUrl +\[known after apply\]\n\n/,
  );
  adopting("price: 3");
  expect((await desk.run(["preview"])).stdout).toMatch(/= Product mug\n +takes over the existing object as it is\n\n/);
  await apply();
  expect(desk.emulator.records().products).toMatchObject([{ ctaText: "WORDS of a person" }]);
});
