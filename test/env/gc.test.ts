/** `env gc` deletes the right environments, and a failure never means that one is closed. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Collected,
  isStillDue,
  type Standing,
  type Standings,
  standingsByGit,
  verdictsOn,
} from "../../stack/env/gc.ts";
import type { ListedEnvironment } from "../../stack/env/list.ts";
import type { EnvironmentRecord } from "../../stack/env/record.ts";
import { gitIn } from "../suite/git.ts";
import { forAllTests } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";
import { Account, mugs, page } from "./desk.ts";

function environment(name: string, about: Partial<ListedEnvironment> = {}, branch?: string): ListedEnvironment {
  const record = { name, ...(branch !== undefined && { branch }), pushedAt: "", expiresAt: "" } as EnvironmentRecord;
  return { name, condition: "live", record, objects: 1, pages: [], ...about };
}

function of(name: string, repository: string, condition: ListedEnvironment["condition"] = "live"): ListedEnvironment {
  const { record, ...rest } = environment(name, { condition });
  return { ...rest, ...(record && { record: { ...record, repository } }) };
}

describe("verdicts", () => {
  test("what is closed, expired or half-made goes; what nobody could tell stays", async () => {
    const all = [
      environment("pr-1"),
      environment("pr-2"),
      environment("pr-3"),
      environment("pr-4", { condition: "expired" }),
      environment("pr-5", { condition: "half-made" }),
      environment("pr-6", { condition: "unreadable", problem: "torn" }),
      of("pr-7", "github.com/acme/shop"),
      of("pr-8", "github.com/acme/funnels"),
      of("pr-9", "github.com/acme/shop", "expired"),
    ];
    const standings: Standings = (records) => {
      expect(records.map(({ name }) => name)).toEqual(["pr-1", "pr-2", "pr-3", "pr-8"]);
      const closed = { answer: "closed" } as const;
      return Promise.resolve([{ answer: "open" }, closed, { unasked: "no answer" }, closed]);
    };
    const verdicts = await verdictsOn(all, { standings, repository: "github.com/acme/funnels" });
    expect(
      verdicts.map(({ environment: { name }, reason, ...why }) => [name, reason ?? why.unasked ?? why.repository]),
    ).toEqual([
      ["pr-1", undefined],
      ["pr-2", "closed"],
      ["pr-3", "no answer"],
      ["pr-4", "expired"],
      ["pr-5", "half-made"],
      ["pr-6", undefined],
      ["pr-7", "github.com/acme/shop"],
      ["pr-8", "closed"],
      ["pr-9", "github.com/acme/shop"],
    ]);
  });
});

describe("what was judged and is judged again once nobody else can change it", () => {
  const asking =
    (...answers: Standing[]): Standings =>
    () =>
      Promise.resolve(answers);
  const { record } = environment("pr-1");

  test("opened again and deployed with the same commit: it stays", async () => {
    const now = { condition: "live", record } as const;
    expect(await isStillDue("closed", now, asking({ answer: "open" }))).toBe(false);
    expect(await isStillDue("closed", now, asking({ unasked: "no answer" }))).toBe(false);
    expect(await isStillDue("closed", now, asking())).toBe(false);
    expect(await isStillDue("closed", { ...now, record: undefined }, asking({ answer: "closed" }))).toBe(false);
    expect(await isStillDue("closed", now, asking({ answer: "closed" }))).toBe(true);
  });
});

/** Begins a history of one commit in a folder, with a remote that is empty. */
function beginIn(folder: string, hub: string): void {
  gitIn(folder, "init", "-q", "--bare", hub);
  gitIn(folder, "init", "-q", "-b", "main");
  gitIn(folder, "commit", "-q", "--allow-empty", "-m", "one");
  gitIn(folder, "remote", "add", "origin", hub);
}

describe("the branches of a remote", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-env-git-"));
  const work = join(folder, "work");
  const records = [environment("br-a", {}, "a/b"), environment("br-b", {}, "gone"), environment("pr-1")].flatMap(
    ({ record }) => record ?? [],
  );

  beforeAll(() => {
    mkdirSync(work);
    beginIn(work, join(folder, "hub"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("none at all is no answer", async () => {
    expect((await standingsByGit(work)(records)).every((answer) => "unasked" in answer)).toBe(true);
  });

  test("a branch that exists is open, another is closed, and a request without a branch is not known", async () => {
    gitIn(work, "push", "-q", "origin", "main", "main:a/b");
    expect(await standingsByGit(work)(records)).toMatchObject([
      { answer: "open" },
      { answer: "closed" },
      { unasked: expect.any(String) as string },
    ]);
  });

  test("a remote that can't be reached says nothing", async () => {
    gitIn(work, "remote", "set-url", "origin", join(folder, "elsewhere"));
    expect((await standingsByGit(work)(records)).every((answer) => "unasked" in answer)).toBe(true);
  });
});

const PROGRAM = mugs(`pages:\n${page("offer", "Offer", "publish: { site: mugs, slug: offer }")}`);

describe("the commands", { timeout: 120_000 }, () => {
  const account = forAllTests(() => Account.of(PROGRAM));
  const hub = mkdtempSync(join(tmpdir(), "landform-env-hub-"));

  beforeAll(() => {
    beginIn(account.desk.folder, hub);
    gitIn(account.desk.folder, "push", "-q", "origin", "main", "main:one", "main:two");
  });
  afterAll(() => rmSync(hub, { recursive: true, force: true }));

  thorough("list tells of each; gc takes the closed and the expired away, and keeps what it can't tell", async () => {
    const choices = ["--branch one", "--branch two", "--pr 3", "--pr 4 --ttl 0.0000001"];
    await Promise.all(choices.map((choice) => account.up(...choice.split(" "))));
    const listed = await account.says(0, "list");
    expect(listed).toMatch(/^br-one-[0-9a-f]{6} {2}branch one, pushed 0 hours ago, 1 object, expires /m);
    expect(listed).toMatch(/^ {2}Page offer {2}http.*\/br-one-[0-9a-f]{6}-[a-z0-9]{10}\/offer$/m);
    expect(listed).toMatch(/^pr-4 .*expired$/m);

    const more = await account.says(3, "up", "--pr", "5", "--max-live", "4", "--yes");
    expect(more).toContain("--max-live allows 4");

    gitIn(account.desk.folder, "push", "-q", "origin", ":two");
    const gc = await account.env("gc", "--yes", "--json");
    expect(gc.code, gc.stderr).toBe(1);
    const { reclaimed, left, kept } = JSON.parse(gc.stdout) as Collected;
    expect(reclaimed.map(({ name, reason }) => [name.replace(/-[0-9a-f]{6}$/, ""), reason])).toEqual([
      ["br-two", "closed"],
      ["pr-4", "expired"],
    ]);
    expect(left).toEqual([]);
    expect(kept).toMatchObject([
      {},
      { name: "pr-3", unasked: expect.stringContaining("branch is not known") as string },
    ]);
    await account.down("--branch", "one");
    await account.down("--pr", "3");
    expect(account.holds()).toBe(account.before);
    await account.says(0, "gc", "--yes");
  });
});
