/** `landform completion`: makes a script for the shell from the commands and options. */
import { Argument, type Command, type Option } from "commander";
import { optionsOf } from "../groups.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("print a completion script: bash loads it with source <(landform completion bash)")
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .action((shell: Shell) => void process.stdout.write(`${completionScript(program, shell)}\n`));
}

interface Completable {
  /** `config set`; empty for the program itself. */
  path: string;
  description: string;
  words: { word: string; description: string }[];
  options: readonly Option[];
}

export function completionScript(program: Command, shell: Shell): string {
  const all = completables(program, "");
  return { bash, zsh, fish }[shell](all);
}

function completables(command: Command, path: string): Completable[] {
  const own: Completable = {
    path,
    description: command.description(),
    words: command.commands.map((inner) => ({ word: inner.name(), description: inner.description() })),
    options: optionsOf(command).filter((option) => !option.hidden),
  };
  return [own, ...command.commands.flatMap((inner) => completables(inner, `${path} ${inner.name()}`.trim()))];
}

function wordsOf({ words, options }: Completable): string[] {
  const flags = options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag !== undefined);
  return [...words.map(({ word }) => word), ...flags];
}

function choices(all: readonly Completable[]): [flag: string, values: string[]][] {
  const found = new Map<string, string[]>();
  for (const { long, argChoices } of all.flatMap(({ options }) => options)) {
    if (long !== undefined && argChoices !== undefined) found.set(long, argChoices);
  }
  return [...found];
}

/** Returns options whose value is a file or a folder, by their placeholders. */
function pathFlags(all: readonly Completable[]): string[] {
  const found = all.flatMap(({ options }) => options).filter(({ flags }) => /[<[](file|dir)[>\]]/.test(flags));
  return [...new Set(found.flatMap(({ short, long }) => [short, long]))].filter((flag) => flag !== undefined);
}

/** The longest command path on the line decides what can follow. */
function bash(all: readonly Completable[]): string {
  const cases = all.map((one) => `    "${one.path}") words="${wordsOf(one).join(" ")}" ;;`);
  const values = choices(all).map(
    ([flag, list]) => `    ${flag}) COMPREPLY=($(compgen -W "${list.join(" ")}" -- "$current")); return ;;`,
  );
  return [
    "# landform completion for bash",
    "_landform() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" path="" word words=""',
    '  case "$previous" in',
    ...values,
    `    ${pathFlags(all).join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;`,
    "  esac",
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$word" in -*) continue ;; esac',
    `    case " ${all
      .map(({ path }) => path)
      .filter((path) => path !== "")
      .join(" | ")} " in *" \${path:+$path }$word "*) path="\${path:+$path }$word" ;; esac`,
    "  done",
    '  case "$path" in',
    ...cases,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    "complete -F _landform landform",
  ].join("\n");
}

function zsh(all: readonly Completable[]): string {
  return ["#compdef landform", "autoload -U +X bashcompinit && bashcompinit", bash(all)].join("\n");
}

function fish(all: readonly Completable[]): string {
  return [
    "# landform completion for fish",
    "complete -c landform -f",
    ...all.flatMap((one) => [...fishWords(one), ...one.options.map((option) => fishOption(one, option))]),
  ].join("\n");
}

function fishWords({ path, words }: Completable): string[] {
  return words.map(
    ({ word, description }) => `complete -c landform ${condition(path, words)} -a ${word} -d ${quote(description)}`,
  );
}

function fishOption({ path }: Completable, { long, short, description, argChoices, required }: Option): string {
  const flags = [...(long ? [`-l ${long.slice(2)}`] : []), ...(short ? [`-s ${short.slice(1)}`] : [])];
  const values = argChoices ? [`-xa ${quote(argChoices.join(" "))}`] : required ? ["-rF"] : [];
  return ["complete -c landform", condition(path, []), ...flags, ...values, `-d ${quote(description)}`].join(" ");
}

function condition(path: string, words: Completable["words"]): string {
  if (path === "") return words.length > 0 ? "-n __fish_use_subcommand" : "";
  const seen = path.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
  const not = words.length > 0 ? [`not __fish_seen_subcommand_from ${words.map(({ word }) => word).join(" ")}`] : [];
  return `-n ${quote([...seen, ...not].join("; and "))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
