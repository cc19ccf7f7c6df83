/** A project's texts, for commands that look for one: from its files, its state, its history and, where it is asked, the account. */
import { isRecord, type ExportedStack, type PropertyPath } from "../../engine/index.ts";
import { openHistory } from "../history/place.ts";
import type { RunStart } from "../history/run-file.ts";
import type { EngineChoice, StackOptions } from "../options.ts";
import { withAccount } from "../project/account.ts";
import { openStack, type StackFolder } from "../project/open.ts";
import { withStacks } from "../stacks/stacks.ts";
import { projectTexts, type ProjectTexts } from "./project-texts.ts";
import type { RecordedObject } from "./recorded-texts.ts";
import { findUndeclared, type Undeclared } from "./undeclared.ts";

export interface SourceOptions extends StackOptions {
  engine: EngineChoice;
}

export interface OpenedTexts extends ProjectTexts {
  readonly folder: StackFolder;
  /** The last run that changed the object. */
  lastRun(object: RecordedObject): RunStart | undefined;
  undeclared(wanted: string): Promise<Undeclared>;
}

export async function openTexts(options: SourceOptions): Promise<OpenedTexts> {
  const folder = await openStack(options.C, options.stack);
  const state = await stateOf(options, folder);
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
        return await withAccount(options, (api) => findUndeclared(api, wanted, declared));
      } catch (error) {
        const failed = error instanceof Error ? error.message : String(error);
        return { texts: [], looks: [{ what: "", read: 0, left: 0, failed }] };
      }
    },
  };
}

/** Undefined where the stack has none: its files can be searched all the same. */
async function stateOf({ engine, stack }: SourceOptions, folder: StackFolder): Promise<ExportedStack | undefined> {
  return withStacks(engine, folder, async (stacks) => {
    const names = (await stacks.list()).map(({ name }) => name);
    return names.includes(stack) ? stacks.export(stack, { showSecrets: false }) : undefined;
  });
}

/** As the last run applied it. */
function declaredIn(state: ExportedStack | undefined): (id: string, path: PropertyPath) => boolean {
  const inputs = new Map((state?.deployment.resources ?? []).map((one) => [one.id, one.inputs ?? {}]));
  return (id, [input, key]) => {
    const value = inputs.get(id)?.[String(input)];
    if (value === undefined) return false;
    return key === undefined || !isRecord(value) || String(key) in value;
  };
}
