/**
 * Only the service's word proves a deletion, and not that of a proxy or a lagging replica. The run reads a doubtful object by its id, and reports one
 * that it can't read.
 */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { sampledTable } from "../suite/parts.ts";
import { Between, type Answered, type Asked } from "./between.ts";
import { prepare, scenarios, type Ground, type Scenario } from "./scenarios.ts";
import { Stack, type Ran } from "./stack.ts";
import { forAllTests } from "../suite/opened.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("./clock.ts")).sleep }));

const GONE: Answered = { status: 404, text: JSON.stringify({ error: "not_found", message: "There is none." }) };
const DOUBTFUL: Readonly<Record<string, Answered>> = {
  "not found": GONE,
  "nothing, with 200": { status: 200, text: "" },
  "nothing, with 204": { status: 204, text: "" },
  "no word of it, with 200": { status: 200, text: "{}" },
  "success of another one": { status: 200, text: JSON.stringify({ success: true, id: "x", deleted: true }) },
  "its own refusal, with 200": { status: 200, text: JSON.stringify({ success: false, id: "x", deleted: false }) },
};

const emulator = forAllTests(() => startEmulator());
let between: Between;
let ground: Ground;
let baseUrl: string;
beforeAll(async () => {
  ground = await prepare(emulator);
  between = new Between(emulator);
  baseUrl = await between.listen();
});
afterAll(() => between.close());
beforeEach(() => {
  between.instead = () => undefined;
});

const READABLE = ["project", "page of a template", "blank quiz", "product"];
const named = (name: string): Scenario => scenarios.find((one) => one.name === name) ?? ({} as Scenario);
const service = () => ({ baseUrl, apiKey: emulator.apiKey, timeoutMs: 20_000 });

/** Returns everything in the account that isn't marked as deleted. */
const account = (): string => {
  const { projects, pages, quizzes, products, hooks = [] } = emulator.records() as Record<string, { id: string }[]>;
  const active = hooks.filter((hook) => (hook as { active?: boolean }).active === true);
  return JSON.stringify([projects, pages, quizzes, products, active]);
};

interface Standing {
  readonly stack: Stack;
  readonly before: string;
  readonly up: (version: number) => Promise<Ran>;
  readonly destroy: () => Promise<Ran>;
}

/** Makes a stack that is up, in an account that held `before`. */
async function standing(name: string): Promise<Standing> {
  const before = account();
  const stack = new Stack("dev");
  const programs = named(name).programs(ground);
  const up = (version: number) => stack.up(service(), programs[version] ?? []);
  expect((await up(0)).error).toBeUndefined();
  return { stack, before, up, destroy: () => stack.destroy(service()) };
}

/** Gives this answer to the first deletions, which never reach the service. */
function answerDeletions(answer: Answered, times: number): void {
  let left = times;
  between.instead = ({ method }: Asked) => (method === "DELETE" && left-- > 0 ? answer : undefined);
}

/** The service is healthy again: the next destroy leaves the account as it was before the stack. */
async function endsWell({ stack, before, destroy }: Standing): Promise<void> {
  between.instead = () => undefined;
  expect((await destroy()).error).toBeUndefined();
  expect(account()).toBe(before);
  stack.close();
}

const DOUBTS = READABLE.flatMap((name) => Object.keys(DOUBTFUL).map((said) => ({ name, said })));

sampledTable(
  DOUBTS,
  4,
  ({ name, said }) => `${name}, answered by ${said}: deleted in the end, and not before the service shows it no more`,
  async ({ name, said }) => {
    const { stack, before, destroy } = await standing(name);
    answerDeletions(DOUBTFUL[said] ?? GONE, 2);
    const { error, warnings } = await destroy();
    expect(error).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(account()).toBe(before);
    stack.close();
  },
);

sampledTable(
  DOUBTS,
  4,
  ({ name, said }) => `${name}, always answered by ${said}: it stays in the state, and the message says what is known`,
  async ({ name, said }) => {
    const stood = await standing(name);
    const { stack, before, destroy } = stood;
    answerDeletions(DOUBTFUL[said] ?? GONE, Infinity);
    const { error } = await destroy();
    expect(error?.name).toBe("DeleteError");
    expect(error?.message).toMatch(
      /^DELETE \/\w+\/\w+: the service answered .*, and yet \w+ \w+ is still there after 15 s/,
    );
    expect(stack.recorded).not.toBe("[]");
    expect(account()).not.toBe(before);
    await endsWell(stood);
  },
);

test("in a replacement the old page is held on to, until it is gone", async () => {
  const stood = await standing("page of a template");
  const { up } = stood;
  answerDeletions(GONE, Infinity);
  const { error, steps } = await up(2);
  expect(steps).toContain("replace page Offer");
  expect(error?.message).toContain("is still there");
  between.instead = () => undefined;
  const next = await up(2);
  expect(next.error).toBeUndefined();
  expect(next.steps).toEqual(["delete page Offer"]);
  expect((await up(2)).steps).toEqual([]);
  await endsWell(stood);
});

