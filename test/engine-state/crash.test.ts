// @module-tag thorough
import { readFile, stat, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileBackend, type UpdateSession } from "../../engine/index.ts";
import type { ResourceState } from "../../engine/model/types.ts";
import {
  deployed,
  essence,
  interrupted,
  journalOf,
  page,
  provider,
  ref,
  root,
  secret,
  sharedSecrets,
  temporaryFolder,
} from "./fixtures.ts";

/** The possible next steps of a run, chosen by numbers so that the same choices replay. */
interface Model {
  live: ResourceState[];
  calls: { number: number; state: ResourceState }[];
  names: number;
}

/** Calls `between` each time a step is durable in part. */
async function randomStep(
  session: UpdateSession,
  model: Model,
  [choice, pick]: [number, number],
  between: () => Promise<void>,
): Promise<void> {
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
      await between();
      await session.commit(number, { old: victim });
      model.live.splice(model.live.indexOf(victim), 1);
      return;
    }
    case 5: {
      if (victim === undefined || victim.delete === true) return;
      const next = { ...victim, id: `${victim.id ?? ""}-next` };
      const number = await session.begin({ type: "creating", resource: next });
      await between();
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
            for (const choice of choices) {
              await randomStep(session, model, choice, record);
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
});
