import type { Argument, Command, Option } from "commander";
import { createProgram } from "../../../cli/cli.ts";
import { optionsOf } from "../../../cli/groups.ts";
import { exitCodes } from "../../../stack/exit/codes.ts";
import { anchor, code, page, table } from "./markdown.ts";

const INTRODUCTION = `# Commands

\`landform COMMAND --help\` prints the same. A terminal gets live progress and colour, a pipe gets plain lines; \`NO_COLOR\` and
\`FORCE_COLOR\` are heeded. With \`--json\` on standard output, what is for people goes to standard error.
\`landform\` without a command prints its help and ends with 4: a script that lost its command must not pass.`;

const MEANINGS: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "Done. With `--detailed-exitcode`: nothing to change.",
  failed:
    "Failed, a page is held back, or a plan with changes that the account could not be asked about. What was done is recorded; the next run goes on from there.",
  changes:
    "With `--detailed-exitcode`: there are changes (preview) or drift. Of `export`: what differs in the account is left as declared.",
  refused: "Refused by a safety limit, or a saved plan that no longer holds. Nothing was sent.",
  invalid: "The program, the manifest or the options are wrong. Nothing was sent.",
};

const ENVIRONMENT = [
  ["`LANDFORM_BASE_URL`", "`landform:baseUrl`", "Address of the API, with its version segment: `https://HOST/v1`."],
  [
    "`LANDFORM_API_KEY`",
    "`landform:apiKey` (secret)",
    "API key. The variable comes first, so a rotated key is seen at once.",
  ],
  ["`LANDFORM_TIMEOUT_MS`", "`landform:timeoutMs`", "Deadline of a call, its retries included. Default: 60000."],
  ["`LANDFORM_MAX_CONCURRENCY`", "`landform:maxConcurrency`", "Calls under way at the same time. Default: 16."],
  [
    "`LANDFORM_REQUESTS_PER_SECOND`",
    "`landform:requestsPerSecond`",
    "No more calls than that are started in a second. Default: no limit.",
  ],
  [
    "`LANDFORM_FOREIGN_EDITS`",
    "`landform:foreignEdits`",
    "`hold` or `include` edits of others that a publication would take along. Default: ask, or `hold`.",
  ],
  [
    "`LANDFORM_VERIFY`",
    "`landform:verify`",
    "`true`, or `strict` as `up --verify=strict`: look at what visitors get after each publication. Default: `false`.",
  ],
  [
    "`LANDFORM_VERIFY_WAIT_MS`",
    "`landform:verifyWaitMs`",
    "How long a public page is looked at until it shows what was published. Default: 60000.",
  ],
  [
    "`LANDFORM_NOT_OURS`",
    "",
    "Ids, separated by commas, of objects that an interrupted run did not make: see [Unproven](../troubleshooting.md#unproven).",
  ],
  [
    "`PULUMI_CONFIG_PASSPHRASE`, `PULUMI_CONFIG_PASSPHRASE_FILE`",
    "",
    "Passphrase of the stack's secrets, as Pulumi reads it.",
  ],
  [
    "`PULUMI_BACKEND_URL`",
    "",
    "Where state is kept. The embedded engine takes `file://` addresses only. Default: the project's folder.",
  ],
];

export async function commandsPage(): Promise<string> {
  const commands = listed(await createProgram());
  const shared = sharedBy(commands);
  return page(
    INTRODUCTION,
    commands.map(({ name, command }) => `- [${code(name)}](#${anchor(name)}): ${command.description()}`).join("\n"),
    "## Exit codes",
    table(
      ["Code", "Meaning"],
      (Object.keys(exitCodes) as (keyof typeof exitCodes)[]).map((name) => [String(exitCodes[name]), MEANINGS[name]]),
    ),
    "## Environment",
    "What the variable does not set, the stack's configuration may.",
    table(["Variable", "Stack configuration", "Meaning"], ENVIRONMENT),
    "## Shared options",
    "Of several commands, which name them. Those of a group, such as `landform config`, stand before or after the name of its command.",
    table(["Option", "Meaning"], [...shared.values()].map(optionRow)),
    ...commands.map((one) => section(one, shared)),
  );
}

/** By what a row says of them. */
type Shared = ReadonlyMap<string, Option>;

const MANY = 3;

