/** The requests to the code hosts, and the texts written there, against a stand-in. */
import fc from "fast-check";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fileInZip, ForgeError, ForgeHttp } from "../../ci/forge/http.ts";
import { openForge, standingsOf } from "../../ci/forge/open.ts";
import type { Forge } from "../../ci/forge/forge.ts";
import { tellDrift } from "../../ci/drift.ts";
import { artifactsOf, type PlansPlace, StoredPlans } from "../../ci/plans.ts";
import { RefusedError } from "../../stack/exit/codes.ts";
import { joined, partsOf, tellOn } from "../../ci/note.ts";
import type { Drift, Report } from "../../stack/report/model.ts";
import { eightPlans } from "../reports/eight-plans.ts";
import { CodeHost, type Pull } from "./code-host.ts";
import { zipOf } from "./zip.ts";
import { forEachTest } from "../suite/opened.ts";

const host = forEachTest(() => CodeHost.open());

const KINDS = ["github", "gitlab"] as const;

function forgeOn(kind: (typeof KINDS)[number]): Forge {
  const apiUrl = kind === "github" ? host.url : `${host.url}/api/v4`;
  return openForge({ kind, apiUrl, repository: "acme/funnels", token: "job-token" });
}

function pull(number: number, parts: Partial<Pull> = {}): Pull {
  const made = { number, head: String(number).repeat(40).slice(0, 40), merged: false, commits: [], ...parts };
  host.pulls.push(made);
  return made;
}

