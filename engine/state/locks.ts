import { randomUUID } from "node:crypto";
import { accessSync } from "node:fs";
import { readFile, readlink, rm } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { LockedError, LockLostError } from "./errors.ts";
import { isMissing, namesIn, readIfThere, writeNew } from "./files.ts";
import { qualifiedName } from "./layout.ts";
import type { LockHolder, StackLock, StackRef } from "./types.ts";

/**
 * Pulumi's lock protocol: a folder a stack, a file a holder. A process that finds another's file beside its own gives up. Our files have one more
 * field, which Pulumi ignores: the kernel and process namespace of the pid, because two containers may share host name and pids.
 */
interface LockFile extends LockHolder {
  namespace?: string;
}

interface FoundLock {
  file: string;
  holder: LockFile;
}

export async function acquireLock(folder: string, ref: StackRef): Promise<StackLock> {
  const takenOver = await removeStale(folder);
  refuseIfHeld(await listLocks(folder), ref);
  const own = join(folder, `${randomUUID()}.json`);
  await writeNew(own, JSON.stringify(await describeSelf()));
  try {
    const others = (await listLocks(folder)).filter(({ file }) => file !== own);
    refuseIfHeld(others, ref);
  } catch (error) {
    await rm(own, { force: true });
    throw error;
  }
  return { ref, takenOver, check: () => refuseLost(own, ref), release: () => rm(own, { force: true }) };
}

/** Refuses if the own lock file is gone; no other run takes its name. It is synchronous, since it runs before each step: that costs less. */
function refuseLost(own: string, ref: StackRef): void {
  try {
    accessSync(own);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new LockLostError(
      `the lock of this run on ${qualifiedName(ref)} was removed (${own}), and another run may hold the stack by now. This run begins nothing more, and writes nothing more into the state. Run again once no other run holds the stack: the next run finds what this one has made, and does not make it twice`,
    );
  }
}

export async function lockHolders(folder: string): Promise<LockHolder[]> {
  const locks = await listLocks(folder);
  const dead = await Promise.all(locks.map(({ holder }) => isDead(holder)));
  return locks.filter((_, index) => dead[index] !== true).map(({ holder }) => holder);
}

/** A person's word about holders that nobody here can see to be gone. */
export type AgreedTo = (holders: readonly LockHolder[]) => Promise<boolean>;

/** Removes every lock, or none if a run is under way on this machine. Returns undefined if the person did not agree. */
export async function breakLocks(folder: string, ref: StackRef, agreed: AgreedTo): Promise<LockHolder[] | undefined> {
  const locks = await listLocks(folder);
  await refuseRunning(locks, ref);
  const unsure = await lockHolders(folder);
  if (unsure.length > 0 && !(await agreed(unsure))) return undefined;
  await Promise.all(locks.map((lock) => rm(lock.file, { force: true })));
  return locks.map(({ holder }) => holder);
}

export function describeHolder(holder: LockHolder): string {
  return `${holder.username}@${holder.hostname}, process ${holder.pid}, since ${holder.timestamp}`;
}

/** Stands for a holder that is still writing its file. */
const UNREADABLE: LockHolder = { pid: 0, username: "unknown", hostname: "unknown", timestamp: "unknown" };

function refuseIfHeld(locks: FoundLock[], ref: StackRef): void {
  if (locks.length === 0) return;
  const lines = locks.map(({ file, holder }) => `  ${describeHolder(holder)} (${file})`);
  throw new LockedError(
    [`the stack ${qualifiedName(ref)} is locked by another run:`, ...lines, "Wait for it to end."].join("\n"),
    locks.map(({ holder }) => holder),
  );
}

/** Refuses if a lock belongs to a run that is under way on this machine. `otherwise`: the next step if another process has the pid by now. */
export async function refuseRunning(
  locks: readonly { holder?: LockHolder | undefined; file?: string }[],
  ref: StackRef,
  otherwise = "remove the file of the lock",
): Promise<void> {
  const running: LockHolder[] = [];
  const lines: string[] = [];
  for (const { file, holder } of locks) {
    if (holder === undefined || !(await isRunning(holder))) continue;
    running.push(holder);
    lines.push(`  ${describeHolder(holder)}${file === undefined ? "" : ` (${file})`}`);
  }
  if (running.length === 0) return;
  throw new LockedError(
    [
      `the stack ${qualifiedName(ref)} is locked by a run that is under way on this machine, so its lock was not removed:`,
      ...lines,
      `Wait for it to end, or end it: kill ${running.map(({ pid }) => pid).join(" ")}. If another program has that process number by now, ${otherwise}.`,
    ].join("\n"),
    running,
  );
}

export async function removeStale(folder: string): Promise<LockHolder[]> {
  const removed: LockHolder[] = [];
  for (const { file, holder } of await listLocks(folder)) {
    if (!(await isDead(holder))) continue;
    await rm(file, { force: true });
    removed.push(holder);
  }
  return removed;
}

async function listLocks(folder: string): Promise<FoundLock[]> {
  const files = (await namesIn(folder)).filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
  const locks = await Promise.all(files.map(readLock));
  return locks.filter((lock) => lock !== undefined);
}

async function readLock(file: string): Promise<FoundLock | undefined> {
  const bytes = await readIfThere(file);
  return bytes && { file, holder: parseHolder(bytes.toString()) };
}

function parseHolder(text: string): LockFile {
  try {
    const value = JSON.parse(text) as Partial<LockFile>;
    if (typeof value.pid === "number" && typeof value.hostname === "string") return { ...UNREADABLE, ...value };
  } catch {
    // The file is being written, and nobody can name its holder yet.
  }
  return UNREADABLE;
}

async function describeSelf(): Promise<LockFile> {
  return {
    pid: process.pid,
    username: userName(),
    hostname: hostname(),
    timestamp: new Date().toISOString(),
    namespace: await processNamespace(),
  };
}

/** Returns true only if the process is certainly dead. */
export async function isDead(holder: LockFile): Promise<boolean> {
  return (await isOfHere(holder)) && !(await isAlive(holder.pid));
}

async function isRunning(holder: LockFile): Promise<boolean> {
  return (await isOfHere(holder)) && (await isAlive(holder.pid));
}

/** Tells if the pid is of this host, container and boot. Any other pid says nothing here. */
async function isOfHere({ hostname: host, pid, namespace }: LockFile): Promise<boolean> {
  if (host !== hostname() || pid <= 0) return false;
  return namespace === undefined || namespace === (await processNamespace());
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
  }
  return !(await isUnburied(pid));
}

/** Tells if the process has ended and its parent has not collected it. In a container without an init process it stays like that. */
async function isUnburied(pid: number): Promise<boolean> {
  const told = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return told.slice(told.lastIndexOf(")")).startsWith(") Z");
}

async function processNamespace(): Promise<string | undefined> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()} ${await readlink("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
