import type { Argument, Command, Option } from "commander";
import { createProgram } from "../../../cli/cli.ts";
import { optionsOf } from "../../../cli/groups.ts";
import { exitCodes } from "../../../stack/exit/codes.ts";
import { DEFAULT_PATIENCE_MS, TIMES_FOR_GOOD } from "../../../provider/account/presence.ts";
import { apiDefaults } from "../../../provider/api/config.ts";
import { DEFAULT_WAIT_MS } from "../../../provider/seen/look.ts";
import { LEGEND } from "../../../stack/report/words.ts";
import { anchor, code, page } from "./markdown.ts";

const INTRODUCTION = `# Commands

\`landform COMMAND --help\` prints the same. On a terminal, Landform shows progress and colours. In a pipe it prints plain lines.
\`NO_COLOR\` and \`FORCE_COLOR\` decide otherwise. With \`--json\` on standard output, the text for people goes to standard error.`;

const MEANINGS: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "Done.",
  failed:
    "The run failed, something is held back, `--fail-on` found something, or Landform could not check a plan against the account. The next run goes on.",
  changes:
    "With `--detailed-exitcode`: changes or drift. For `export`: the code keeps values that differ from the account, or names objects that are gone; the command lists them.",
  refused:
    "Landform refused, and sent nothing. The message has the reason, such as a safety limit, a conflict of an undo, or a saved plan that no longer holds.",
  invalid: "The program, the manifest or the options are wrong. Nothing was sent.",
};

/** Each row has the variable, the key of the stack's setting (if there is one) and the meaning. */
const ENVIRONMENT: readonly (readonly [string, string, string])[] = [
  ["`LANDFORM_BASE_URL`", "`landform:baseUrl`", "address of the API with its version segment: `https://HOST/v1`."],
  ["`LANDFORM_API_KEY`", "`landform:apiKey` (secret)", "the key."],
  [
    "`LANDFORM_TIMEOUT_MS`",
    "`landform:timeoutMs`",
    `limit for a call with its retries and the waits between them. Default: ${apiDefaults.timeoutMs}.`,
  ],
  [
    "`LANDFORM_MAX_CONCURRENCY`",
    "`landform:maxConcurrency`",
    `calls at the same time; fewer after a 429. Default: ${apiDefaults.maxConcurrency}.`,
  ],
  ["`LANDFORM_REQUESTS_PER_SECOND`", "`landform:requestsPerSecond`", "calls started in a second. Default: no limit."],
  [
    "`LANDFORM_FOREIGN_EDITS`",
    "`landform:foreignEdits`",
    "`hold` or `include`, as in `--foreign-edits`. Default: ask, or `hold`.",
  ],
  ["`LANDFORM_VERIFY`", "`landform:verify`", "`true` or `strict`, as in `--verify`. Default: `false`."],
  [
    "`LANDFORM_VERIFY_WAIT_MS`",
    "`landform:verifyWaitMs`",
    `how long to wait until a public page shows the published texts. Default: ${DEFAULT_WAIT_MS}.`,
  ],
  ["`LANDFORM_HISTORY`", "`landform:history`", "folder or bucket of the [history](undo.md#what-a-run-keeps)."],
  [
    "`LANDFORM_PATIENCE_MS`",
    "",
    `how long to look for an object after a lost answer or a killed run; for a site, which can't be deleted, ${TIMES_FOR_GOOD} times as long. Default: ${DEFAULT_PATIENCE_MS}.`,
  ],
  ["`LANDFORM_READ_ONLY`", "", "`true`: send no call that changes the account. `ci plan` and `ci drift` set it."],
  [
    "`LANDFORM_NOT_OURS`",
    "",
    "ids, separated by commas, of objects that no interrupted run made ([Unproven](../troubleshooting.md#unproven)).",
  ],
  ["`PULUMI_CONFIG_PASSPHRASE`, `PULUMI_CONFIG_PASSPHRASE_FILE`", "", "passphrase of the stack's secrets."],
  [
    "`PULUMI_BACKEND_URL`",
    "",
    "the place of the state ([without it](../engines.md#where-the-state-is)). The embedded engine takes only `file://`.",
  ],
];

