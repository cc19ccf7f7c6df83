/** A state is held in memory once, however often a command asks for it, and whatever it writes. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { checkpointOf, deployed, newBackend, page, provider, ref, root, sharedSecrets } from "./fixtures.ts";

const content = { "hero.title": "Mugs for the morning", "hero.text": "And for the night" };
const declared = { name: "offer", content };

function open(name: string): ReturnType<typeof page> {
  return page(name, { inputs: structuredClone(declared), outputs: structuredClone({ ...declared, status: "draft" }) });
}

test("of a file that has not changed all who read it hold the same values", async () => {
  const backend = await newBackend();
  const secrets = await sharedSecrets();
  await deployed(backend, secrets, [root, provider, open("offer"), page("with-a-secret")]);
  const [first, second] = [await backend.read(ref, secrets), await backend.read(ref, secrets)];
  const valuesOf = ({ resources }: typeof first, name: string) => resources.find(({ id }) => id === `id-${name}`);
  expect(valuesOf(second, "offer")?.inputs).toBe(valuesOf(first, "offer")?.inputs);
  expect(valuesOf(second, "with-a-secret")).toEqual(valuesOf(first, "with-a-secret"));
  expect(valuesOf(first, "offer")?.outputs?.["content"]).toBe(valuesOf(first, "offer")?.inputs?.["content"]);
  const lock = await backend.lock(ref);
  const session = await backend.begin(lock, secrets, { kind: "update" });
  expect(valuesOf(session.base, "offer")?.inputs).toBe(valuesOf(first, "offer")?.inputs);
  await session.abandon();
  await lock.release();
});

test("another file is another state", async () => {
  const backend = await newBackend();
  await deployed(backend, undefined, [root, provider, open("offer")]);
  const before = await backend.readStored(ref);
  const lock = await backend.lock(ref);
  await backend.replace(lock, { ...before, resources: (before.resources ?? []).slice(0, 2) });
  await lock.release();
  expect((await backend.read(ref)).resources).toHaveLength(2);
});

test.each([0, 1, 500, 501, 1_203])("a file of %i pages is what its JSON is in one go", async (count) => {
  const backend = await newBackend();
  const pages = Array.from({ length: count }, (_, index) => open(`page-${index}`));
  await deployed(backend, undefined, count === 0 ? [] : [root, provider, ...pages]);
  const text = await readFile(checkpointOf(backend), "utf8");
  const read = JSON.parse(text) as { checkpoint: { latest: { resources?: unknown[] } } };
  expect(text).toBe(JSON.stringify(read));
  expect(read.checkpoint.latest.resources?.length).toBe(count === 0 ? undefined : count + 2);
});
