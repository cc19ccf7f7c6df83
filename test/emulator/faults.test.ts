import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Emulator, type Fault, FaultFileError, loadFaults } from "../../emulator/index.ts";
import { call, ok, project, start } from "./helpers.ts";

const onCreate = { method: "POST", path: "/projects" } as const;

const names = async (emulator: Emulator): Promise<unknown[]> =>
  (await ok<{ name: string }[]>(emulator, "GET", "/projects")).map(({ name }) => name);

/** Makes the project, and returns the answer as it comes. */
function post({ baseUrl, apiKey }: Emulator, signal: AbortSignal | null = null): Promise<Response> {
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  return fetch(`${baseUrl}/projects`, { method: "POST", headers, body: JSON.stringify(project), signal });
}

describe("a fault by its phase", () => {
  test.each([
    { phase: "before", left: [], seen: { method: "POST", route: "/projects" } },
    { phase: "after", left: ["Spring"], seen: { body: project } },
  ] as const)("$phase: the connection is cut, and then there is $left", async ({ phase, left, seen }) => {
    const emulator = await start({ faults: [{ ...onCreate, phase }] });
    await expect(call(emulator, "POST", "/projects", project)).rejects.toThrow("fetch failed");
    expect(await names(emulator)).toEqual(left);
    expect(emulator.requests[0]).toMatchObject({ status: 0, ...seen });
  });

  test("truncate: the answer starts as usual, breaks off, and the call is committed", async () => {
    const emulator = await start({ faults: [{ ...onCreate, phase: "truncate" }] });
    const response = await post(emulator);
    expect(response.status).toBe(201);
    await expect(response.text()).rejects.toThrow("terminated");
    expect(await names(emulator)).toEqual(["Spring"]);
  });

  /** `left`: the projects after the call. */
  const committed = [
    { commit: false, status: 200, left: [] },
    { commit: true, status: 502, left: ["Spring"] },
  ];

  test.each(committed)("html: a page instead of the answer (commit: $commit)", async ({ commit, status, left }) => {
    const emulator = await start({ faults: [{ ...onCreate, phase: "html", status, commit }] });
    const response = await post(emulator);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(await response.text()).toContain("<h1>");
    expect(await names(emulator)).toEqual(left);
  });

  test.each(committed)("status: that status with a JSON error (commit: $commit)", async ({ commit, left }) => {
    const emulator = await start();
    emulator.faults.add({ ...onCreate, phase: "status", status: 429, retryAfter: "2", commit });
    const answer = await call(emulator, "POST", "/projects", project);
    expect([answer.status, answer.headers.get("retry-after"), answer.body.error]).toEqual([429, "2", "rate_limited"]);
    expect(await names(emulator)).toEqual(left);
  });

  test.each(committed)("reset: the connection is reset (commit: $commit)", async ({ commit, left }) => {
    const emulator = await start({ faults: [{ ...onCreate, phase: "reset", commit }] });
    const failed = await call(emulator, "POST", "/projects", project).catch((error: unknown) => error);
    expect((failed as Error & { cause: { code: string } }).cause.code).toBe("ECONNRESET");
    expect(await names(emulator)).toEqual(left);
  });

  test("slow: the call is committed at once and answered late", async () => {
    const emulator = await start({ faults: [{ ...onCreate, phase: "slow", delayMs: 60_000 }] });
    const given = new AbortController();
    const answer = post(emulator, given.signal);
    answer.catch(() => undefined);
    await expect.poll(() => names(emulator), { timeout: 20_000 }).toEqual(["Spring"]);
    given.abort();
    await expect(answer).rejects.toThrow("aborted");
  });
});

describe("where a fault strikes", () => {
  test("a scope takes the calls that need it", async () => {
    const emulator = await start();
    emulator.faults.add({ scope: "products:write", phase: "status", status: 403, times: Infinity });
    expect((await call(emulator, "POST", "/products", { name: "Mug" })).status).toBe(403);
    expect((await call(emulator, "GET", "/products")).status).toBe(200);
    expect((await call(emulator, "POST", "/pages", { name: "Page" })).status).toBe(201);
  });

  test("what no fault has is refused by name", async () => {
    const { faults } = await start();
    expect(() => {
      faults.add({ phase: "stat" } as unknown as Fault);
    }).toThrow(/phase is one of before, .*, and not "stat"/);
    expect(() => {
      faults.add({ phase: "status", statuss: 500 } as unknown as Fault);
    }).toThrow(/a fault has no "statuss": it takes method, path/);
    await expect(start({ faults: [{ phase: "status", statuss: 500 } as unknown as Fault] })).rejects.toThrow("statuss");
  });

  test("skip lets calls through, times counts, and Infinity has no end", async () => {
    const emulator = await start();
    emulator.faults.add({ method: "GET", path: "/projects", phase: "status", status: 503, skip: 1, times: 2 });
    const statuses = async (count: number): Promise<number[]> => {
      const answers = [];
      for (let n = 0; n < count; n++) answers.push((await call(emulator, "GET", "/projects")).status);
      return answers;
    };
    expect(await statuses(5)).toEqual([200, 503, 503, 200, 200]);
    emulator.faults.add({ phase: "status", status: 500, times: Infinity });
    expect(await statuses(3)).toEqual([500, 500, 500]);
    emulator.faults.clear();
    expect(await statuses(1)).toEqual([200]);
  });

  test("a template takes every id, a path its own, and neither takes another route", async () => {
    const emulator = await start();
    emulator.faults.add({ path: "/pages/{pageId}", phase: "status", status: 500 });
    emulator.faults.add({ path: "/sites/one", phase: "status", status: 502 });
    expect((await call(emulator, "GET", "/pages/builder?page_id=x")).status).toBe(404);
    expect((await call(emulator, "GET", "/pages/some")).status).toBe(500);
    expect((await call(emulator, "GET", "/sites/two")).status).toBe(404);
    expect((await call(emulator, "GET", "/sites/one?x=1")).status).toBe(502);
  });
});

describe("a faults file", () => {
  function file(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), "landform-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "faults.json");
    writeFileSync(path, text);
    return path;
  }

  test("is read, null standing for always", () => {
    const faults = loadFaults(file('[{ "phase": "after", "times": null }, { "path": "/pages", "phase": "status" }]'));
    expect(faults).toEqual([
      { phase: "after", times: null },
      { path: "/pages", phase: "status" },
    ]);
  });

  test.each([
    ['[\n  { "phase": "before" },\n  { "phase": "aftr" }\n]', ":3:14: 1.phase must be one of before, after"],
    ['[\n  { "phase": "before", "delay": 3 }\n]', ':2:3: 0 has the unknown field "delay"; known are method,'],
    ['[{ "path": "/pages" }]', ":1:2: 0 must have required property 'phase'"],
    ['[{ "phase": "slow", "times": 0 }]', ":1:30: 0.times must be >= 1"],
    ['{ "phase": "slow" }', ":1:1: the file must be array"],
    ['[{ "phase": "slow" ', ":1:"],
  ])("is refused with the place: %s", (text, message) => {
    const path = file(text);
    expect(() => loadFaults(path)).toThrow(FaultFileError);
    expect(() => loadFaults(path)).toThrow(path + message);
  });
});