const PULUMIS = `## Commands that Pulumi has

There is no \`stack init\` and no \`stack select\`: \`up\` makes the stack that \`--stack\` names. To rename a stack, use
\`pulumi stack rename\` ([guide](../guides/teams.md#rename-a-stack)).`;

/** Options that come together. A command with all of them names the set. */
const SETS: readonly { readonly name: string; readonly flags: readonly string[] }[] = [
  { name: "stack", flags: ["-C", "--stack", "--verbose"] },
  { name: "reports", flags: ["--json", "--markdown", "--html", "--junit"] },
  { name: "limits", flags: ["--yes", "--max-deletes", "--force"] },
  {
    name: "environment",
    flags: ["--base", "--site", "--project", "--slug-style", "--hooks", "--drafts", "--seed", "--ttl", "--max-live"],
  },
  { name: "code host", flags: ["--forge", "--repository", "--pr", "--head", "--commit"] },
];

export async function commandsPage(): Promise<string> {
  const commands = listed(await createProgram());
  const shared = sharedBy(commands);
  return page(
    INTRODUCTION,
    commands.map(({ name }) => `[${code(name.replace(/^landform /, ""))}](#${anchor(name)})`).join(" "),
    "## Exit codes",
    (Object.keys(exitCodes) as (keyof typeof exitCodes)[])
      .map((name) => `- **${String(exitCodes[name])}** ${MEANINGS[name]}`)
      .join("\n"),
    `A command that lists no exit codes ends with one of ${USUAL}.`,
    "## Environment",
    "A variable wins over the setting of the stack beside it. `1`, `yes` and `on` mean `true`; `0`, `no` and `off` mean `false`.",
    ENVIRONMENT.map(([variable, key, meaning]) => `- ${variable}${key === "" ? "" : `, ${key}`}: ${meaning}`).join(
      "\n",
    ),
    "## Signs of a plan",
    `\`\`\`text\n${LEGEND.trim()}\n\`\`\``,
    "## Shared options",
    "Each command lists the shared options that it takes. Options of a group, such as `landform config`, may stand before the subcommand.",
    sharedOptions([...shared.values()], commands),
    PULUMIS,
    ...commands.map((one) => section(one, shared)),
  );
}

/** Options by the text of their row. */
type Shared = ReadonlyMap<string, Option>;

const MANY = 2;

function sharedBy(commands: readonly Listed[]): Shared {
  const all = Map.groupBy(
    commands.flatMap(({ command }) => optionsOf(command)),
    optionLine,
  );
  return new Map([...all].flatMap(([row, [one, ...others]]) => (one && others.length + 1 >= MANY ? [[row, one]] : [])));
}

function sharedOptions(all: readonly Option[], commands: readonly Listed[]): string {
  const sets = SETS.map(({ name, flags }) => {
    const lines = all.filter((option) => comesIn(flags, option, commands)).map(optionLine);
    return `The set **${name}**:\n\n${lines.join("\n")}`;
  });
  const single = all.filter((option) => !SETS.some(({ flags }) => comesIn(flags, option, commands)));
  const lines = single.map((option) => {
    const isTwice = single.some((other) => other !== option && flagOf(other) === flagOf(option));
    return optionLine(option) + (isTwice ? ` For ${takenBy(option, commands)}.` : "");
  });
  return [...sets, `Other shared options:\n\n${lines.join("\n")}`].join("\n\n");
}

/** Tells if a command takes the option together with the rest of the set. */
function comesIn(flags: readonly string[], option: Option, commands: readonly Listed[]): boolean {
  return commands.some(({ command }) => {
    const options = optionsOf(command);
    const isWhole = flags.every((flag) => options.some((one) => flagOf(one) === flag && isOfSet(one, flags)));
    return isWhole && isOfSet(option, flags) && options.some((one) => optionLine(one) === optionLine(option));
  });
}

function takenBy(option: Option, commands: readonly Listed[]): string {
  const taking = commands.filter(({ command }) =>
    optionsOf(command).some((one) => optionLine(one) === optionLine(option)),
  );
  return taking.map(({ name }) => code(name.replace(/^landform /, ""))).join(", ");
}

