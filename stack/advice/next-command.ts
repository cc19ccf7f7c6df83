/**
 * Commands that a message advises, as they have to be typed to mean the same run: its stack or its environment, its folder, its engine
 * and its targets, where these are not what goes without saying. Whoever writes a message needs to know none of them. Pure.
 */
import { resolve } from "node:path";
import type { Advice } from "../report/model.ts";

/** What was chosen for a run beyond its command. What goes without saying is left out. */
export interface Typed {
  readonly C?: string;
  readonly stack?: string;
  readonly engine?: string;
  readonly target?: readonly string[];
  /** Of an environment. */
  readonly pr?: number;
  readonly branch?: string;
}

const DEFAULT_STACK = "dev";
const DEFAULT_ENGINE = "auto";

/** Of a command's options, whichever of these it has. `here`: the folder that the reader is in. */
export function typedIn(options: Readonly<Record<string, unknown>>, here: string): Typed {
  const { C, stack, engine, target, branch } = options;
  const pr = requestIn(options);
  return {
    ...(typeof C === "string" && resolve(here, C) !== resolve(here) && { C }),
    ...(typeof stack === "string" && stack !== "" && stack !== DEFAULT_STACK && { stack }),
    ...(typeof engine === "string" && engine !== DEFAULT_ENGINE && { engine }),
    ...(Array.isArray(target) && target.length > 0 && { target: target.map(String) }),
    ...(pr !== undefined && { pr }),
    ...(typeof branch === "string" && branch !== "" && { branch }),
  };
}

/** The stack of a request's environment is called by its number. */
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

/** Which of them a command takes. Others take none. */
export const TAKEN: ReadonlyMap<string, readonly Option[]> = new Map(
  GROUPS.flatMap(({ options, commands }) => commands.map((command) => [command, options])),
);

/** One that says already what it is about is left as it is. */
const ADVISED = new RegExp(
  `\\bnpx landform (${[...TAKEN.keys()].join("|")})(?![\\w-])(?! (?:-C|-s|--stack|--engine|--target|--branch)\\b| --pr[ =]\\d)`,
  "g",
);

export function completed(text: string, typed: Typed): string {
  return text.replace(ADVISED, (command, name: string) =>
    [command, ...(TAKEN.get(name) ?? []).flatMap((option) => wordsOf(option, typed).map(shellWord))].join(" "),
  );
}

/** Words of the command line. An option's value that begins like an option has to be joined to it. */
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

/** The same of a command that is advised as data. */
export function adviceFor(options: object, here: string): (advice: Advice) => Advice {
  const typed = typedIn({ ...options }, here);
  return ({ command, arguments: given, reason }) => {
    const words = (TAKEN.get(command) ?? []).flatMap((option) => wordsOf(option, typed));
    return { command, arguments: [...words, ...given], reason };
  };
}

/** For all messages of one command. */
export function advisedFor(options: object, here: string): (text: string) => string {
  const typed = typedIn({ ...options }, here);
  return (text) => completed(text, typed);
}

export function commandLine({ command, arguments: given }: Advice): string {
  return ["npx landform", command, ...given.map(shellWord)].join(" ");
}

/** Words as a POSIX shell reads them back. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quoted only where it has to be: a tilde in front would be a home. */
export function shellWord(text: string): string {
  return /^[\w./@%+,-][\w./@%+,~-]*$/.test(text) ? text : shellQuoted(text);
}
