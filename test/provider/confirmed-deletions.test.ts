/** A deletion that the provider believes, looks at, sends again, fails, or reports as not confirmed. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Deleted,
  ForbiddenError,
  MissingOperationError,
  NetworkError,
  NotFoundError,
} from "../../provider/api/index.ts";
import { unkeptLedger } from "../../provider/ledger/ledger.ts";
import { DeleteError } from "../../provider/messages/errors.ts";
import type { Removal } from "../../provider/account/removal.ts";
import { remove } from "../../provider/reconcile/settled.ts";
import { RunContext } from "../../provider/reconcile/run-context.ts";
import type { Notice } from "../../provider/messages/notices.ts";

const waits = vi.hoisted((): number[] => []);
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => Promise.resolve(void waits.push(ms)) }));

const details = { what: "it failed", remedy: "Wait.", outcome: "refused" } as const;
const notFound = new NotFoundError({ ...details, status: 404, code: "page_not_found" });

let told: Notice[];
let run: RunContext;
beforeEach(() => {
  told = [];
  waits.length = 0;
  const settings = {
    full: false,
    patienceMs: 1_000,
    foreign: new Set<string>(),
    ledger: unkeptLedger(),
    warn: (notice: Notice) => void told.push(notice),
  };
  run = new RunContext({ baseUrl: "http://127.0.0.1:1/v1", apiKey: "lfk_none" }, settings);
});

type Answer = Partial<Deleted> | Error;

/** The reading of an answer that says nothing. */
const NO_WORD: Deleted = { success: null, id: null, deleted: null };

/** Gives answers one after another, the last one for ever. It throws an error in the list. */
function inTurn<T>(answers: readonly (T | Error)[]): { next: () => Promise<T>; count: () => number } {
  let asked = 0;
  const next = (): Promise<T> => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as T);
  };
  return { next, count: () => asked };
}

interface Removed {
  readonly sent: number;
  readonly looked: number;
  readonly failure: string | undefined;
}

async function removed(sends: readonly Answer[], looks?: readonly unknown[]): Promise<Removed> {
  const send = inTurn(sends.map((one) => (one instanceof Error ? one : { ...NO_WORD, ...one })));
  const look = inTurn(looks ?? []);
  const removal: Removal = {
    ...{ kind: "page", id: "p1", call: "DELETE /pages/p1", send: send.next },
    ...(looks !== undefined && { look: look.next }),
  };
  const failure = await remove(run, removal).then(
    () => undefined,
    (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
  );
  return { sent: send.count(), looked: look.count(), failure };
}

const DONE = { failure: undefined };
const there = { id: "p1" };

describe("the service's own word is enough", () => {
  test.each<Answer>([{ success: true }, { deleted: true }, { success: true, id: "p1", deleted: true }])(
    "%j",
    async (answer) => {
      expect(await removed([answer], [there])).toEqual({ ...DONE, sent: 1, looked: 0 });
      expect(await removed([answer])).toEqual({ ...DONE, sent: 1, looked: 0 });
      expect([told, waits]).toEqual([[], []]);
    },
  );
});

describe("a word that is none", () => {
  const REFUSED = "the service answered that it was not done";
  const MUTE = "the service answered with success and no word of it";
  const doubts: [string, Answer, string][] = [
    ["its refusal", { success: false, deleted: true }, REFUSED],
    ["its other refusal", { success: true, deleted: false }, REFUSED],
    [
      "success of another object",
      { success: true, id: "p2", deleted: true },
      "the service answered with success, of another object",
    ],
    ["nothing", {}, MUTE],
    ["not found", notFound, "the service answered 404 page_not_found"],
    ["not found, without a code", new NotFoundError({ ...details, status: 404 }), "the service answered 404"],
  ];

  test.each(doubts)("%s, and it is gone", async (_, answer) => {
    expect(await removed([answer], [notFound])).toEqual({ ...DONE, sent: 1, looked: 1 });
    expect(told).toEqual([]);
  });

  test.each(doubts)("%s, and it is gone a little later", async (_, answer) => {
    expect(await removed([answer], [there, there, notFound])).toEqual({ ...DONE, sent: 3, looked: 3 });
    expect(waits).toEqual([200, 400]);
    expect(told).toEqual([]);
  });

  test.each(doubts)("%s, and it stays: the deletion failed, and says why", async (_, answer, said) => {
    const { sent, looked, failure } = await removed([answer], [there]);
    expect(failure).toBe(
      `DeleteError: DELETE /pages/p1: ${said}, and yet page p1 is still there after 1 s. It stays in the state. ` +
        'Run again later; if it stays, delete it in the app and run "npx landform refresh".',
    );
    expect([sent, looked, waits]).toEqual([4, 4, [200, 400, 400]]);
  });

  test("and a clear one later is enough", async () => {
    expect(await removed([notFound, { success: true }], [there])).toEqual({ ...DONE, sent: 2, looked: 1 });
  });

  test.each(doubts.slice(2))(
    "%s, and the API never shows one: it is told, once, and is no failure",
    async (_, answer, said) => {
      expect(await removed([answer])).toEqual({ ...DONE, sent: 1, looked: 0 });
      expect(told).toEqual([
        {
          ...{ code: "of-kind", kind: "page", id: "p1", topic: "delete-not-confirmed" },
          text:
            `It could not be confirmed that page p1 is gone (DELETE /pages/p1: ${said}; the API never shows one). ` +
            "It is no longer managed; look in the app whether it is still there.",
        },
      ]);
    },
  );

  test.each(doubts.slice(0, 2))("%s, where nobody can look, is a failure", async (_, answer) => {
    const { failure, sent } = await removed([answer]);
    expect(failure).toBe(`DeleteError: DELETE /pages/p1: ${REFUSED}. It stays in the state. Run again later.`);
    expect([sent, told]).toEqual([1, []]);
    await expect(
      remove(run, { kind: "page", id: "p1", call: "c", send: inTurn([answer as Deleted]).next }),
    ).rejects.toThrow(DeleteError);
  });
});

describe("a look that can't be had", () => {
  test.each<[Error, string]>([
    [new ForbiddenError(details), "the key may not read it"],
    [new MissingOperationError(details), "this service has no operation that reads it"],
  ])("for good is told: %s", async (error, why) => {
    expect(await removed([notFound], [error])).toEqual({ ...DONE, sent: 1, looked: 1 });
    expect(told).toMatchObject([
      { topic: "delete-not-confirmed", text: expect.stringContaining(`; ${why}).`) as string },
    ]);
  });

  test("for a moment is a failure: nothing is known", async () => {
    const { failure, sent } = await removed([notFound], [new NetworkError(details)]);
    expect([failure, sent, told]).toEqual(["NetworkError: it failed. Wait.", 1, []]);
  });
});

test("a call that fails is a failure, whatever it is", async () => {
  for (const error of [new NetworkError(details), new ForbiddenError(details), new TypeError("oh")]) {
    const { failure, looked } = await removed([error], [notFound]);
    expect([failure, looked]).toEqual([`${error.name}: ${error.message}`, 0]);
  }
});