/** `--json` alone is another option than the `--json [file]` of the reports. */
function isOfSet(option: Option, flags: readonly string[]): boolean {
  return flags.includes(flagOf(option)) && option.flags !== "--json";
}

function sharedLine(options: readonly Option[]): string {
  const whole = SETS.filter(({ flags }) =>
    flags.every((flag) => options.some((option) => flagOf(option) === flag && isOfSet(option, flags))),
  );
  const rest = options.filter((option) => !whole.some(({ flags }) => isOfSet(option, flags)));
  const names = [...whole.map(({ name }) => `**${name}**`), ...rest.map((option) => code(flagOf(option)))];
  return names.length === 0 ? "" : `[Shared](#shared-options): ${names.join(", ")}.`;
}

interface Listed {
  /** The name with those of its parents: `landform state export`. */
  name: string;
  command: Command;
}

/** Returns the commands that do something, in the order of the help. */
function listed(parent: Command, prefix = "landform"): Listed[] {
  return parent.commands.flatMap((command) => {
    const name = `${prefix} ${command.name()}`;
    return command.commands.length > 0 ? listed(command, name) : [{ name, command }];
  });
}

function section({ name, command }: Listed, shared: Shared): string {
  const summary = command.description();
  const options = optionsOf(command);
  const own = options.filter((option) => !shared.has(optionLine(option)));
  const common = options.filter((option) => shared.has(optionLine(option)));
  const words = name.replace(/^landform /, "");
  const usage = command.registeredArguments.map(argumentLine);
  return [
    `## ${name}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.${codesOf(words, options)}`,
    words in EXAMPLES ? `\`\`\`sh\n${String(EXAMPLES[words])}\n\`\`\`` : "",
    [...usage, ...own.map(optionLine)].join("\n"),
    sharedLine(common),
    furtherHelp(command),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Examples for commands whose lists of options don't show how to type them. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "templates keys": "npx landform templates keys tpl-hero --probe",
  "copy extract": "npx landform copy extract --locale de --out de.xlf",
  "ci plan": "npx landform ci plan --plans s3://team-state/plans",
  "ci apply": "npx landform ci apply --plans s3://team-state/plans",
  "config set": "npx landform config set --secret landform:apiKey",
};

const USUAL = "0, 1, 4";

/** Returns a sentence, unless the codes are those of most commands. */
function codesOf(words: string, options: readonly Option[]): string {
  const has = (flags: string): boolean => options.some((option) => option.flags === flags);
  const codes = [0, 1, ...(has("--detailed-exitcode") || words === "export" ? [2] : [])];
  const mayRefuse = has("--max-deletes <limit>") || has("--plan <file>") || REFUSING.has(words);
  const all = [...codes, ...(mayRefuse ? [3] : []), 4].join(", ");
  return all === USUAL ? "" : ` Exit codes: ${all}.`;
}

/** Commands that refuse without having a limit or a plan: an account that has changed, a stack with resources, or one of another repository. */
const REFUSING: ReadonlySet<string> = new Set(["preview", "stack rm", "env up", "env down", "ci preview"]);

function flagOf({ short, long }: Option): string {
  return long ?? short ?? "";
}

/** Returns the paragraphs that a command adds to its own help. The page explains the signs once. */
function furtherHelp(command: Command): string {
  let all = "";
  command.configureOutput({ writeOut: (text) => (all += text) });
  command.outputHelp();
  return unbroken(all.replace(command.helpInformation(), "")).replace(unbroken(LEGEND).trim(), "").trim();
}

function unbroken(text: string): string {
  return text.replaceAll(/(?<=\S)\n(?=\S)/g, " ");
}

function argumentLine(argument: Argument): string {
  const about = argument.description === "" ? "" : `: ${argument.description}.`;
  return `- ${code(argument.required ? `<${argument.name()}>` : `[${argument.name()}]`)}${about}`;
}

function optionLine({ flags, description, argChoices, defaultValue }: Option): string {
  const choices = argChoices ? ` One of ${argChoices.map(code).join(", ")}.` : "";
  const shown = typeof defaultValue === "string" || typeof defaultValue === "number";
  return `- ${code(flags)}: ${description}.${choices}${shown ? ` Default: ${code(String(defaultValue))}.` : ""}`;
}
