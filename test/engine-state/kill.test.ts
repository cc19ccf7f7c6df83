import { describe, expect, it } from "vitest";
import { LockedError } from "../../engine/index.ts";
import { deployed, newBackend, passphrase, ref, root, sharedSecrets, summary } from "./fixtures.ts";
import { startChild } from "./processes.ts";

describe("a run that is killed", () => {
  it.each([1, 10, 41])("after %i durable steps has lost none of them", async (count) => {
    const backend = await newBackend();
    const secrets = await sharedSecrets();
    await deployed(backend, secrets, [root]);
    const child = startChild(["steps", backend.root, secrets.salt, passphrase, ref.stack]);
    const told: string[] = [];
    while (told.length < count) told.push(await child.line());
    await expect(backend.lock(ref)).rejects.toThrow(LockedError);
    await child.kill();
    told.push(...(await child.rest()));

    const lock = await backend.lock(ref);
    expect(lock.takenOver).toMatchObject([{ pid: child.process.pid }]);
    const session = await backend.begin(lock, secrets, { kind: "update" });
    const ids = session.base.resources.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(told));
    const pending = session.base.pendingOperations.map(({ resource }) => resource.id);
    expect(ids.filter((id) => pending.includes(id))).toStrictEqual([]);
    expect(ids.length + pending.length - 1 - told.length).toBeLessThanOrEqual(4);
    await session.end(summary());
    await lock.release();
    expect((await backend.read(ref, secrets)).resources).toHaveLength(ids.length);
  });
});
