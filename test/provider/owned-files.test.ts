/** Only the owner can read a run's files beside a state, and no link leads the run to another file. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RunStore } from "../../stack/history/store.ts";
import { KeptFile, newKey } from "../../provider/history/kept.ts";
import { LinkedFileError } from "../../provider/ledger/owned-files.ts";
import type { Entry } from "../../provider/ledger/ledger.ts";
import { FileStore } from "../../provider/ledger/file-store.ts";

const CREATION: Entry = {
  ...{ key: "lf-1-2", at: "2026-01-01T00:00:00.000Z", kind: "page", name: "offer" },
  ...{ state: "made", id: "page_1", creationDigest: "" },
};
const KEPT = {
  resourceKey: "lf-1-2",
  kind: "page",
  id: "page_1",
  step: "update" as const,
  then: {},
  sent: {},
  hidden: [],
};
const PRECIOUS = '{"key":"lf-1-2","id":"page_9"}\n';

let root: string;
let outside: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "landform-owned-"));
  outside = join(root, "outside");
  mkdirSync(join(outside, "history", "dev"), { recursive: true });
  for (const name of ["dev.jsonl", "history/dev/20000101-000000-0001.jsonl"])
    writeFileSync(join(outside, name), PRECIOUS);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const own = (...names: string[]): string => join(root, "landform", ...names);
const precious = (): string[] =>
  ["dev.jsonl", "history/dev/20000101-000000-0001.jsonl"].map((name) => readFileSync(join(outside, name), "utf8"));

type Use = () => unknown;
const recordUses: Readonly<Record<string, Use>> = {
  read: () => new FileStore(own("dev.jsonl")).read(),
  begun: () => new FileStore(own("dev.jsonl")).begin([]),
};
const historyUses: Readonly<Record<string, Use>> = {
  listed: () => new RunStore(own("history", "dev")).list(),
  forgotten: () => new RunStore(own("history", "dev")).forgetOld(Date.now()),
  "begun by the command": () => new RunStore(own("history", "dev")).add("20000101-000000-0001", []),
};

describe("a ledger that is a link", () => {
  describe.each(["the file", "the folder"])("%s", (what) => {
    beforeEach(() => {
      if (what === "the folder") symlinkSync(outside, own());
      else {
        mkdirSync(own());
        symlinkSync(join(outside, "dev.jsonl"), own("dev.jsonl"));
      }
    });
    test.each(Object.entries(recordUses))("is not %s", (_, use) => {
      expect(use).toThrow(LinkedFileError);
      expect(precious()).toEqual([PRECIOUS, PRECIOUS]);
    });
  });

  test("and became one while the run went on is not written to", async () => {
    const record = new FileStore(own("dev.jsonl"));
    await record.write([CREATION]);
    rmSync(own("dev.jsonl"));
    symlinkSync(join(outside, "dev.jsonl"), own("dev.jsonl"));
    await expect(record.write([{ ...CREATION, id: "page_2" }])).rejects.toThrow(LinkedFileError);
    expect(() => record.note([CREATION])).toThrow(LinkedFileError);
    expect(precious()).toEqual([PRECIOUS, PRECIOUS]);
  });
});

describe("a history that is a link", () => {
  const places = [[], ["history"], ["history", "dev"], ["history", "dev", "20000101-000000-0001.jsonl"]];
  describe.each(places)("at landform/%s/%s/%s", (...names: string[]) => {
    beforeEach(() => {
      mkdirSync(join(own(...names), ".."), { recursive: true });
      symlinkSync(join(outside, ...names), own(...names));
    });
    const uses = Object.entries(historyUses).filter(([use]) => names.length < 3 || use !== "forgotten");
    test.each(uses)("is not %s", (_, use) => {
      expect(use).toThrow(LinkedFileError);
      expect(precious()).toEqual([PRECIOUS, PRECIOUS]);
    });
    test("is not added to by the provider's host", async () => {
      const file = new KeptFile(own("history", "dev", "20000101-000000-0001.jsonl"), newKey());
      await expect(file.keep(KEPT)).rejects.toThrow(LinkedFileError);
      expect(precious()).toEqual([PRECIOUS, PRECIOUS]);
    });
  });

  test("old runs are forgotten all the same", () => {
    const store = new RunStore(own("history", "dev"));
    store.add("20000101-000000-0001", []);
    for (let run = 0; run < 31; run++) store.add(`20260101-000000-${1000 + run}`, []);
    store.forgetOld(Date.parse("2026-01-02T00:00:00Z"));
    expect(readdirSync(own("history", "dev"))).not.toContain("20000101-000000-0001.jsonl");
  });
});

test("they are their owner's alone, also where an older version left them open", async () => {
  const mask = process.umask(0o022);
  try {
    mkdirSync(own(), { recursive: true, mode: 0o700 });
    writeFileSync(own("dev.jsonl"), "");
    chmodSync(own("dev.jsonl"), 0o644);
    const record = new FileStore(own("dev.jsonl"));
    await record.write([CREATION]);
    new RunStore(own("history", "dev")).add("20000101-000000-0001", []);
    await new KeptFile(own("history", "dev", "20000101-000000-0002.jsonl"), newKey()).keep(KEPT);
    const all = readdirSync(own(), { recursive: true, encoding: "utf8" }).map((name) => statSync(own(name)));
    const modes = all.map((one) => `${one.isDirectory() ? "folder" : "file"} ${(one.mode & 0o777).toString(8)}`);
    expect(new Set(modes)).toEqual(new Set(["folder 700", "file 600"]));
  } finally {
    process.umask(mask);
  }
});
