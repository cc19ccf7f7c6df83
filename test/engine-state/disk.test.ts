/**
 * A full or read-only disk: the error names the file, no lock without a holder is left, and a broken-off write spoils nothing later. On a small disk
 * in memory, if this user may mount one.
 */
import { explain } from "../../stack/exit/report.ts";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { exitCodes } from "../../stack/exit/codes.ts";
import { FileBackend } from "../../engine/index.ts";
import type { Entry } from "../../provider/ledger/ledger.ts";
import { FileStore } from "../../provider/ledger/file-store.ts";
import { Desk } from "../cli/harness.ts";
import { ref } from "./fixtures.ts";
import { inTest } from "../suite/opened.ts";

const root = mkdtempSync(join(tmpdir(), "landform-disk-"));
const disk = join(root, "disk");
mkdirSync(disk);
const mount = (...args: string[]): boolean => spawnSync("mount", args).status === 0;
const isThere = mount("-t", "tmpfs", "-o", "size=256k", "tmpfs", disk);
afterAll(() => {
  if (isThere) spawnSync("umount", [disk]);
  rmSync(root, { recursive: true, force: true });
});

const FILLER = join(disk, "filler");

function fill(): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(FILLER, Buffer.alloc(bavail * bsize));
}

const failureOf = async (work: () => Promise<unknown>): Promise<unknown> =>
  work()
    .then(() => undefined)
    .catch((error: unknown) => error);

async function expectFailure(work: () => Promise<unknown>, says: RegExp): Promise<void> {
  const message = expect.stringMatching(says) as string;
  const told = explain(await failureOf(work), { verbose: false });
  expect(told).toEqual({ advice: [], exitCode: exitCodes.failed, message });
}

const locks = (): string[] => readdirSync(join(disk, ".pulumi", "locks"), { recursive: true, encoding: "utf8" });

describe.skipIf(!isThere)("on a small disk", () => {
  let backend: FileBackend;
  beforeEach(async () => {
    for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true });
    backend = await FileBackend.open(disk);
    await backend.create(ref);
    await (await backend.lock(ref)).release();
  });
  afterEach(() => mount("-o", "remount,rw", disk));

  test("that is full, a lock is told not to be had, and is not there either", async () => {
    fill();
    await expectFailure(
      () => backend.lock(ref),
      /locks\/.*\.json can't be written: ENOSPC: .*Make room there.*and run/,
    );
    expect(locks().filter((name) => name.includes(".json"))).toEqual([]);
    rmSync(FILLER);
    await (await backend.lock(ref)).release();
  });

  test("that is full, the state that was there stays, and no part of a new one", async () => {
    const lock = await backend.lock(ref);
    const before = await backend.readStored(ref);
    fill();
    await expectFailure(() => backend.replace(lock, before), /can't be written: ENOSPC/);
    rmSync(FILLER);
    expect(await backend.readStored(ref)).toEqual(before);
    await lock.release();
  });

  test("that is full, a ledger says so; lines that were broken off spoil no later ones", async () => {
    const file = join(disk, "landform", "lf-1.jsonl");
    const creation = (number: number): Entry => ({
      ...{ key: `lf-1-${number}`, at: "2026-01-01T00:00:00.000Z", kind: "page", name: "offer" },
      ...{ state: "made", id: `page_${number}`, creationDigest: "" },
    });
    const record = new FileStore(file);
    await record.write([creation(0)]);
    fill();
    const written = ["page_200"];
    for (let number = 1; number < 150; number++) {
      const failure = await failureOf(() => record.write([creation(number)]));
      if (failure === undefined) written.push(`page_${number}`);
    }
    await expectFailure(() => record.write([creation(150)]), /lf-1\.jsonl can't be written: ENOSPC.*run again/);
    rmSync(FILLER);
    await new FileStore(file).write([creation(200)]);
    const ids = new FileStore(file).read().entries.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(written));
  });

  test("that is read-only is named in the message, before there is a state and later", async () => {
    expect(mount("-o", "remount,ro", disk)).toBe(true);
    const said = /\.pulumi.* can't be written: EROFS: read-only file system/;
    await expectFailure(() => backend.lock(ref), said);
    mount("-o", "remount,rw", disk);
    rmSync(join(disk, ".pulumi"), { recursive: true });
    mount("-o", "remount,ro", disk);
    await expectFailure(async () => (await FileBackend.open(disk)).create(ref), said);
  });

  test("that is read-only, a preview needs no more of it", async () => {
    const desk = await inTest(Desk.open());
    const env = { PULUMI_BACKEND_URL: `file://${disk}`, LANDFORM_HISTORY: "off" };
    const manifest = (price: number) =>
      desk.write("landform.yaml", `landform: 1\nname: look\nproducts: { mug: { price: ${price} } }\n`);
    manifest(1);
    expect((await desk.run(["up", "--yes"], { env })).stderr).toBe("");
    manifest(2);
    expect(mount("-o", "remount,ro", disk)).toBe(true);
    const { code, stdout, stderr } = await desk.run(["preview"], { env });
    expect([code, stderr]).toEqual([exitCodes.done, ""]);
    expect(stdout).toContain("1 to update");
  });
});
