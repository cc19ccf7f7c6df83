import { appendFile, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FileBackend, JournalCorruptError, JournalMismatchError, type UpdateSession } from "../../engine/index.ts";
import { markLeftJournal, readJournal } from "../../engine/state/journal.ts";
import { Layout } from "../../engine/state/layout.ts";
import { StackStore } from "../../engine/state/store.ts";
import {
  checkpointOf,
  deployed,
  essence,
  interrupted,
  journalOf,
  newBackend,
  page,
  provider,
  ref,
  root,
  sharedSecrets,
  summary,
} from "./fixtures.ts";

async function recovered(backend: FileBackend): Promise<{ session: UpdateSession; release: () => Promise<void> }> {
  const lock = await backend.lock(ref);
  return {
    session: await backend.begin(lock, await sharedSecrets(), { kind: "update" }),
    release: () => lock.release(),
  };
}

async function withLeftJournal(): Promise<{
  backend: FileBackend;
  store: StackStore;
  mark: (hash: string) => Promise<void>;
}> {
  const backend = await newBackend();
  await deployed(backend, await sharedSecrets(), [root, provider]);
  await interrupted(backend, async (session) => {
    await session.commit(await session.begin({ type: "creating", resource: page("a") }), { new: page("a") });
  });
  const store = new StackStore(new Layout(backend.root), ref);
  const { length = 0 } = (await readJournal(store.journal)) ?? {};
  return { backend, store, mark: (hash) => markLeftJournal(store.journal, length, hash) };
}

describe("the journal", () => {
  it("is folded by the next run, with secrets and pending calls, and leaves nothing behind", async () => {
    const backend = await newBackend();
    await deployed(backend, await sharedSecrets(), [root, provider]);
    await interrupted(backend, async (session) => {
      const done = await session.begin({ type: "creating", resource: page("done") });
      await session.commit(done, { new: page("done") });
      await session.begin({ type: "creating", resource: page("lost") });
    });
    const before = await backend.read(ref, await sharedSecrets());
    const { session, release } = await recovered(backend);
    expect(session.base.pendingOperations).toMatchObject([{ type: "creating", resource: { urn: page("lost").urn } }]);
    expect(essence(session.base)).toStrictEqual(essence(before));
    expect(session.base.resources.at(-1)).toStrictEqual(page("done"));
    await expect(stat(journalOf(backend))).rejects.toThrow("ENOENT");
    await session.end(summary());
    await release();
    expect((await backend.read(ref, await sharedSecrets())).pendingOperations).toHaveLength(1);
  });

  it("keeps an unfinished call until it is settled, whatever it was", async () => {
    const backend = await newBackend();
    const secrets = await sharedSecrets();
    await deployed(backend, secrets, [root, provider, page("a")]);
    await interrupted(backend, async (session) => {
      await session.begin({ type: "creating", resource: page("lost") });
      await session.begin({ type: "updating", resource: page("a") });
    });
    const first = await recovered(backend);
    expect(first.session.base.pendingOperations.map(({ type }) => type)).toStrictEqual(["creating", "updating"]);
    await first.session.end(summary());
    await first.release();
    const second = await recovered(backend);
    expect(second.session.base.pendingOperations.map(({ type }) => type)).toStrictEqual(["creating", "updating"]);
    for (const operation of second.session.base.pendingOperations) await second.session.settle(operation);
    await second.session.end(summary());
    await second.release();
    expect((await backend.read(ref, secrets)).pendingOperations).toStrictEqual([]);
  });

  it("is recognised as folded when the kill came between the checkpoint and the removal", async () => {
    const { backend, store, mark } = await withLeftJournal();
    await appendFile(journalOf(backend), "0000 torn");
    await store.publish((await store.load()).stored, mark);
    const lock = await backend.lock(ref);
    expect(await backend.fold(lock)).toBe(0);
    await lock.release();
    await expect(stat(journalOf(backend))).rejects.toThrow("ENOENT");
    expect((await backend.read(ref, await sharedSecrets())).resources).toHaveLength(3);
  });

  it("is folded when the kill came after the announcement of a fold", async () => {
    const { backend, mark } = await withLeftJournal();
    await mark("a checkpoint that was never written");
    const lock = await backend.lock(ref);
    expect(await backend.fold(lock)).toBe(2);
    await lock.release();
    expect((await backend.read(ref, await sharedSecrets())).resources).toHaveLength(3);
  });

  it("is refused when the checkpoint was changed in between, and can be set aside", async () => {
    const backend = await newBackend();
    await deployed(backend, await sharedSecrets(), [root, provider]);
    await interrupted(backend, async (session) => {
      await session.begin({ type: "creating", resource: page("a") });
    });
    await appendFile(checkpointOf(backend), "\n");
    await expect(recovered(backend)).rejects.toThrow(JournalMismatchError);
    await rm(join(backend.root, ".pulumi", "locks"), { recursive: true });
    await expect(backend.read(ref, await sharedSecrets())).rejects.toThrow(/steps \(1\) of a run/);
    const lock = await backend.lock(ref);
    expect(await backend.setJournalAside(lock)).toContain("backups");
    await lock.release();
    expect((await backend.read(ref, await sharedSecrets())).resources).toHaveLength(2);
  });

  it("is refused when it is damaged before its end", async () => {
    const backend = await newBackend();
    await deployed(backend, await sharedSecrets(), [root, provider]);
    await interrupted(backend, async (session) => {
      await session.begin({ type: "creating", resource: page("a") });
      await session.begin({ type: "creating", resource: page("b") });
    });
    const bytes = await readFile(journalOf(backend), "utf8");
    await writeFile(journalOf(backend), bytes.replace("id-a", "id-x"));
    await expect(backend.read(ref, await sharedSecrets())).rejects.toThrow(JournalCorruptError);
    await expect(backend.read(ref, await sharedSecrets())).rejects.toThrow(/dev\.journal:2:/);
  });

  it("grows with the steps, not with the stack, over a thousand concurrent ones", async () => {
    const backend = await newBackend();
    const secrets = await sharedSecrets();
    await deployed(backend, secrets, [root, provider]);
    const lock = await backend.lock(ref);
    const session = await backend.begin(lock, secrets, { kind: "update" });
    const create = async (index: number): Promise<void> => {
      const state = page(`p${index}`);
      await session.commit(await session.begin({ type: "creating", resource: state }), { new: state });
    };
    await Promise.all(Array.from({ length: 100 }, (_, index) => create(index)));
    const hundred = (await stat(journalOf(backend))).size;
    await Promise.all(Array.from({ length: 900 }, (_, index) => create(100 + index)));
    const thousand = (await stat(journalOf(backend))).size;
    expect(thousand / hundred).toBeLessThan(11);
    await session.end(summary());
    await lock.release();
    expect((await backend.read(ref, secrets)).resources).toHaveLength(1002);
  });

  it("without a whole first line counts as none", async () => {
    const backend = await newBackend();
    await deployed(backend, await sharedSecrets(), [root, provider]);
    await interrupted(backend, async (session) => {
      await session.begin({ type: "creating", resource: page("a") });
    });
    await truncate(journalOf(backend), 20);
    const { session, release } = await recovered(backend);
    expect(session.base.pendingOperations).toEqual([]);
    await session.commit(await session.begin({ type: "creating", resource: page("a") }), { new: page("a") });
    await session.end(summary());
    await release();
  });
});
