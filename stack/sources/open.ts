/** Opens a project's texts for commands that search them: from its files, its state, its history and, if asked, the account. */
import { textsIn } from "../report/values.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { type ExportedStack, isRecord, type PropertyPath } from "../../engine/index.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import { openHistory } from "../history/place.ts";
import type { RunStart } from "../history/run-file.ts";
import { type AccountLook, readAccount } from "./account.ts";
import type { StateOptions } from "../options.ts";
import { openStack, type StackFolder } from "../project/open.ts";
import { withAccount } from "../settings/settings.ts";
import { exportedState } from "../stacks/stacks.ts";
import { rankOf } from "./find.ts";
import { projectTexts, type ProjectTexts, type RecordedObject } from "./texts.ts";

export interface OpenedTexts extends ProjectTexts {
  readonly folder: StackFolder;
  lastRun(object: RecordedObject): RunStart | undefined;
  undeclared(wanted: string): Promise<Undeclared>;
}

export async function openTexts(options: StateOptions): Promise<OpenedTexts> {
  const folder = await openStack(options.C, options.stack);
  // Without a state, its files can still be searched.
  const state = await exportedState(options.engine, folder, options.stack);
  const texts = projectTexts(folder, state);
  const { runs } = state ? await (await openHistory(options.engine, folder)).runs() : { runs: [] };
  const declared = declaredIn(state);
  return {
    ...texts,
    folder,
    lastRun: ({ type, name }) =>
      runs.find(({ end }) =>
        end?.changes.some((one) => one.type === type && one.name === name && one.status === "done"),
      )?.start,
    undeclared: async (wanted) => {
      try {
        return await withAccount(options, ({ api }) => findUndeclared(api, wanted, declared));
      } catch (error) {
        const failed = reasonOf(error);
        return { texts: [], looks: [{ what: "", read: 0, left: 0, failed }] };
      }
    },
  };
}

function declaredIn(state: ExportedStack | undefined): (id: string, path: PropertyPath) => boolean {
  const inputs = new Map((state?.deployment.resources ?? []).map((one) => [one.id, one.inputs ?? {}]));
  return (id, [input, key]) => {
    const value = inputs.get(id)?.[String(input)];
    if (value === undefined) return false;
    return key === undefined || !isRecord(value) || String(key) in value;
  };
}

interface UndeclaredText {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly editUrl?: string;
  readonly path: PropertyPath;
  readonly text: string;
  readonly rank: number;
}

export interface Undeclared {
  readonly texts: UndeclaredText[];
  readonly looks: readonly AccountLook[];
}

async function findUndeclared(
  api: LandformApi,
  wanted: string,
  isDeclared: (id: string, path: PropertyPath) => boolean,
): Promise<Undeclared> {
  const { objects, looks } = await readAccount(api);
  const texts = objects.flatMap(({ about, value }) =>
    textsIn(value, []).flatMap(({ path, text }): UndeclaredText[] => {
      const rank = rankOf(text, wanted);
      return rank === undefined || isDeclared(about.id, path) ? [] : [{ ...about, path, text, rank }];
    }),
  );
  return { texts: texts.sort((a, b) => a.rank - b.rank), looks };
}

export interface Commit {
  readonly id: string;
  readonly author: string;
  /** ISO-8601. */
  readonly date: string;
  readonly summary: string;
}

const LONGEST_MS = 5_000;

/** Returns undefined if git can't tell, or if the line is not committed yet. */
export async function commitOf(file: string, line: number): Promise<Commit | undefined> {
  const args = ["blame", "--porcelain", "-L", `${line},${line}`, "--", basename(file)];
  const options = { cwd: dirname(file), timeout: LONGEST_MS, env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" } };
  const blamed = await promisify(execFile)("git", args, options).catch(() => undefined);
  const [first = "", ...lines] = blamed?.stdout.split("\n") ?? [];
  const id = /^[\da-f]{7,}/.exec(first)?.[0];
  if (id === undefined || /^0+$/.test(id)) return undefined;
  const told = (name: string): string => lines.find((one) => one.startsWith(`${name} `))?.slice(name.length + 1) ?? "";
  const date = new Date(Number(told("author-time")) * 1_000);
  if (Number.isNaN(date.getTime())) return undefined;
  return { id: id.slice(0, 10), author: told("author"), date: date.toISOString(), summary: told("summary") };
}
