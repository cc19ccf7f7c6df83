/** What landform limits by itself, and how long it waits, from the code that does. */
import { LONGEST_DAYS } from "../../../ci/plans.ts";
import { KEPT_DAYS, KEPT_RUNS } from "../../../stack/history/store.ts";
import { LONGEST_MS, MOST_LISTED, MOST_TEXTS } from "../../../stack/mentions/look.ts";
import { TIMEOUT_MS } from "../../../stack/checks/preflight.ts";
import { LARGEST } from "../../../story/markdown.ts";
import { DEFAULT_PERCENT, SMALL_STACK } from "../../../stack/checks/safety.ts";
import { DEFAULT_PARALLEL } from "../../../engine/index.ts";
import { callsInAList } from "../../../provider/api/api.ts";
import { apiDefaults } from "../../../provider/api/config.ts";
import { MOST_PAGES, pageSize } from "../../../provider/api/paging.ts";
import { MAX_BYTES } from "../../../provider/hooks/receiver.ts";
import { DEFAULT_PATIENCE_MS, TIMES_FOR_GOOD } from "../../../provider/account/patience.ts";
import { DEFAULT_WAIT_MS } from "../../../provider/seen/look.ts";
import { code, page, table } from "./markdown.ts";

const INTRODUCTION = `# Default limits

What landform limits by itself, how long it waits, and how to say otherwise. What the service limits stands with each
[resource](resources.md), as "What the API can't do".`;

const GROUPS: Readonly<Record<string, readonly (readonly [what: string, limit: string, otherwise: string])[]>> = {
  "What one run may take away": [
    [
      "Deletions and replacements of one run",
      `${DEFAULT_PERCENT} % of the stack, from ${SMALL_STACK} resources on; refused before the first write, exit code 3`,
      `${code("--max-deletes N|N%")}, ${code("--force")}`,
    ],
    [
      "A program whose file is empty, or an entry whose `each` has no rows any more",
      "refused before the first write, exit code 3, however little it deletes; `watch` applies no program that declares nothing",
      `${code("--force")}; ${code("destroy")} deletes all`,
    ],
    ["Age of a plan that `ci apply` takes", `${LONGEST_DAYS} days`, code("--replan")],
  ],
  Calls: [
    [
      "One call, its retries and the waits between them included",
      seconds(apiDefaults.timeoutMs),
      variable("LANDFORM_TIMEOUT_MS"),
    ],
    [
      "Calls under way at the same time",
      String(apiDefaults.maxConcurrency),
      `${variable("LANDFORM_MAX_CONCURRENCY")}; fewer after a 429, by itself`,
    ],
    ["Calls started in a second", "no limit", variable("LANDFORM_REQUESTS_PER_SECOND")],
    ["Size of an answer", mebibytes(apiDefaults.maxResponseBytes), ""],
    [
      "A list",
      `${count(MOST_PAGES * pageSize)} records (${count(MOST_PAGES)} calls of ${pageSize}), and ${callsInAList} times the time of one call; a list without an end is an error`,
      "",
    ],
    ["Resources worked on at the same time (embedded engine)", String(DEFAULT_PARALLEL), code("--parallel N")],
  ],
  Looks: [
    [
      "Patience with a list that may lag, after an answer was lost or a run was killed",
      `${seconds(DEFAULT_PATIENCE_MS)}; for a site, which can't be deleted, ${seconds(DEFAULT_PATIENCE_MS * TIMES_FOR_GOOD)}`,
      variable("LANDFORM_PATIENCE_MS"),
    ],
    ["One call of the questions before an apply", seconds(TIMEOUT_MS), variable("LANDFORM_TIMEOUT_MS, to less")],
    [
      "What points to an address that goes",
      `lists of up to ${count(MOST_LISTED)} objects, the texts of ${MOST_TEXTS} pages, ${seconds(LONGEST_MS)}; what was not looked at is counted`,
      "",
    ],
    ["A public page, until it shows what was published", seconds(DEFAULT_WAIT_MS), variable("LANDFORM_VERIFY_WAIT_MS")],
  ],
  "What is kept and told": [
    ["Runs in the history", `the last ${KEPT_RUNS}, and those of ${KEPT_DAYS} days`, ""],
    [
      "A report as Markdown",
      `${count(LARGEST)} characters, in whole pieces; what is left out is counted`,
      `${code("--json FILE")}, ${code("--html FILE")}`,
    ],
    ["Body of a delivery that a receiver of hooks reads", mebibytes(MAX_BYTES), code("maxBytes")],
  ],
};

export function limitsPage(): string {
  const sections = Object.entries(GROUPS).flatMap(([title, rows]) => [
    `## ${title}`,
    table(["What", "Limit", "Otherwise"], rows),
  ]);
  return page(INTRODUCTION, ...sections);
}

function variable(name: string): string {
  const [first = "", more = ""] = name.split(",");
  return `${code(first)}${more === "" ? "" : `,${more}`}`;
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