function sharedBy(commands: readonly Listed[]): Shared {
  const all = Map.groupBy(
    commands.flatMap(({ command }) => optionsOf(command)),
    rowOf,
  );
  return new Map([...all].flatMap(([row, [one, ...others]]) => (one && others.length + 1 >= MANY ? [[row, one]] : [])));
}

function rowOf(option: Option): string {
  return optionRow(option).join(" ");
}

interface Listed {
  /** With those of its parents: `landform state export`. */
  name: string;
  command: Command;
}

/** The commands that do something, in the order of the help. */
function listed(parent: Command, prefix = "landform"): Listed[] {
  return parent.commands.flatMap((command) => {
    const name = `${prefix} ${command.name()}`;
    return command.commands.length > 0 ? listed(command, name) : [{ name, command }];
  });
}

function section({ name, command }: Listed, shared: Shared): string {
  const summary = command.description();
  const options = optionsOf(command);
  const own = options.filter((option) => !shared.has(rowOf(option)));
  const common = options.filter((option) => shared.has(rowOf(option)));
  const words = name.replace(/^landform /, "");
  return [
    `## ${name}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. Ends with ${codesOf(words, options)}.`,
    `\`\`\`sh\n${EXAMPLES[words] ?? `npx ${`${name} ${command.usage().replace("[options]", "").trim()}`.trim()}`}\n\`\`\``,
    argumentTable(command.registeredArguments),
    own.length === 0 ? "" : table(["Option", "Meaning"], own.map(optionRow)),
    common.length === 0 ? "" : `[Shared](#shared-options): ${common.map(flagOf).map(code).join(", ")}.`,
    furtherHelp(command),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Where the usage by itself is no line to type. */
const EXAMPLES: Readonly<Record<string, string>> = {
  output: "npx landform output offerUrl",
  init: "npx landform init my-funnel --template yaml",
  check: "npx landform check --fail-on warning",
  where: 'npx landform where "Hello Acme"',
  redirects: "npx landform redirects --format nginx > moved.conf",
  "templates ls": "npx landform templates ls webinar",
  "templates keys": "npx landform templates keys tpl-hero --probe",
  "copy extract": "npx landform copy extract --locale de --out de.xlf",
  "copy import": "npx landform copy import de.xlf",
  "copy accept": "npx landform copy accept --locale de",
  undo: "npx landform undo",
  history: "npx landform history",
  "env up": "npx landform env up --pr 12",
  "env down": "npx landform env down pr-12",
  "ci plan": "npx landform ci plan --plans s3://team-state/plans",
  "ci apply": "npx landform ci apply --plans s3://team-state/plans",
  "config set": "npx landform config set --secret landform:apiKey",
  "config get": "npx landform config get landform:baseUrl",
  "config rm": "npx landform config rm landform:timeoutMs",
  "stack rm": "npx landform stack rm pr-12",
  "state export": "npx landform state export --file state.json",
  "state import": "npx landform state import --file state.json",
  completion: "source <(npx landform completion bash)",
};

function codesOf(words: string, options: readonly Option[]): string {
  const has = (long: string): boolean => options.some((option) => option.long === long);
  const codes = [0, 1, ...(has("--detailed-exitcode") || words === "export" ? [2] : [])];
  const all = [...codes, ...(has("--max-deletes") || has("--plan") || words === "stack rm" ? [3] : []), 4];
  return `${all.slice(0, -1).join(", ")} or ${all.at(-1) ?? ""}`;
}

function flagOf({ short, long }: Option): string {
  return long ?? short ?? "";
}

/** What a command adds to its own help. */
function furtherHelp(command: Command): string {
  let all = "";
  command.configureOutput({ writeOut: (text) => (all += text) });
  command.outputHelp();
  const text = all.replace(command.helpInformation(), "").trim();
  return text === "" ? "" : `\`\`\`text\n${text}\n\`\`\``;
}

function argumentTable(all: readonly Argument[]): string {
  if (all.length === 0) return "";
  return table(
    ["Argument", "Meaning"],
    all.map((argument) => [code(argument.name()), argument.description]),
  );
}

function optionRow({ flags, description, argChoices, defaultValue }: Option): string[] {
  const choices = argChoices ? ` One of ${argChoices.map(code).join(", ")}.` : "";
  const shown = typeof defaultValue === "string" || typeof defaultValue === "number";
  return [code(flags), `${description}.${choices}${shown ? ` Default: ${code(String(defaultValue))}.` : ""}`];
}
