/** The requests to the code hosts, and the texts written there, against a stand-in. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ForgeError } from "../../ci/forge/http.ts";
import { openForge, standingsOf } from "../../ci/forge/open.ts";
import type { Forge } from "../../ci/forge/forge.ts";
import { tellDrift } from "../../ci/drift.ts";
import { joined, partsOf, tellOn } from "../../ci/note.ts";
import type { Drift, Report } from "../../stack/report/model.ts";
import { eightPlans } from "../reports/eight-plans.ts";
import { CodeHost } from "./code-host.ts";
import { forEachTest } from "../suite/opened.ts";

const host = forEachTest(() => CodeHost.open());

const KINDS = ["github", "gitlab"] as const;

function forgeOn(kind: (typeof KINDS)[number]): Forge {
  const apiUrl = kind === "github" ? host.url : `${host.url}/api/v4`;
  return openForge({ kind, apiUrl, repository: "acme/funnels", token: "job-token" });
}

describe.each(KINDS)("on %s", (kind) => {
  test("requests and branches that are open, closed, merged or gone", async () => {
    for (const number of [1, 2, 3]) host.pull(number);
    host.pull(4, { closed: true });
    host.pull(5, { merged: true });
    host.branches.add("feature/red & blue");
    const origins = [
      ...[1, 3, 4, 5, 6].map((change) => ({ change })),
      ...["main", "feature/red & blue", "feature/gone"].map((branch) => ({ branch })),
    ];
    const answers = await standingsOf(forgeOn(kind), origins);
    const [open, closed] = [{ answer: "open" }, { answer: "closed" }];
    expect(answers).toEqual([open, open, closed, closed, closed, open, open, closed]);
  });

  test("a request as it is now, and where it comes from", async () => {
    host.pull(1, { branch: "red", labels: ["spring"] });
    host.pull(2, { fork: "mallory/funnels", closed: true });
    const forge = forgeOn(kind);
    expect(await forge.change(1)).toEqual({ open: true, head: "1".repeat(40), branch: "red", labels: ["spring"] });
    const fork = kind === "github" ? "mallory/funnels" : "project 99";
    expect(await forge.change(2)).toMatchObject({ open: false, fork });
    expect(await forge.change(3)).toBeUndefined();
  });

  const LISTS = kind === "github" ? "GET /repos/acme/funnels/pulls" : "/merge_requests";

  test.each([
    ["no list", { status: 403, body: { message: "no" } }],
    ["a page that isn't JSON", { status: 200, body: undefined }],
    ["a list that is none", { status: 200, body: { message: "moved" } }],
    ["a repository that can't be seen", { status: 404, body: { message: "Not Found" } }],
  ])("%s: nothing is closed", async (_, reply) => {
    host.pull(1, { closed: true });
    host.faults.push({ path: LISTS, times: 99, reply });
    expect(await standingsOf(forgeOn(kind), [{ change: 1 }])).toEqual([{ unasked: expect.any(String) as string }]);
  });

  test("two jobs write their parts at once: one note, both parts, whoever came first", async () => {
    const forge = forgeOn(kind);
    const job = (part: "plan" | "preview", text: string): Promise<void> =>
      tellOn(forge, { change: 1, marker: "<!-- ours -->", part, write: () => text });
    host.paste(1, "<!-- ours -->\npasted");
    await Promise.all([job("plan", "The plan"), job("preview", "The preview")]);
    await Promise.all([job("plan", "The plan, again"), job("preview", "The preview, again")]);
    const [note, ...others] = host.ours(1);
    expect(others).toEqual([]);
    expect(partsOf(note?.body ?? "")).toEqual({ plan: "The plan, again", preview: "The preview, again" });
  });
});

describe.each(KINDS)("plans that a job has left on %s", (kind) => {
  const HEAD = "a".repeat(40);
  const file = `spring/pr%2Fod/${HEAD}.json`;
  const ask = (head = HEAD): Promise<string | undefined> =>
    forgeOn(kind)
      .artifact({ head, number: 12 }, "plans", file)
      .then((found) => found && Buffer.from(found).toString());
  const left = (text: string, parts: object = {}): number =>
    host.uploads.push({ head: HEAD, pull: 12, name: "landform-plans-1", files: { [file]: text }, ...parts });

  test("the latest of that commit, whatever else was left there", async () => {
    left("first");
    left("second");
    host.uploads.push({ head: HEAD, pull: 12, name: "landform-plans-other", files: { "tea/dev/x.json": "{}" } });
    host.uploads.push({ head: HEAD, pull: 12, name: "coverage", files: {} });
    expect(await ask()).toBe("second");
  });

  test("a fork's artifact is none", async () => {
    left("by mallory", { fork: "mallory/funnels" });
    expect(await ask()).toBeUndefined();
  });

  test("a failed question is no answer", async () => {
    left("first");
    host.fails(kind === "github" ? "/actions/runs" : "/pipelines", 403, { times: 1 });
    await expect(ask()).rejects.toThrow(/403/);
  });
});

describe.each(KINDS)("a night on %s", (kind) => {
  const drift = (fields: number): Report => {
    const found = eightPlans["drift"] as Report;
    const [one] = found.drift ?? [];
    return { ...found, drift: Array.from({ length: fields }, (_, index) => ({ ...one, name: `p${index}` }) as Drift) };
  };

  test("edits are told in one issue, which is closed once no drift is left", async () => {
    const ways = { line: "Drift at", keep: "npx landform drift --write", apply: "npx landform up --refresh" };
    await tellDrift(forgeOn(kind), drift(5_000), ways);
    expect(host.issues[0]?.body.length).toBeLessThan(65_536);
    expect(host.issues[0]?.body).toMatch(/- \*\*keep it.*drift --write.*\n- \*\*put it back/);
    await tellDrift(forgeOn(kind), drift(0), ways);
    expect(host.issues.map(({ state }) => state)).toEqual(["closed"]);
  });
});

test("a part's text can't begin another part", () => {
  const hostile = "| `<!-- landform:part:plan -->` |\n> <!-- landform:part:plan -->\n`<!-- landform:part:plan -->`";
  const parts = { plan: "the plan", preview: hostile };
  expect(partsOf(joined("<!-- ours -->", parts).replaceAll("\n", "\r\n"))).toEqual(parts);
});

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

describe.each(KINDS)("an answer of %s that is broken in its structure", (kind) => {
  const row = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(
      fc.constantFrom("number", "iid", "id", "head", "state", "sha", "name", "merged_at", "user", "body", "__proto__"),
      fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom("merged", "opened", "a".repeat(40))),
    ),
  );
  const body = fc.oneof(fc.array(row, { maxLength: 3 }), row);
  const questions: ((forge: Forge) => Promise<unknown>)[] = [
    (forge) => forge.change(12),
    (forge) => forge.changesOf("c".repeat(40)),
    (forge) => all(forge.openChanges()),
    (forge) => all(forge.branches()),
    (forge) => all(forge.notes(12)),
    (forge) => all(forge.openIssues("landform-drift")),
  ];

  test("is a failure of the code host, or what was asked for", async () => {
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...questions), async (answer, ask) => {
        host.faults.push({ path: "", times: 99, reply: { body: answer } });
        const error: unknown = await ask(forgeOn(kind)).then(
          () => undefined,
          (failure: unknown) => failure,
        );
        host.faults.length = 0;
        if (error !== undefined) failed++;
        if (error !== undefined) expect(error).toBeInstanceOf(ForgeError);
      }),
      { numRuns: 150 },
    );
    expect(failed).toBeGreaterThan(20);
  });
});
