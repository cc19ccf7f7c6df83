import { appendFile, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type FileBackend, JournalCorruptError, JournalMismatchError, type UpdateSession } from "../../engine/index.ts";
import { markLeftJournal, readJournal } from "../../engine/state/journal.ts";
import { Layout } from "../../engine/state/layout.ts";
import { StackStore } from "../../engine/state/store.ts";
import { creates, essence, fileOf, interrupted, locked, page, ran, ref, sharedSecrets, stackOf } from "./fixtures.ts";

const journalOf = (backend: FileBackend): string => fileOf(backend, ".journal");
const stateOf = async (backend: FileBackend) => backend.read(ref, await sharedSecrets());
const begins = (session: UpdateSession, name: string) => session.begin({ type: "creating", resource: page(name) });

async function withLeftJournal() {
  const backend = await stackOf();
  await interrupted(backend, (session) => creates(session, page("a")));
  const store = new StackStore(new Layout(backend.root), ref);
  const { length = 0 } = (await readJournal(store.journal)) ?? {};
  return { backend, store, mark: (hash: string) => markLeftJournal(store.journal, length, hash) };
}

describe("the journal", () => {
  it("is folded by the next run, with secrets and pending calls, and leaves nothing behind", async () => {
    const backend = await stackOf();
    await interrupted(backend, async (session) => {
      await creates(session, page("done"));
      await begins(session, "lost");
    });
    const before = await stateOf(backend);
    await ran(backend, async ({ base }) => {
      expect(base.pendingOperations).toMatchObject([{ type: "creating", resource: { urn: page("lost").urn } }]);
      expect(essence(base)).toStrictEqual(essence(before));
      expect(base.resources.at(-1)).toStrictEqual(page("done"));
      await expect(stat(journalOf(backend))).rejects.toThrow("ENOENT");
    });
    expect((await stateOf(backend)).pendingOperations).toHaveLength(1);
  });

  it("keeps an unfinished call until it is settled, whatever it was", async () => {
    const backend = await stackOf(page("a"));
    await interrupted(backend, async (session) => {
      await begins(session, "lost");
      await session.begin({ type: "updating", resource: page("a") });
    });
    for (const settles of [false, true])
      await ran(backend, async (session) => {
        const { pendingOperations } = session.base;
        expect(pendingOperations.map(({ type }) => type)).toStrictEqual(["creating", "updating"]);
        if (settles) for (const operation of pendingOperations) await session.settle(operation);
      });
    expect((await stateOf(backend)).pendingOperations).toStrictEqual([]);
  });

  it("is recognised as folded when the kill came between the checkpoint and the removal", async () => {
    const { backend, store, mark } = await withLeftJournal();
    await appendFile(journalOf(backend), "0000 torn");
    await store.publish((await store.load()).stored, mark);
    expect(await locked(backend, (lock) => backend.fold(lock))).toBe(0);
    await expect(stat(journalOf(backend))).rejects.toThrow("ENOENT");
    expect((await stateOf(backend)).resources).toHaveLength(3);
  });

  it("is folded when the kill came after the announcement of a fold", async () => {
    const { backend, mark } = await withLeftJournal();
    await mark("a checkpoint that was never written");
    expect(await locked(backend, (lock) => backend.fold(lock))).toBe(2);
    expect((await stateOf(backend)).resources).toHaveLength(3);
  });

  it("is refused when the checkpoint was changed in between, and can be set aside", async () => {
    const backend = await stackOf();
    await interrupted(backend, (session) => begins(session, "a"));
    await appendFile(fileOf(backend), "\n");
    await expect(ran(backend, () => undefined)).rejects.toThrow(JournalMismatchError);
    await expect(stateOf(backend)).rejects.toThrow(/steps \(1\) of a run/);
    expect(await locked(backend, (lock) => backend.setJournalAside(lock))).toContain("backups");
    expect((await stateOf(backend)).resources).toHaveLength(2);
  });

  it("is refused when it is damaged before its end", async () => {
    const backend = await stackOf();
    await interrupted(backend, async (session) => {
      await begins(session, "a");
      await begins(session, "b");
    });
    const bytes = await readFile(journalOf(backend), "utf8");
    await writeFile(journalOf(backend), bytes.replace("id-a", "id-x"));
    const refused = stateOf(backend);
    await expect(refused).rejects.toThrow(JournalCorruptError);
    await expect(refused).rejects.toThrow(/dev\.journal:2:/);
  });

  it("grows with the steps, not with the stack, over a thousand concurrent ones", async () => {
    const backend = await stackOf();
    await ran(backend, async (session) => {
      const sizeWith = async (from: number, length: number): Promise<number> => {
        await Promise.all(Array.from({ length }, (_, index) => creates(session, page(`p${from + index}`))));
        return (await stat(journalOf(backend))).size;
      };
      const hundred = await sizeWith(0, 100);
      expect((await sizeWith(100, 900)) / hundred).toBeLessThan(11);
    });
    expect((await stateOf(backend)).resources).toHaveLength(1002);
  });

  it("without a whole first line counts as none", async () => {
    const backend = await stackOf();
    await interrupted(backend, (session) => begins(session, "a"));
    await truncate(journalOf(backend), 20);
    await ran(backend, async (session) => {
      expect(session.base.pendingOperations).toEqual([]);
      await creates(session, page("a"));
    });
  });
});
