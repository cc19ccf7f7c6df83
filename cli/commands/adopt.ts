/** `landform adopt`: matches the declared resources with the existing objects after a lost state. */
import { objectsHeld } from "../../stack/engines/recorded.ts";
import type { Command } from "commander";
import { matchUp, type Match, type Matching } from "../../manifest/match/evidence.ts";
import { writeAdoptIds } from "../../manifest/export/live-values.ts";
import { addressOf } from "../../manifest/language/addresses.ts";
import { counted, listed } from "../../provider/values/wording.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";
import { heldBeside } from "../../stack/checks/held-elsewhere.ts";
import { adoptedIn, lookAround } from "../../stack/adopt.ts";
import { matchingLines, programLines } from "../../story/look.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { printJson, tellsWhy } from "../../story/print.ts";
import { engineOption, exiting, stackOptions, wrapped } from "../options.ts";
import type { StateOptions } from "../../stack/options.ts";
import { withAccount } from "../../stack/settings/settings.ts";
import { MANIFEST } from "../../stack/project/open.ts";
import { confirmed, type Desk } from "../desk.ts";
import { failureCode } from "../../stack/exit/report.ts";
import { StackSession } from "../../stack/run/session.ts";
import { storyOf } from "../../story/story.ts";
import { findingLines } from "../../story/terminal.ts";
import type { Report } from "../../stack/report/model.ts";
import { withStacks } from "../../stack/stacks/stacks.ts";
import { waiting } from "../../stack/checks/made-before.ts";
import { makePlan } from "../../stack/plan/make.ts";
import type { Plan } from "../../stack/review/plan.ts";
import { Output } from "../output/terminal.ts";

interface AdoptOptions extends StateOptions {
  yes?: true;
  json?: true;
}

const NOTE = `
Use this after you lost a state, or if the objects existed before the code. It writes the ids into landform.yaml as
adoptId, or prints them for a program. The next npx landform up takes the objects over. After that, you may remove adoptId; keep a
project's, unless the code has its context.`;

export function addAdopt(program: Command): void {
  engineOption(stackOptions(program.command("adopt")))
    .description(
      "find the objects of the code in the account, and write their ids into the code; changes nothing in the account",
    )
    .option("-y, --yes", "don't ask")
    .option("--json", "print the matches as JSON, and write nothing")
    .addHelpText("after", wrapped(NOTE))
    .action(exiting(adopt));
}

function adopt(options: AdoptOptions): Promise<ExitCode> {
  const output = new Output(options);
  const { C, stack, engine, verbose } = options;
  const opened = { C, stack, engine, ...(verbose && { verbose }), target: [] };
  return StackSession.with(opened, (session) => match({ session, output }, options), {
    makesStack: "for a look",
    runsProgram: true,
    teller: output,
  });
}

async function match(desk: Desk, options: AdoptOptions): Promise<ExitCode> {
  const { session, output } = desk;
  const plan = await makePlan(session, { kind: "adopt" });
  const { report } = plan;
  if (report.result !== "succeeded") {
    tellsWhy();
    for (const line of findingLines(storyOf(report), output.canvas)) output.line(line);
    return failureCode(report, { sent: false });
  }
  refuseSeveralAccounts(report, session);
  const beside = await heldBeside(session.folder);
  const found = await look(session, options, plan, beside);
  if (options.json === true) {
    printJson(jsonOf(found));
    return exitCodes.done;
  }
  const code = await tell(desk, options, found, report);
  const stacks = [...new Set(beside.values())];
  if (stacks.length > 0 && found.absent.length > 0)
    output.line(`Objects of other stacks (${listed(stacks, 3)}) are left to them: adopt looked at the others only.`);
  return code;
}

async function look(
  { folder }: StackSession,
  options: AdoptOptions,
  { report: { changes }, references }: Pick<Plan, "report" | "references">,
  beside: ReadonlyMap<ObjectKey, string>,
): Promise<Matching> {
  const adopted = adoptedIn(changes);
  const held = await withStacks(options.engine, folder, async (stacks) => {
    const { deployment } = await stacks.export(folder.stack, { showSecrets: false });
    return objectsHeld(deployment.resources ?? []);
  });
  const taken = new Set([...held, ...beside.keys(), ...adopted.values()]);
  const made = changes.filter(({ op }) => op === "create");
  return matchUp(await withAccount(options, ({ api }) => lookAround(api, made, { references, taken })), adopted);
}

/** A plan doesn't tell which of several accounts a resource is in. */
function refuseSeveralAccounts({ changes }: Report, { folder: { manifest } }: StackSession): void {
  const several =
    manifest?.entries.some(({ account }) => account !== undefined) ??
    changes.some(({ urn }) => urn.includes("::pulumi:providers:"));
  if (!several) return;
  throw new UsageError("the code speaks to several accounts, and adopt looks at one. Give adoptId by hand", {
    advice: [{ command: "export", arguments: [], reason: "shows the ids of an account." }],
  });
}

async function tell(desk: Desk, options: AdoptOptions, found: Matching, report: Report): Promise<ExitCode> {
  const { line, canvas } = desk.output;
  const { advised, folder } = desk.session;
  const changes = report.changes.filter(({ op }) => op === "create");
  if (changes.length === 0) {
    line("The state knows everything that the code declares: there is nothing to adopt.");
    return exitCodes.done;
  }
  const { matches } = found;
  line(
    canvas.styles.strong(
      `${matches.length} of ${counted(changes.length, "resource")} ${changes.length === 1 ? "is" : "are"} in the account already`,
    ),
  );
  line();
  const isKnown = matches.length > 0 || report.changes.length > changes.length;
  for (const text of matchingLines(found, isKnown, canvas.styles)) line(text);
  const wait = waiting(
    report.changes,
    found.absent.map(({ type }) => type),
  );
  if (wait !== undefined && isKnown) line(`  ${advised(wait.command, ...wait.arguments)} ${wait.reason}`);
  if (matches.length === 0) return exitCodes.done;
  if (folder.manifest === undefined) {
    line();
    line(`Put these into the program, then run ${advised("up")}. After that, they may go again:`);
    line();
    for (const text of programLines(matches)) line(text);
    return exitCodes.done;
  }
  if (!(await confirmed(desk, options, `Write adoptId of ${matches.length} into ${MANIFEST}?`)))
    return exitCodes.failed;
  const { files, kept } = writeAdoptIds(folder.manifest, idsOf(matches));
  if (files.length > 0)
    line(
      `Written: ${files.join(", ")}. Next: ${advised("up")} takes them over. After that, you may remove adoptId; keep a project's, unless the code has its context.`,
    );
  if (kept.length > 0) tellsWhy();
  for (const text of kept) line(`  left  ${text}`);
  return kept.length === 0 ? exitCodes.done : exitCodes.failed;
}

function idsOf(matches: readonly Match[]): Map<string, string> {
  return new Map(
    matches.map(({ declared: { type, name }, candidate }) => [
      addressOf(definitionOf(type)?.section ?? type, name),
      candidate.id,
    ]),
  );
}

function jsonOf({ matches, unclear, absent }: Matching): object {
  const shown = ({ candidate: { id, label }, same, different, elsewhere }: Match) => ({
    ...{ id, name: label, same, different },
    ...(elsewhere && { elsewhere }),
  });
  return {
    version: 1,
    matches: matches.map((one) => ({ urn: one.declared.urn, ...shown(one) })),
    unclear: unclear.map(({ declared, candidates }) => ({ urn: declared.urn, candidates: candidates.map(shown) })),
    absent: absent.map(({ urn }) => ({ urn })),
  };
}
