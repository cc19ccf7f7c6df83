/** `landform doctor`: checks Node, the engines, the service, the key and its scopes. It only reads. */
import { version } from "../../stack/project/package.ts";
import { landform } from "../../provider/values/command-line.ts";
import { otherAddress } from "../../stack/settings/whose-key.ts";
import type { Command } from "commander";
import {
  type ApiConfig,
  ApiError,
  ForbiddenError,
  LandformApi,
  MissingOperationError,
  NotFoundError,
  operations,
} from "../../provider/api/index.ts";
import { collect } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { findPulumi, INSTALL_HINT, isAtLeast, OLDEST } from "../../stack/engines/pulumi/cli.ts";
import { type ExitCode, exitCodes } from "../../stack/exit/codes.ts";
import { placeOf, shownAddress } from "../../stack/engines/place.ts";
import type { StackOptions } from "../../stack/options.ts";
import { openProject } from "../../stack/project/open.ts";
import { accountOf } from "../../stack/settings/settings.ts";
import { printable } from "../../stack/report/printable.ts";
import { print, printJson, styles, tellsWhy } from "../../story/print.ts";
import { exiting, stackOptions } from "../options.ts";

interface DoctorOptions extends StackOptions {
  json?: true;
}

export function addDoctor(program: Command): void {
  stackOptions(program.command("doctor"))
    .description("check Node, the engines, the service, and the key with its scopes")
    .option("--json", "print it as JSON")
    .action(exiting(doctor));
}

async function doctor(options: DoctorOptions): Promise<ExitCode> {
  const findings: Finding[] = [];
  for await (const finding of diagnose(options)) {
    findings.push(finding);
    if (options.json !== true) print(line(finding));
  }
  if (options.json === true) printJson(findings);
  if (!findings.some(({ level }) => level === "bad")) return exitCodes.done;
  tellsWhy();
  return exitCodes.failed;
}

function line({ level, what, remedy }: Finding): string {
  const { add, bad, warn, faint } = styles(process.stdout);
  const sign = { good: add("✓"), notice: warn("!"), bad: bad("✗") }[level];
  return `${sign} ${printable(what)}${remedy === undefined ? "" : `\n  ${faint(remedy.replaceAll(/\n(?=.)/g, "\n  "))}`}`;
}

interface Finding {
  level: "good" | "notice" | "bad";
  what: string;
  remedy?: string;
}

const good = (what: string): Finding => ({ level: "good", what });
const notice = (what: string, remedy?: string): Finding => ({ level: "notice", what, ...(remedy && { remedy }) });
const bad = (what: string, remedy?: string): Finding => ({ level: "bad", what, ...(remedy && { remedy }) });

async function* diagnose(options: StackOptions): AsyncGenerator<Finding> {
  yield good(`landform ${version} on Node ${process.versions.node}`);
  yield await engineFinding();
  yield* await placeFinding(options);
  const config = await settings(options);
  if ("level" in config) {
    yield config;
    return;
  }
  const api = new LandformApi(config);
  try {
    yield* serviceFindings(api, config);
  } finally {
    await api.close();
  }
}

async function engineFinding(): Promise<Finding> {
  const found = await findPulumi();
  if (!found) {
    const remedy = `Teams with a shared state use Pulumi: ${INSTALL_HINT}`;
    return notice("Pulumi is not installed: the embedded engine runs programs", remedy);
  }
  const about = `Pulumi ${found.version} at ${found.path}`;
  if (!isAtLeast(found.version, OLDEST))
    return notice(`${about} is older than ${OLDEST}: the embedded engine runs`, INSTALL_HINT);
  const how = found.languageHost ? "runs programs as they are" : "has no Node language host: programs run inline";
  return good(`${about} ${how}`);
}

/** Tells where the state is: two places would be two states of one account. */
async function placeFinding({ C }: StackOptions): Promise<Finding[]> {
  const folder = await openProject(C, { runs: false }).catch(() => undefined);
  if (folder === undefined) return [];
  const place = await placeOf(folder);
  const shown = place.includes("://") ? shownAddress({ url: place }) : place;
  return [good(`the stacks of ${folder.project.name} are kept in ${shown}`)];
}

async function settings(options: StackOptions): Promise<ApiConfig | Finding> {
  try {
    return await accountOf(options);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return bad(error.brief, error.remedy);
  }
}

async function* serviceFindings(api: LandformApi, config: ApiConfig): AsyncGenerator<Finding> {
  const { baseUrl } = config;
  const document = await attempt(() => api.openapi());
  const other = document.error instanceof NotFoundError ? await otherAddress(config) : undefined;
  if (other !== undefined) {
    yield bad(other);
    return;
  }
  if (document.ok) yield good(`the service answers at ${baseUrl}`);
  else yield bad(`${baseUrl} gives no openapi.json: ${document.error.message}`);
  const account = await attempt(() => api.account.me());
  if (account.ok) {
    const { id, name, email, plan } = account.value as { id: string; name?: string; email?: string; plan?: unknown };
    yield good(`the key belongs to ${name ?? email ?? id} (${id}), plan ${planText(plan)}`);
  } else if (account.error instanceof ForbiddenError) {
    yield notice(
      "the key may not read its account (account:read), so Landform can't compare its account with the state's",
      "Give it account:read: if a state knows its account, Landform takes no key without it.",
    );
  } else {
    yield bad(account.error.message);
    return;
  }
  yield* scopeFindings(api);
}

/** The specification doesn't say if the plan is a name or an object with a name. */
function planText(plan: unknown): string {
  if (plan === null || plan === undefined) return "none";
  const [name] = ["name", "label", "title", "id"].flatMap((key) => {
    const told: unknown = Reflect.get(Object(plan) as object, key);
    return typeof told === "string" && told !== "" ? [told] : [];
  });
  return typeof plan === "string" ? plan : (name ?? JSON.stringify(plan));
}

/** One cheap read for each group proves its scope. Scopes for writing can't be proved without writing. */
async function* scopeFindings(api: LandformApi): AsyncGenerator<Finding> {
  const limit = 1;
  const listed = new Set(Object.values<AnyDefinition>(registry).flatMap(({ collection }) => collection ?? []));
  const reads: [scope: string, read: () => Promise<unknown>][] = [
    ...[...listed].map((collection): [string, () => Promise<unknown>] => [
      operations[collection.calls.list].scopes.join(" or "),
      () => collect(collection.all(api, {}, { limit })),
    ]),
    ["leads:read", () => api.leads.search({ limit })],
    ["analytics:read", () => api.analytics.counts()],
  ];
  const results = await Promise.all(
    reads.map(async ([scope, read]) => ({ scope, error: (await attempt(read)).error })),
  );
  const granted = results.filter(({ error }) => error === undefined).map(({ scope }) => scope);
  const denied = results.filter(({ error }) => error instanceof ForbiddenError).map(({ scope }) => scope);
  if (granted.length > 0) yield good(`the key may: ${granted.join(", ")}`);
  if (denied.length > 0) {
    const remedy = "Give them to the key in the app's API key settings, if your programs use these kinds.";
    yield notice(`the key may not: ${denied.join(", ")}`, remedy);
  }
  yield notice(`only a write can prove the scopes to write; ${landform("preview")} lists those it needs`);
  for (const { scope, error } of results) {
    if (error === undefined || error instanceof ForbiddenError) continue;
    yield (error instanceof MissingOperationError ? notice : bad)(`${scope}: ${error.message}`);
  }
}

type Tried<T> = { ok: true; value: T; error?: undefined } | { ok: false; error: Error };

async function attempt<T>(work: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
