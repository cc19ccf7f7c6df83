import { appendFile, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { JournalWriter, markLeftJournal, readJournal } from "../../engine/state/journal.ts";
import { Layout } from "../../engine/state/layout.ts";
import { StackStore } from "../../engine/state/store.ts";
import { FileBackend, JournalCorruptError, JournalMismatchError } from "../../engine/state/index.ts";
import type { Deployment, ResourceState, UpdateSession } from "../../engine/state/index.ts";
import {
  deployed,
  lean,
  newBackend,
  page,
  provider,
  ref,
  root,
  secret,
  sharedSecrets,
  summary,
  temporaryFolder,
} from "./fixtures.ts";

function journalOf(backend: FileBackend): string {
  return join(backend.root, ".pulumi", "stacks", ref.project, `${ref.stack}.journal`);
}

function checkpointOf(backend: FileBackend): string {
  return join(backend.root, ".pulumi", "stacks", ref.project, `${ref.stack}.json`);
}

/** A run that stops without a word. A real kill is in kill.test.ts. */
async function interrupted(backend: FileBackend, run: (session: UpdateSession) => Promise<void>): Promise<void> {
  const lock = await backend.lock(ref);
  const session = await backend.begin(lock, await sharedSecrets(), { kind: "update" });
  await run(session);
  await session.abandon();
  await lock.release();
}

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

function essence(deployment: Deployment): unknown {
  return {
    resources: lean(deployment.resources),
    pending: deployment.pendingOperations.map(({ type, resource }) => `${type} ${resource.urn}`),
  };
}

/** What a run may do next, chosen by numbers so that the same choices replay. */
interface Model {
  live: ResourceState[];
  calls: { number: number; state: ResourceState }[];
  names: number;
}

async function randomStep(session: UpdateSession, model: Model, choice: number, pick: number): Promise<void> {
  const victim = model.live[pick % Math.max(model.live.length, 1)];
  const replaceWith = (old: ResourceState, next: ResourceState): void => {
    model.live[model.live.indexOf(old)] = next;
  };
  switch (choice) {
    case 0: {
      const state = page(`p${model.names++}`, {
        dependencies: victim && victim.type !== root.type ? [victim.urn] : [],
      });
      model.calls.push({ number: await session.begin({ type: "creating", resource: state }), state });
      return;
    }
    case 1: {
      const call = model.calls.shift();
      if (call === undefined) return;
      await session.commit(call.number, { new: call.state });
      model.live.push(call.state);
      return;
    }
    case 2: {
      const call = model.calls.shift();
      if (call !== undefined) await session.fail(call.number);
      return;
    }
    case 3: {
      if (victim === undefined) return;
      const next = { ...victim, outputs: { changed: pick, key: secret(pick) } };
      await session.note({ old: victim, new: next, inPlace: pick % 2 === 0 });
      replaceWith(victim, next);
      return;
    }
    case 4: {
      if (victim === undefined) return;
      const number = await session.begin({ type: "deleting", resource: victim });
      await session.commit(number, { old: victim });
      model.live.splice(model.live.indexOf(victim), 1);
      return;
    }
    case 5: {
      if (victim === undefined || victim.delete === true) return;
      const next = { ...victim, id: `${victim.id ?? ""}-next` };
      const number = await session.begin({ type: "creating", resource: next });
      await session.commit(number, { new: next, replaced: victim });
      model.live.push(next);
      model.live.splice(model.live.indexOf(victim), 1);
      return;
    }
    default: {
      if (victim === undefined) return;
      const same = { ...victim };
      await session.note({ old: victim, new: same });
      replaceWith(victim, same);
    }
  }
}

describe("the journal", () => {
  it("after a crash at any byte gives the state of some prefix of the steps, and all that were durable", async () => {
    const secrets = await sharedSecrets();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(6), fc.nat(50)), { minLength: 1, maxLength: 12 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        async (choices, cuts) => {
          const backend = await FileBackend.open(await temporaryFolder());
          await deployed(backend, secrets, [root, provider, page("a"), page("b", { dependencies: [page("a").urn] })]);
          const states: unknown[] = [];
          const sizes: number[] = [];
          await interrupted(backend, async (session) => {
            const model: Model = { live: session.base.resources.slice(2), calls: [], names: 0 };
            const record = async (): Promise<void> => {
              states.push(essence(session.snapshot()));
              sizes.push(
                await stat(journalOf(backend)).then(
                  ({ size }) => size,
                  () => 0,
                ),
              );
            };
            await record();
            for (const [choice, pick] of choices) {
              await randomStep(session, model, choice, pick);
              await record();
            }
          });
          const whole = await readFile(journalOf(backend)).catch(() => Buffer.alloc(0));
          for (const cut of cuts) {
            const length = Math.round(cut * whole.length);
            await writeFile(journalOf(backend), whole.subarray(0, length));
            const seen = essence(await backend.read(ref, secrets));
            const durable = sizes.indexOf(Math.max(0, ...sizes.filter((size) => size <= length)));
            const candidates = states.slice(Math.max(durable, 0));
            expect(candidates).toContainEqual(seen);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

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
    expect(session.recovered).toMatchObject({
      steps: 3,
      pending: [{ type: "creating", resource: { urn: page("lost").urn } }],
    });
    expect(essence(session.base)).toStrictEqual(essence(before));
    expect(session.base.resources.at(-1)).toStrictEqual(page("done"));
    await expect(stat(journalOf(backend))).rejects.toThrow("ENOENT");
    await session.end(summary());
    await release();
    expect((await backend.read(ref, await sharedSecrets())).pendingOperations).toHaveLength(1);
  });

  it("lets an unfinished create lapse only when it is settled, and other calls by themselves", async () => {
    const backend = await newBackend();
    const secrets = await sharedSecrets();
    await deployed(backend, secrets, [root, provider, page("a")]);
    await interrupted(backend, async (session) => {
      await session.begin({ type: "creating", resource: page("lost") });
      await session.begin({ type: "updating", resource: page("a") });
    });
    const first = await recovered(backend);
    expect(first.session.recovered?.pending.map(({ type }) => type)).toStrictEqual(["creating", "updating"]);
    await first.session.end(summary());
    await first.release();
    const second = await recovered(backend);
    expect(second.session.recovered).toBeUndefined();
    expect(second.session.base.pendingOperations.map(({ type }) => type)).toStrictEqual(["creating"]);
    for (const operation of second.session.base.pendingOperations) await second.session.settle(operation);
    await second.session.end(summary());
    await second.release();
    expect((await backend.read(ref, secrets)).pendingOperations).toStrictEqual([]);
  });

  it("is recognised as folded when the kill came between the checkpoint and the removal", async () => {
    const { backend, store, mark } = await withLeftJournal();
    await store.publish((await store.load()).stored, mark);
    const lock = await backend.lock(ref);
    expect(await backend.fold(lock)).toBe(0);
    await lock.release();
    await expect(stat(journalOf(backend))).rejects.toThrow("ENOENT");
    expect((await backend.read(ref, await sharedSecrets())).resources).toHaveLength(3);
  });

  it("is folded when the kill came after the announcement of a fold, behind a torn line", async () => {
    const { backend, mark } = await withLeftJournal();
    await appendFile(journalOf(backend), "0000");
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
    await expect(backend.read(ref, await sharedSecrets())).rejects.toThrow(/1 steps.*landform state unlock/s);
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
    await expect(backend.read(ref, await sharedSecrets())).rejects.toThrow(/dev\.journal:2:.*landform state unlock/s);
  });

  it("does not exist after a clean end, nor after a run without changes", async () => {
    const backend = await newBackend();
    await deployed(backend, await sharedSecrets(), [root, provider, page("a")]);
    const lock = await backend.lock(ref);
    const session = await backend.begin(lock, await sharedSecrets(), { kind: "update" });
    for (const state of session.base.resources)
      await session.note({ old: state, new: { ...state, sourcePosition: "moved" } });
    await expect(stat(journalOf(backend))).rejects.toThrow("ENOENT");
    await session.commit(await session.begin({ type: "creating", resource: page("b") }), { new: page("b") });
    expect((await stat(journalOf(backend))).size).toBeGreaterThan(0);
    await session.end(summary());
    await lock.release();
    await expect(stat(journalOf(backend))).rejects.toThrow("ENOENT");
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

  it("shares a flush between calls made together, and none resolves before its line is on disk", async () => {
    const file = join(await temporaryFolder(), "x.journal");
    const writer = new JournalWriter(file, "base");
    let flushes = 0;
    const watched = writer.add({ step: "settle", pending: 0 });
    await watched;
    const { FileHandle } = await fileHandlePrototype(file);
    const datasync = vi.spyOn(FileHandle, "datasync").mockImplementation(async function (this: unknown) {
      flushes++;
      await Promise.resolve();
    });
    await Promise.all(
      Array.from({ length: 50 }, async (_, pending) => {
        await writer.add({ step: "settle", pending });
        const content = await readJournal(file);
        expect(content?.steps).toContainEqual({ step: "settle", pending });
      }),
    );
    expect(flushes).toBeLessThan(5);
    datasync.mockRestore();
    await writer.close();
  });

  it("fails every later call once the disk has failed", async () => {
    const folder = await temporaryFolder();
    const writer = new JournalWriter(join(folder, "missing", "x.journal"), "base");
    await expect(writer.add({ step: "settle", pending: 0 })).rejects.toThrow("ENOENT");
    await expect(writer.add({ step: "settle", pending: 1 })).rejects.toThrow("ENOENT");
  });

  it("without a whole first line counts as none", async () => {
    const backend = await newBackend();
    await deployed(backend, await sharedSecrets(), [root, provider]);
    await interrupted(backend, async (session) => {
      await session.begin({ type: "creating", resource: page("a") });
    });
    await truncate(journalOf(backend), 20);
    const { session, release } = await recovered(backend);
    expect(session.recovered).toBeUndefined();
    await session.commit(await session.begin({ type: "creating", resource: page("a") }), { new: page("a") });
    await session.end(summary());
    await release();
  });
});

async function fileHandlePrototype(file: string): Promise<{ FileHandle: { datasync(): Promise<void> } }> {
  const { open } = await import("node:fs/promises");
  const handle = await open(file, "r");
  await handle.close();
  return { FileHandle: Object.getPrototypeOf(handle) as { datasync(): Promise<void> } };
}
