import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FileBackend, LockedError, LockLostError } from "../../engine/index.ts";
import { fileOf, locksOf as folderOf, newBackend, ref, root, summary } from "./fixtures.ts";
import { startChild } from "./processes.ts";

const yes = () => Promise.resolve(true);

const DEAD = 2 ** 22 + 1;

async function leaveLock(backend: FileBackend, content: object | string): Promise<void> {
  await mkdir(folderOf(backend), { recursive: true });
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await writeFile(join(folderOf(backend), "11111111-aaaa-bbbb-cccc-222222222222.json"), text);
}

const left = { pid: DEAD, username: "ann", hostname: hostname(), timestamp: "2026-11-21T10:00:00Z" };

describe("the lock", () => {
  it("is Pulumi's file, names its holder to others and goes with its release", async () => {
    const backend = await newBackend();
    const lock = await backend.lock(ref);
    const [name = ""] = await readdir(folderOf(backend));
    const content = JSON.parse(await readFile(join(folderOf(backend), name), "utf8")) as unknown;
    expect(name).toMatch(/^[0-9a-f-]{36}\.json$/);
    expect(content).toMatchObject({ pid: process.pid, hostname: hostname() });
    const refusal = backend.lock(ref);
    await expect(refusal).rejects.toThrow(LockedError);
    await expect(refusal).rejects.toThrow(
      new RegExp(`shop/dev is locked.*@${hostname()}, process ${process.pid}, since 20.*Wait for it to end\\.`, "s"),
    );
    await lock.release();
    await (await backend.lock(ref)).release();
    expect(await readdir(folderOf(backend))).toStrictEqual([]);
  });

  it("of a process of this host that is gone is taken over, and said so", async () => {
    const backend = await newBackend();
    await leaveLock(backend, left);
    expect(await backend.holders(ref)).toEqual([]);
    const lock = await backend.lock(ref);
    expect(lock.takenOver).toStrictEqual([left]);
    await lock.release();
  });

  it.skipIf(process.platform !== "linux")("of one that has ended, and whose end nobody asked for, too", async () => {
    const backend = await newBackend();
    const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const [told] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(String(told));
      const ended = async (): Promise<boolean> => / Z /.test(await readFile(`/proc/${pid}/stat`, "utf8"));
      while (!(await ended())) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(process.kill(pid, 0)).toBe(true);
      await leaveLock(backend, { ...left, pid });
      expect(await backend.holders(ref)).toEqual([]);
      expect(await backend.forgetGoneLocks(ref)).toMatchObject([{ pid }]);
      expect(await readdir(folderOf(backend))).toEqual([]);
    } finally {
      parent.kill();
    }
  });

  it.each([
    ["another host", { ...left, hostname: "elsewhere" }],
    ["another container of the same name", { ...left, namespace: "another boot pid:[1]" }],
    ["a process that runs", { ...left, pid: process.pid }],
  ])("of %s is respected", async (_whose, content) => {
    const backend = await newBackend();
    await leaveLock(backend, content);
    await expect(backend.lock(ref)).rejects.toThrow(LockedError);
    expect(await backend.holders(ref)).toMatchObject([{ username: "ann" }]);
  });

  it("of a process that runs here is not broken, nor another one beside it", async () => {
    const backend = await newBackend();
    await leaveLock(backend, { ...left, hostname: "elsewhere" });
    const file = join(folderOf(backend), "33333333-aaaa-bbbb-cccc-444444444444.json");
    await writeFile(file, JSON.stringify({ ...left, pid: process.pid }));
    const broken = backend.breakLocks(ref, yes);
    await expect(broken).rejects.toThrow(LockedError);
    await expect(broken).rejects.toThrow(
      `  ann@${hostname()}, process ${process.pid}, since ${left.timestamp} (${file})\nWait for it to end, or end it: kill ${process.pid}.`,
    );
    expect(await readdir(folderOf(backend))).toHaveLength(2);
    await writeFile(file, JSON.stringify(left));
    const asked: unknown[] = [];
    const no = (holders: unknown) => Promise.resolve(asked.push(holders) === 0);
    expect(await backend.breakLocks(ref, no)).toBeUndefined();
    expect(asked).toMatchObject([[{ hostname: "elsewhere" }]]);
    expect(await readdir(folderOf(backend))).toHaveLength(2);
    expect(await backend.breakLocks(ref, yes)).toHaveLength(2);
    expect(await readdir(folderOf(backend))).toEqual([]);
  });

  it("that is gone ends its session before the next call, and before the state is written", async () => {
    const backend = await newBackend();
    await backend.create(ref);
    const lock = await backend.lock(ref);
    const session = await backend.begin(lock, undefined, { kind: "update" });
    const call = { type: "creating" as const, resource: root };
    const first = await session.begin(call);
    const [name = ""] = await readdir(folderOf(backend));
    await rm(join(folderOf(backend), name));
    const other = await backend.lock(ref);
    await expect(session.begin(call)).rejects.toThrow(LockLostError);
    await session.commit(first, { new: root });
    const before = await readFile(fileOf(backend), "utf8");
    await expect(session.end(summary())).rejects.toThrow(
      /the lock of this run on organization\/shop\/dev was removed .* writes nothing more into the state/,
    );
    expect(await readFile(fileOf(backend), "utf8")).toBe(before);
    await other.release();
  });

  it.each(["", '{"pid":', "{}", "null"])("that is still being written counts, with the content %j", async (content) => {
    const backend = await newBackend();
    await leaveLock(backend, content);
    await expect(backend.lock(ref)).rejects.toThrow(/unknown@unknown, process 0, since unknown/);
    expect(await backend.holders(ref)).toMatchObject([{ username: "unknown", pid: 0 }]);
    expect(await backend.forgetGoneLocks(ref)).toEqual([]);
    expect(await backend.breakLocks(ref, () => Promise.resolve(false))).toBeUndefined();
    expect(await backend.breakLocks(ref, yes)).toHaveLength(1);
    await (await backend.lock(ref)).release();
  });

  it("goes to one of several processes at most", async () => {
    const backend = await newBackend();
    const children = [1, 2, 3].map(() => startChild(["lock", backend.root, ref.stack]));
    for (const child of children) expect(await child.line()).toBe("ready");
    for (const child of children) child.process.stdin.write("go\n");
    const answers = await Promise.all(children.map((child) => child.line()));
    const refused = answers.filter((answer) => answer === "LockedError");
    expect(answers.toSorted()).toEqual([...refused, "locked"].slice(0, 3));
    expect(await readdir(folderOf(backend))).toHaveLength(3 - refused.length);
  });
});
