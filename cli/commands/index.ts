/** All commands in the order of the help. The module of a command is loaded only when it is needed. */
import type { Command } from "commander";

/** Adds one command to the program. Its action sets `process.exitCode`, or throws. */
type AddCommand = (program: Command) => void;

/** The help of a command and its module. A test compares the help with the module's own. */
export interface CommandEntry {
  readonly group: string;
  readonly term: string;
  readonly about: string;
  readonly load: () => Promise<AddCommand>;
}

const GROUPS: Readonly<Record<string, readonly Omit<CommandEntry, "group">[]>> = {
  "Every day": [
    {
      term: "preview [options]",
      about: "show what up would change, field by field, and what that touches; changes nothing",
      load: async () => (await import("./runs.ts")).addPreview,
    },
    {
      term: "up [options]",
      about: "preview, ask, and make the account equal to the code",
      load: async () => (await import("./runs.ts")).addUp,
    },
    {
      term: "drift [options]",
      about: "compare the account with the last run and with the code; changes nothing",
      load: async () => (await import("./runs.ts")).addDrift,
    },
    {
      term: "undo [options] [run]",
      about: "take back the changes of a run, the last one or one of history; shows a plan first",
      load: async () => (await import("./undo.ts")).addUndo,
    },
    {
      term: "output [options] [name]",
      about: "print the outputs of the last run, or one of them",
      load: async () => (await import("./output.ts")).addOutput,
    },
  ],
  Start: [
    {
      term: "init [options] [folder]",
      about: "make a project that can be previewed at once",
      load: async () => (await import("../init/init.ts")).addInit,
    },
    {
      term: "emulator [options]",
      about: "run an emulator of the service on this machine, to try and to test without an account",
      load: async () => (await import("./emulator.ts")).addEmulator,
    },
    {
      term: "watch [options]",
      about: "apply the code whenever a file of the project is saved",
      load: async () => (await import("../watch/watch.ts")).addWatch,
    },
    {
      term: "doctor [options]",
      about: "check Node, the engines, the service, and the key with its scopes",
      load: async () => (await import("../doctor/doctor.ts")).addDoctor,
    },
  ],
  Run: [
    {
      term: "refresh [options]",
      about: "update the state from the account; changes nothing in the account",
      load: async () => (await import("./runs.ts")).addRefresh,
    },
    {
      term: "destroy [options]",
      about: "delete everything that the stack holds, and say what stays",
      load: async () => (await import("./runs.ts")).addDestroy,
    },
    {
      term: "history [options] [run]",
      about: "list the runs of a stack (time, person, changes), or show what one run changed",
      load: async () => (await import("./history.ts")).addHistory,
    },
  ],
  "Code and texts": [
    {
      term: "check [options] [file]",
      about: "find errors and probable mistakes in the code; sends nothing unless --online",
      load: async () => (await import("./check.ts")).addCheck,
    },
    {
      term: "export [options]",
      about: "write an existing account as code that adopts its objects, or merge the account's changes into such code",
      load: async () => (await import("./export.ts")).addExport,
    },
    {
      term: "adopt [options]",
      about:
        "find the objects of the code in the account, and write their ids into the code; changes nothing in the account",
      load: async () => (await import("./adopt.ts")).addAdopt,
    },
    {
      term: "templates ls|keys|types",
      about: "list the account's templates and their content keys, and write types for these",
      load: async () => (await import("./templates.ts")).addTemplates,
    },
    {
      term: "where [options] <text-or-url>",
      about: "find the line that has a text, or the page at an address, and who changed it last",
      load: async () => (await import("./where.ts")).addWhere,
    },
    {
      term: "redirects [options]",
      about: "write redirects for the former addresses of the stack's pages, for a web server",
      load: async () => (await import("./redirects.ts")).addRedirects,
    },
    {
      term: "copy extract|import|accept",
      about: "send texts to translators as XLIFF 1.2 or CSV, and take their translations back",
      load: async () => (await import("./copy.ts")).addCopy,
    },
  ],
  Team: [
    {
      term: "env up|down|list|gc",
      about: "make, list and remove previews: published copies of what a branch or a pull request describes",
      load: async () => (await import("./env.ts")).addEnv,
    },
    {
      term: "ci plan|apply|drift|preview",
      about: "plan, apply, preview and look for drift in a CI, and post the result on the code host",
      load: async () => (await import("./ci.ts")).addCi,
    },
  ],
  Stacks: [
    {
      term: "stack ls|rm",
      about: "list the stacks of a project, or remove one",
      load: async () => (await import("./stack.ts")).addStack,
    },
    {
      term: "config set|get|rm|ls",
      about: "set, print or remove the settings of a stack (Pulumi.STACK.yaml)",
      load: async () => (await import("./config.ts")).addConfig,
    },
    {
      term: "state export|import|unlock",
      about: "export, import or repair a stack's state",
      load: async () => (await import("./stack.ts")).addState,
    },
    {
      term: "completion <shell>",
      about: "print a completion script: bash loads it with source <(landform completion bash)",
      load: async () => (await import("./completion.ts")).addCompletion,
    },
  ],
};

export const commands: readonly CommandEntry[] = Object.entries(GROUPS).flatMap(([group, all]) =>
  all.map((one) => ({ group, ...one })),
);

export function nameOf({ term }: CommandEntry): string {
  return term.split(" ")[0] ?? term;
}
