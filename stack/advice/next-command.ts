/** Writes the commands that a person may run next, so that they mean the same run. A command is data until it is printed. Pure. */
import { resolve } from "node:path";
import { landform } from "../../provider/values/command-line.ts";
import type { Advice } from "../report/model.ts";

/** The choices for a run beyond its command. Defaults are left out. */
export interface Typed {
  readonly C?: string;
  readonly stack?: string;
  readonly engine?: string;
  readonly target?: readonly string[];
  /** The number of an environment's request. */
  readonly pr?: number;
  readonly branch?: string;
}

const DEFAULT_STACK = "dev";
const DEFAULT_ENGINE = "auto";

/** Reads the choices from the options of any command. `here`: the folder that the reader is in. */
export function typedIn(options: Readonly<Record<string, unknown>>, here: string): Typed {
  const { C, stack, engine, target, branch } = options;
  const pr = requestIn(options);
  return {
    ...(typeof C === "string" && resolve(here, C) !== resolve(here) && { C }),
    ...(typeof stack === "string" && stack !== "" && stack !== DEFAULT_STACK && { stack }),
    ...(typeof engine === "string" && engine !== DEFAULT_ENGINE && { engine }),
    ...(Array.isArray(target) && target.length > 0 && { target: target.map(String) }),
    pr,
    ...(typeof branch === "string" && branch !== "" && { branch }),
  };
}

/** Returns the request's number. The name of its environment's stack has it, too. */
function requestIn({ pr, stack }: Readonly<Record<string, unknown>>): number | undefined {
  if (typeof pr === "number") return pr;
  const [, number] = typeof stack === "string" ? (/^pr-([1-9]\d*)$/.exec(stack) ?? []) : [];
  return number === undefined ? undefined : Number(number);
}

type Option = keyof Typed;

const GROUPS: readonly { readonly options: readonly Option[]; readonly commands: readonly string[] }[] = [
  {
    options: ["stack", "C", "engine", "target"],
    commands: ["preview", "up", "drift", "refresh", "destroy", "ci plan", "ci apply", "ci drift"],
  },
  {
    options: ["stack", "C", "engine"],
    commands: [
      ...["watch", "check", "adopt", "undo", "history", "redirects", "output", "where"],
      ...["templates ls", "templates keys", "templates types", "state export", "state import", "state unlock"],
    ],
  },
  { options: ["stack", "C"], commands: ["doctor", "config set", "config get", "config rm", "config ls"] },
  { options: ["C", "engine", "pr", "branch"], commands: ["env up"] },
  {
    options: ["C", "engine"],
    commands: ["env down", "env list", "env gc", "ci preview", "stack ls", "stack rm"],
  },
];

/** The options that each command takes. Other commands take none. */
export const TAKEN: ReadonlyMap<string, readonly Option[]> = new Map(
  GROUPS.flatMap(({ options, commands }) => commands.map((command) => [command, options])),
);

/** The words of an option for the command line. A value that begins like an option has to be joined to its option. */
function wordsOf(option: Option, typed: Typed): string[] {
  if (option === "target") return (typed.target ?? []).flatMap((target) => long("--target", target));
  if (option === "pr") return typed.pr === undefined ? [] : ["--pr", String(typed.pr)];
  const value = typed[option];
  if (value === undefined) return [];
  if (option === "engine" || option === "branch") return long(`--${option}`, value);
  const flag = option === "stack" ? "-s" : "-C";
  return value.startsWith("-") ? [`${flag}${value}`] : [flag, value];
}

function long(flag: string, value: string): string[] {
  return value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];
}

type Command = Pick<Advice, "command" | "arguments">;

/** Adds the options of a run to a command. A command that chooses its targets or its request itself keeps them. */
export function completed<One extends Command>(one: One, typed: Typed): One {
  const taken = (TAKEN.get(one.command) ?? []).filter((option) => !one.arguments.includes(`--${option}`));
  return { ...one, arguments: [...taken.flatMap((option) => wordsOf(option, typed)), ...one.arguments] };
}

export function adviceFor(options: object, here: string): (advice: Advice) => Advice {
  const typed = typedIn({ ...options }, here);
  return (advice) => completed(advice, typed);
}

export type Advised = (command: string, ...given: readonly string[]) => string;

export function advisedFor(options: object, here: string): Advised {
  const typed = typedIn({ ...options }, here);
  return (command, ...given) => commandLine(completed({ command, arguments: given }, typed));
}

export function commandLine({ command, arguments: given }: Command): string {
  return landform(command, ...given);
}

export function adviceText(advice: Advice): string {
  return `${commandLine(advice)} ${advice.reason}`;
}

/** Returns the message of an error with its advice, where both are one text. */
export function messageWithAdvice({ message, advice = [] }: { message: string; advice?: readonly Advice[] }): string {
  return [message, ...advice.map(adviceText)].join("\n");
}
