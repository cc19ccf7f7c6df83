/** All commands, in the order of the help. The module of a command is loaded only where it is needed. */
import type { Command } from "commander";

/** Adds one command to the program. Its action sets `process.exitCode`, or throws. */
export type AddCommand = (program: Command) => void;

/** What the help says of a command, as its module would (a test compares them), and where the command is. */
export interface CommandEntry {
  readonly term: string;
  readonly about: string;
  readonly load: () => Promise<AddCommand>;
}

export const commands: readonly CommandEntry[] = [
  {
    term: "init [options] [folder]",
    about: "make a project that can be previewed at once",
    load: async () => (await import("./init.ts")).addInit,
  },
  {
    term: "validate [options] [file]",
    about: "check a landform.yaml; nothing is sent unless --online",
    load: async () => (await import("./validate.ts")).addValidate,
  },
  {
    term: "preview [options]",
    about: "show what up would change, field by field, and what that touches; changes nothing",
    load: async () => (await import("./preview.ts")).addPreview,
  },
  {
    term: "up [options]",
    about: "preview, ask, and bring the account to what the code says",
    load: async () => (await import("./up.ts")).addUp,
  },
  {
    term: "refresh [options]",
    about: "take what exists into the state; changes nothing in the account",
    load: async () => (await import("./refresh.ts")).addRefresh,
  },
  {
    term: "drift [options]",
    about: "compare what exists with the last run and with the code; changes nothing",
    load: async () => (await import("./drift.ts")).addDrift,
  },
  {
    term: "destroy [options]",
    about: "delete everything that the stack holds, and say what stays",
    load: async () => (await import("./destroy.ts")).addDestroy,
  },
  {
    term: "export [options]",
    about: "write an existing account as code that takes it over, or merge its changes into code that does",
    load: async () => (await import("./export.ts")).addExport,
  },
  {
    term: "diff [options] <a> <b>",
    about: "compare two manifests or accounts, field by field and text by text; nothing is changed",
    load: async () => (await import("./diff.ts")).addDiff,
  },
  {
    term: "config",
    about: "settings of a stack, in Pulumi.STACK.yaml",
    load: async () => (await import("./config.ts")).addConfig,
  },
  {
    term: "state",
    about: "a stack's state in a folder: out, in, and repaired",
    load: async () => (await import("./state.ts")).addState,
  },
  {
    term: "emulator [options]",
    about: "run the service on this machine, to try and to test without an account",
    load: async () => (await import("./emulator.ts")).addEmulator,
  },
  {
    term: "doctor [options]",
    about: "look at Node, the engines, the service, the key and what it may do",
    load: async () => (await import("./doctor.ts")).addDoctor,
  },
  {
    term: "completion <shell>",
    about: "a completion script, for instance: source <(landform completion bash)",
    load: async () => (await import("./completion.ts")).addCompletion,
  },
  {
    term: "demo [options]",
    about: "see it work: an emulated account, a funnel, a change, and drift repaired",
    load: async () => (await import("./demo.ts")).addDemo,
  },
];

export function nameOf({ term }: CommandEntry): string {
  return term.split(" ")[0] ?? term;
}