test("a page of a proxy is no answer of the service", async () => {
  const stood = await standing("page of a template");
  answerDeletions({ status: 404, text: "<!doctype html><title>404</title>", type: "text/html" }, Infinity);
  expect((await stood.destroy()).error?.message).toMatch(/answered 404 with an HTML page, not with the API's JSON/);
  await endsWell(stood);
});

test("a deletion that was done, and whose reads lag behind, is done", async () => {
  const { stack, before, destroy } = await standing("page of a template");
  let shown = "";
  let late = 3;
  let deleted = false;
  between.change = (answered, { method, path }) => {
    if (method === "DELETE" && !deleted) {
      deleted = true;
      return { status: 503, text: "{}" };
    }
    if (method !== "GET" || !/^\/pages\/page_\w+$/.test(path)) return answered;
    if (answered.status === 200) shown = answered.text;
    return deleted && late-- > 0 && shown !== "" ? { status: 200, text: shown } : answered;
  };
  await stack.refresh(service());
  const [{ id = "" } = {}] = JSON.parse(stack.recorded) as { id?: string }[];
  await fetch(`${baseUrl}/pages/${id}`, { headers: { authorization: `Bearer ${emulator.apiKey}` } });
  expect((await destroy()).error).toBeUndefined();
  expect(late).toBeLessThan(0);
  expect(account()).toBe(before);
  between.change = (answered) => answered;
  stack.close();
});

test("a look that fails is no absence", async () => {
  const stood = await standing("product");
  answerDeletions(GONE, Infinity);
  const deletions = between.instead;
  between.instead = (asked) =>
    asked.method === "GET" && /^\/products\/\w/.test(asked.path) ? { status: 500, text: "{}" } : deletions(asked);
  expect((await stood.destroy()).error?.name).toBe("ServerError");
  expect(stood.stack.recorded).not.toBe("[]");
  await endsWell(stood);
});

test("what the key may not read is told as not confirmed", async () => {
  const { stack, destroy } = await standing("product");
  between.instead = ({ method, path }) => {
    if (method === "DELETE") return GONE;
    const refused = { status: 403, text: JSON.stringify({ error: "forbidden", message: "Not yours to read." }) };
    return method === "GET" && /^\/products\/\w/.test(path) ? refused : undefined;
  };
  const { error, warnings } = await destroy();
  expect(error).toBeUndefined();
  expect(warnings.join("\n")).toMatch(
    /Landform could not confirm that product \w+ is gone \(DELETE \/products\/\w+: the service answered 404 not_found; the key may not read it\)\. Landform no longer manages it\. Look in the app if it is still there\./,
  );
  stack.close();
});

test.each([
  ["not found", "404 not_found"],
  ["nothing, with 200", "with success and no word of it"],
  ["nothing, with 204", "with success and no word of it"],
])("a hook, answered by %s: not confirmed, and told so", async (said, text) => {
  const { stack, before, destroy } = await standing("hook");
  answerDeletions(DOUBTFUL[said] ?? GONE, 1);
  const { error, warnings } = await destroy();
  expect(error).toBeUndefined();
  expect(warnings.join("\n")).toContain(`the service answered ${text}; the API never shows one`);
  expect(account()).not.toBe(before);
  stack.close();
});

test("a hook whose deletion the service refuses stays in the state", async () => {
  const { stack, destroy } = await standing("hook");
  const before = account();
  answerDeletions(DOUBTFUL["its own refusal, with 200"] ?? GONE, 1);
  expect((await destroy()).error?.message).toMatch(/^DELETE \/hooks\/\w+: the service answered that it was not done/);
  expect(account()).toBe(before);
  expect((await destroy()).error).toBeUndefined();
  stack.close();
});

test.each(READABLE)("%s: its own word is enough; of a 204 it is read once, by its id", async (name) => {
  const deletions = async (answered: (before: Answered) => Answered): Promise<Record<string, number>> => {
    const { stack, before, destroy } = await standing(name);
    between.change = (answer, { method }) => (method === "DELETE" ? answered(answer) : answer);
    between.forget();
    const { error, warnings } = await destroy();
    between.change = (answer) => answer;
    expect([error, warnings]).toEqual([undefined, []]);
    expect(account()).toBe(before);
    stack.close();
    const asked = between.asked.slice(between.asked.findIndex(({ method }) => method === "DELETE"));
    const counts: Record<string, number> = {};
    for (const { method, path } of asked) if (path === asked[0]?.path) counts[method] = (counts[method] ?? 0) + 1;
    return counts;
  };
  expect(await deletions((answer) => answer)).toEqual({ DELETE: 1 });
  expect(await deletions(() => ({ status: 204, text: "" }))).toEqual({ DELETE: 1, GET: 1 });
});