describe.each(KINDS)("on %s", (kind) => {
  test("what is open, closed, merged, gone", async () => {
    for (const number of [1, 2, 3]) pull(number);
    pull(4, { closed: true });
    pull(5, { merged: true });
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
    pull(1, { branch: "red", labels: ["spring"] });
    pull(2, { fork: "mallory/funnels", closed: true });
    const forge = forgeOn(kind);
    expect(await forge.change(1)).toEqual({ open: true, head: "1".repeat(40), branch: "red", labels: ["spring"] });
    expect(await forge.change(2)).toMatchObject({
      open: false,
      fork: kind === "github" ? "mallory/funnels" : "project 99",
    });
    expect(await forge.change(3)).toBeUndefined();
  });

  const LISTS = kind === "github" ? "GET /repos/acme/funnels/pulls" : "/merge_requests";

  test.each([
    ["no list", { status: 403, body: { message: "no" } }],
    ["a page that isn't JSON", { status: 200, body: undefined }],
    ["a list that is none", { status: 200, body: { message: "moved" } }],
    ["a repository that can't be seen", { status: 404, body: { message: "Not Found" } }],
  ])("%s: nothing is closed", async (_, reply) => {
    pull(1, { closed: true });
    host.faults.push({ path: LISTS, times: 99, reply });
    expect(await standingsOf(forgeOn(kind), [{ change: 1 }])).toEqual([{ unasked: expect.any(String) as string }]);
  });

  test("a list that stops early, and a second page that fails", async () => {
    for (const number of [1, 2, 3]) pull(number);
    host.faults.push({ path: LISTS, times: 1, reply: { body: [] } });
    const early = await standingsOf(forgeOn(kind), [{ change: 3 }]);
    expect(early).toEqual([{ answer: "open" }]);
    host.faults.push({ path: LISTS, times: 1, reply: firstPage(kind, host.url) });
    host.faults.push({ path: LISTS, times: 1, reply: { status: 403, body: { message: "no" } } });
    expect(await standingsOf(forgeOn(kind), [{ change: 3 }])).toEqual([{ unasked: expect.any(String) as string }]);
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

  test("parts of a note share the room", async () => {
    const forge = forgeOn(kind);
    const rooms: number[] = [];
    const write = (length: number) => (room: number) => {
      rooms.push(room);
      return "x".repeat(Math.min(length, room));
    };
    const about = { change: 1, marker: "<!-- ours -->" };
    await tellOn(forge, { ...about, part: "preview", write: write(20_000) });
    await tellOn(forge, { ...about, part: "plan", write: write(99_000) });
    expect(host.ours(1)[0]?.body.length).toBeLessThanOrEqual(60_000);
    expect(rooms.every((room) => room >= 39_000)).toBe(true);
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

  test("none of a fork's, and none at all", async () => {
    left("by mallory", { fork: "mallory/funnels" });
    expect(await ask()).toBeUndefined();
  });

  test("what can't be asked is no answer", async () => {
    left("first");
    host.faults.push({
      path: kind === "github" ? "/actions/runs" : "/pipelines",
      times: 1,
      reply: { status: 403, body: {} },
    });
    await expect(ask()).rejects.toThrow(/403/);
  });
});

test.each([
  ["cut off", (zip: Buffer) => zip.subarray(0, 40)],
  ["of another kind", () => Buffer.from("<html>Bad Gateway</html>")],
  ["changed", (zip: Buffer) => Buffer.from(zip).fill(0xff, 30, 90)],
])("a plan in an archive that is %s is none, and the code host's, by the artifact's name", async (_, damage) => {
  const head = "a".repeat(40);
  const file = `spring/dev/${head}.json`;
  host.uploads.push({ head, pull: 12, name: "landform-plans-1", files: { [file]: "{}" } });
  const bytes = damage(zipOf({ [file]: "word ".repeat(50) }));
  host.faults.push({ path: "/storage/1", times: 9, reply: { bytes } });
  const place = artifactsOf("artifact:plans", "", () => forgeOn("github"), { head, number: 12 });
  const found = new StoredPlans(place as PlansPlace, "artifact:plans", "spring", "dev").find(head, "pull request #12");
  await expect(found).rejects.toThrow(RefusedError);
  const says =
    /^the artifact landform-plans-1 \(http:\S+\/actions\/artifacts\/1\/zip\) can't be unpacked: .*\. Run this job again, in case .*\. Nothing was sent\. Plan and review again/;
  await expect(found).rejects.toThrow(says);
});

test("an artifact is whole or an error", () => {
  const zip = zipOf({ "a.json": "{}", "dir/b.json": "word ".repeat(5_000) });
  expect(fileInZip(zip, "dir/b.json")?.toString()).toBe("word ".repeat(5_000));
  expect(fileInZip(zip, "b.json")).toBeUndefined();
  for (let at = 0; at < zip.length; at += 1) {
    const broken = Buffer.from(zip);
    broken.writeUInt8(broken.readUInt8(at) ^ 0xff, at);
    let found: string | undefined;
    try {
      found = fileInZip(broken, "dir/b.json")?.toString();
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
    if (found !== undefined) expect(found).toBe("word ".repeat(5_000));
  }
  expect(() => fileInZip(Buffer.from("<html>"), "a.json")).toThrow("no zip archive");
});

const WAYS = { line: "Drift at", keep: "npx landform drift --write", apply: "npx landform up --refresh" };

describe.each(KINDS)("a night on %s", (kind) => {
  const drift = (fields: number): Report => {
    const found = eightPlans["drift"] as Report;
    const [one] = found.drift ?? [];
    return { ...found, drift: Array.from({ length: fields }, (_, index) => ({ ...one, name: `p${index}` }) as Drift) };
  };

  test("what a run left undone is not told as somebody's edit", async () => {
    const told = async (...kinds: Drift["kind"][]): Promise<string> => {
      const report = drift(kinds.length);
      (report.drift ?? []).forEach((one, index) => Object.assign(one, { kind: kinds[index] }));
      await tellDrift(forgeOn(kind), report, WAYS);
      return host.issues[0]?.body ?? "";
    };
    expect(await told("unfinished")).not.toMatch(/somebody/i);
    expect(await told("unfinished", "changed")).toMatch(
      /somebody has changed it in the app\. A run that failed, or was killed/,
    );
    const changed = await told("changed");
    expect(changed).toContain("somebody has changed it in the app. For each");
    expect(changed).not.toContain("was killed");
  });

  test("as much as there may be is told in one issue that its host takes, and nothing in it does anything", async () => {
    await tellDrift(forgeOn(kind), drift(5_000), WAYS);
    const [issue] = host.issues;
    expect(issue?.body.length).toBeLessThan(65_536);
    expect(issue?.body).toMatch(/- \*\*keep it.*drift --write.*\n- \*\*put it back/);
    expect(issue?.body.match(/<details>/g)?.length).toBe(issue?.body.match(/<\/details>/g)?.length);
    await tellDrift(forgeOn(kind), drift(0), WAYS);
    expect(host.issues.map(({ state }) => state)).toEqual(["closed"]);
  });
});

function firstPage(kind: string, url: string): { body: unknown; headers: Record<string, string> } {
  const list = kind === "github" ? `${url}/repos/acme/funnels/pulls` : "";
  return {
    body: [
      { number: 1, iid: 1 },
      { number: 2, iid: 2 },
    ],
    headers: kind === "github" ? { link: `<${list}?page=2>; rel="next"` } : { "x-next-page": "2" },
  };
}

test("a part's text can't begin another part", () => {
  const hostile = "| `<!-- landform:part:plan -->` |\n> <!-- landform:part:plan -->\n`<!-- landform:part:plan -->`";
  const parts = { plan: "the plan", preview: hostile };
  expect(partsOf(joined("<!-- ours -->", parts).replaceAll("\n", "\r\n"))).toEqual(parts);
});

describe("an answer", () => {
  const answered = async (write: (response: ServerResponse) => void): Promise<unknown> => {
    const server = createServer((_, response) =>
      write(response.writeHead(200, { "content-type": "application/json" })),
    );
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      return await new ForgeHttp({ apiUrl, headers: {} })
        .ask(z.unknown(), "GET", "/x")
        .catch((error: unknown) => error);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };

  test("without an end is given up", async () => {
    const piece = Buffer.alloc(1024 * 1024, " ");
    let sent = 0;
    const error = await answered((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent++;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    expect(error).toBeInstanceOf(ForgeError);
    expect((error as ForgeError).message).toMatch(/^GET http:.*\/x: the answer is larger than 16 MiB$/);
    expect(sent).toBeLessThan(64);
  });

  test("that breaks off is told as one of this code host", async () => {
    const error = await answered((response) => {
      response.write('[{"id": 1');
      setTimeout(() => response.destroy(), 20);
    });
    expect(error).toBeInstanceOf(ForgeError);
    expect((error as ForgeError).message).toMatch(/^GET http:.*\/x: \w+/);
  });

  test("in several pieces is whole, also where they part a character", async () => {
    const text = JSON.stringify({ text: "ü😀".repeat(10) });
    const found = await answered((response) => {
      const bytes = [...Buffer.from(text)];
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    expect(found).toEqual(JSON.parse(text));
  });
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
