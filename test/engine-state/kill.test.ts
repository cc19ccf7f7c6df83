import { describe, expect, it } from "vitest";
import { LockedError } from "../../engine/index.ts";
import { deployed, locked, newBackend, passphrase, ran, ref, root, sharedSecrets } from "./fixtures.ts";
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

    const takesOver = [{ pid: child.process.pid }];
    await locked(backend, ({ takenOver }) => expect(takenOver).toMatchObject(takesOver));
    const left = await backend.read(ref, secrets);
    await ran(backend, ({ base }) => {
      const ids = base.resources.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(told));
      const pending = base.pendingOperations.map(({ resource }) => resource.id);
      expect(ids.filter((id) => pending.includes(id))).toStrictEqual([]);
      expect(ids.length + pending.length - 1 - told.length).toBeLessThanOrEqual(4);
    });
    expect((await backend.read(ref, secrets)).resources).toHaveLength(left.resources.length);
  });
});
