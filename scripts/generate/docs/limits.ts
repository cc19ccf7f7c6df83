/** Landform's own limits and waiting times, from the code that has them. */
import { TIMEOUT_MS } from "../../../stack/settings/whose-key.ts";
import { LONGEST_DAYS } from "../../../ci/plans.ts";
import { KEPT_DAYS, KEPT_RUNS } from "../../../stack/history/store.ts";
import { LONGEST_MS, MOST_LISTED, MOST_TEXTS } from "../../../stack/sources/account.ts";
import { LARGEST } from "../../../story/markdown.ts";
import { DEFAULT_PERCENT, SMALL_STACK } from "../../../stack/checks/safety.ts";
import { DEFAULT_PARALLEL } from "../../../engine/index.ts";
import { callsInAList } from "../../../provider/api/api.ts";
import { apiDefaults } from "../../../provider/api/config.ts";
import { MOST_PAGES, pageSize } from "../../../provider/api/paging.ts";
import { MAX_BYTES } from "../../../provider/hooks/receiver.ts";

import { code, page } from "./markdown.ts";

const INTRODUCTION = `# Default limits

[Variables](commands.md#environment) set the other limits: time and number of calls, and the time to look for an object or a public page.`;

const GROUPS: Readonly<Record<string, readonly (readonly [what: string, limit: string, otherwise: string])[]>> = {
  "What one run may take away": [
    [
      "Deletions and replacements of one run",
      `${DEFAULT_PERCENT} % of the stack, from ${SMALL_STACK} resources on; refused before the first write, exit code 3`,
      `${code("--max-deletes N|N%")}, ${code("--force")}`,
    ],
    [
      "A program whose file is empty, or an entry whose `each` has no rows any more",
      "refused before the first write, exit code 3, even if it deletes little; `watch` does not apply it",
      `${code("--force")}, or ${code("destroy")}, which deletes everything`,
    ],
    ["Age of a plan that `ci apply` takes", `${LONGEST_DAYS} days`, code("--replan")],
  ],
  Calls: [
    ["Size of an answer", mebibytes(apiDefaults.maxResponseBytes), ""],
    [
      "A list",
      `${count(MOST_PAGES * pageSize)} records (${count(MOST_PAGES)} calls of ${pageSize}), and ${callsInAList} times the time of one call; a longer list is an error`,
      "",
    ],
    ["Resources worked on at the same time (embedded engine)", String(DEFAULT_PARALLEL), code("--parallel N")],
  ],
  "Waiting and looking": [
    [
      "One call of the checks before an apply",
      `${seconds(TIMEOUT_MS)}, or ${code("LANDFORM_TIMEOUT_MS")} if that is less`,
      "",
    ],
    [
      "Looking through the account for a text (`where`)",
      `lists of up to ${count(MOST_LISTED)} objects, the texts of ${MOST_TEXTS} pages, ${seconds(LONGEST_MS)}; the command counts the rest`,
      "",
    ],
  ],
  "History and reports": [
    ["Runs in the history", `the last ${KEPT_RUNS} runs, and all runs of the last ${KEPT_DAYS} days`, ""],
    [
      "A report as Markdown",
      `${count(LARGEST)} characters; the report counts what it leaves out`,
      `${code("--json FILE")}, ${code("--html FILE")}`,
    ],
    ["Body of a delivery that the webhook receiver reads", mebibytes(MAX_BYTES), code("maxBytes")],
  ],
};

export function limitsPage(): string {
  const sections = Object.entries(GROUPS).flatMap(([title, rows]) => [
    `## ${title}`,
    rows
      .map(
        ([what, limit, otherwise]) =>
          `- **${what}**: ${limit}.${otherwise === "" ? "" : ` To change it: ${otherwise}.`}`,
      )
      .join("\n"),
  ]);
  return page(INTRODUCTION, ...sections);
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

function mebibytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}

function count(number: number): string {
  return number.toLocaleString("en");
}
