/** Checks before anything is sent: the account answers, it takes the key, and the plan can work at all. */
import type { Account } from "../../provider/account/account.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import { ConfigurationError, isProvenByReading } from "../../provider/api/index.ts";
import { explainedBy, failureOf } from "../../provider/messages/failures.ts";
import { type StackSettings, UnreadableSettingError } from "../settings/settings.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import type { Learned } from "../report/decide.ts";
import type { Failure, Change } from "../report/model.ts";
import type { AdoptedPage, MovedPage } from "../report/addresses.ts";
import { scopesFor } from "../report/impact.ts";
import {
  adoptedPages,
  fixedObjects,
  goneObjects,
  heldObjects,
  movedPages,
  movedText,
  renamedInPlace,
  objectsTakenOver,
  reusedByName,
  rowsReused,
  missingReferences,
} from "./objects.ts";
import { type Deletions, foreseen, foreseenDeletions, inAll, NONE } from "./foreseen.ts";
import {
  type ForeignEditsPolicies,
  type PlannedChanges,
  rowsOf,
  Unheard,
  type Warned,
  accountsIn,
  type AccountPlan,
  type LaterAccount,
} from "./planned.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { asking, ENVIRONMENT, lookAtKey } from "../settings/whose-key.ts";
import { type AccountReader } from "../run/account-reader.ts";

/** An account that could not be asked at all, so that nothing of its plan is checked. */
export interface Unasked {
  readonly text: string;
  /** Only the engine can read its key. */
  readonly isKeyHidden: boolean;
  /** The error that answered. */
  readonly step?: Failure["step"];
}

interface Preflight {
  failures: Failure[];
  warnings: Warned[];
  /** Single questions that got no answer, so that their part of the plan is not checked. */
  unanswered: Warned[];
  unasked: Unasked[];
  unproven: string[];
  /** URNs of objects that the plan deletes and that the API can't delete now. */
  staying: string[];
  /** By URN, the rows of creations that take over an object. */
  reused: [string, Learned][];
  /** Pages that the plan takes over, in its order. */
  adopted: AdoptedPage[];
  moved: MovedPage[];
  /** By the program's name for an account ("" for the environment's), the account id that its key told. */
  accounts: Record<string, string>;
}

/** The part of one account. */
type Looked = Partial<Preflight>;

export async function preflight(
  settings: StackSettings,
  given: PlannedChanges,
  policies: ForeignEditsPolicies,
  reader: AccountReader,
): Promise<Preflight> {
  // An object that is kept from its replacement stays as it is.
  const planned = { ...given, changes: given.changes.filter(({ held }) => held === undefined) };
  const { plans, later } = accountsIn(planned, settings);
  const all = await Promise.all(plans.map((plan) => looked(plan, policies, reader)));
  const whole = [...all, ...later.map(unasked)];
  return {
    failures: whole.flatMap(({ failures = [] }) => failures),
    warnings: [...renamedInPlace(planned.changes), ...whole.flatMap(({ warnings = [] }) => warnings)],
    unanswered: whole.flatMap(({ unanswered = [] }) => unanswered),
    unasked: whole.flatMap((one) => one.unasked ?? []),
    unproven: [...new Set(whole.flatMap(({ unproven = [] }) => unproven))].sort(),
    staying: whole.flatMap(({ staying = [] }) => staying),
    reused: whole.flatMap(({ reused = [] }) => reused),
    adopted: whole.flatMap(({ adopted = [] }) => adopted),
    moved: whole.flatMap(({ moved = [] }) => moved),
    accounts: Object.fromEntries(whole.flatMap(({ accounts = {} }) => Object.entries(accounts))),
  };
}

async function looked(plan: AccountPlan, policies: ForeignEditsPolicies, reader: AccountReader): Promise<Looked> {
  const scopes = scopesFor(plan.changes);
  try {
    return await asked(plan, scopes, policies, reader);
  } catch (error) {
    const isKeyHidden = error instanceof UnreadableSettingError;
    if (error instanceof ConfigurationError && !isKeyHidden) throw error;
    const title = plan.account === undefined ? "the account" : `the account "${plan.account}"`;
    const text = `Landform could not check the plan against ${title}: ${reasonOf(error)}`;
    return { unasked: [{ text, isKeyHidden, ...stepOf(error) }], unproven: forWriting(scopes) };
  }
}

function stepOf(error: unknown): Pick<Unasked, "step"> {
  const cause = explainedBy(error);
  if (cause === undefined) return {};
  const { text, ...step } = failureOf("account", cause, cause.message);
  return { step };
}

function unasked({ account, urn, settings, changes }: LaterAccount): Looked {
  const [number, verb] = changes.length === 1 ? ["the change", "is"] : [`the ${changes.length} changes`, "are"];
  const reason = `its ${settings.join(" and ")} ${settings.length === 1 ? "is" : "are"} not known before the apply`;
  const text = `Landform asked nothing of the account "${account}", although ${number} ${verb} for it: ${reason}`;
  return { warnings: [{ text, urn }], unproven: forWriting(scopesFor(changes)) };
}

async function asked(
  plan: AccountPlan,
  scopes: readonly string[],
  policies: ForeignEditsPolicies,
  reader: AccountReader,
): Promise<Looked> {
  const { account: name } = plan;
  const config = plan.config();
  const run = reader.at(config);
  const { account, api } = run;
  // The questions are asked together and their answers read in this order. If the service refuses the key, no other answer means anything.
  const planIn = askOfPlan(account, plan, policies);
  // A look at an object that is there proves the scope of its kind.
  const looks = plan.changes.some(({ id }) => id !== undefined) ? planIn.catch(() => undefined) : Promise.resolve();
  const [key, reading] = together(
    lookAtKey(() => run.accountId(), api, config, plan.recorded),
    looks.then(() => askByReading(api, scopes)),
    planIn,
  );
  const { refused, id } = await key;
  const accounts = id === undefined ? {} : { [name ?? ENVIRONMENT]: id };
  if (refused !== undefined) return { failures: [failed(name, refused)], unproven: forWriting(scopes), accounts };
  const { unproven, refused: lacks } = await reading;
  if (lacks.length > 0) return { failures: [failed(name, lacking(lacks, api.keyVariable))], unproven, accounts };
  return { ...(await planIn), unproven, accounts };
}

/** Keeps a question that nobody waits for from failing the process. */
function together<Questions extends readonly Promise<unknown>[]>(...questions: Questions): Questions {
  for (const question of questions) question.catch(() => undefined);
  return questions;
}

/** Asks which parts of the plan are sure to fail, or will end otherwise than planned. */
async function askOfPlan(account: Account, plan: AccountPlan, policies: ForeignEditsPolicies): Promise<Looked> {
  const { changes } = plan;
  const { api } = account;
  const unheard = new Unheard();
  const rows = rowsOf(account, unheard);
  const takenOver = objectsTakenOver(api, plan, unheard);
  const [missing, gone, fixed, others, deletions, found, adopted, moved] = await Promise.all([
    missingReferences(api, plan, unheard),
    goneObjects(rows, plan),
    fixedObjects(rows, plan),
    foreseen(api, plan, policies, { found: takenOver, unheard }),
    foreseenDeletions(account, changes, unheard),
    takenOver,
    adoptedPages(rows, plan, takenOver),
    movedPages(rows, changes),
  ]);
  return {
    warnings: [...reusedByName(found), ...moved.map(movedText), ...unheard.told(false)],
    unanswered: unheard.told(true),
    failures: [...heldObjects(plan), ...missing, ...gone, ...fixed, ...others, ...deletions.failures],
    staying: deletions.staying,
    reused: rowsReused(found),
    adopted,
    moved,
  };
}

/** Foresees the deletions of a destroy. If the account can't be asked, the destroy itself tells. */
export async function deletionsIn(
  settings: StackSettings,
  planned: PlannedChanges,
  reader: AccountReader,
): Promise<Deletions> {
  const { plans } = accountsIn(planned, settings);
  const found = plans.map(({ config, changes }) => foreseenDeletions(reader.at(config()).account, changes));
  return inAll(await Promise.all(found.map((one) => one.catch(() => NONE))));
}

/**
 * Returns a function that tells what each key lacks for the rest of the plan. It is called before an object is made that can't be deleted.
 * The calls change nothing. A key that can't be read can't be asked about.
 */
export function lackingFor(settings: StackSettings, plans: readonly AccountPlan[]): () => Promise<string[]> {
  const open = plans.filter(({ account }) => account !== undefined || settings.unreadable.length === 0);
  // A plan of thousands of resources is large, so only the parts for the later question are kept.
  const asked = open.map(({ account, changes, config }) => ({ account, scopes: scopesFor(changes), config: config() }));
  const lackingIn = ({ account, scopes, config }: (typeof asked)[number]): Promise<string[]> =>
    asking(config, async (api) => {
      const { refused } = await ask(api, forWriting(scopes));
      return refused.length === 0 ? [] : [failed(account, lacking(refused, api.keyVariable)).message];
    });
  return async () => (await Promise.all(asked.map(lackingIn))).flat();
}

function failed(account: string | undefined, message: string): Failure {
  return { cause: "program", message: account === undefined ? message : `account "${account}": ${message}` };
}

/** Asks by reads only. The scopes for writing stay unproven. */
async function askByReading(api: LandformApi, scopes: readonly string[]) {
  const writing = forWriting(scopes);
  const reading = scopes.filter((scope) => !writing.includes(scope));
  const { refused, unproven } = await ask(api, reading);
  return { refused, unproven: scopes.filter((scope) => writing.includes(scope) || unproven.includes(scope)) };
}

/** The scopes that no read can prove. */
function forWriting(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !isProvenByReading(alternatives(scope)));
}

/** Asks by calls about objects that cannot exist. They change nothing, whatever the answer is. */
async function ask(api: LandformApi, scopes: readonly string[]) {
  const answers = await Promise.all(
    scopes.map(async (scope) => ({ scope, answer: await api.permission(alternatives(scope)) })),
  );
  const those = (wanted: string) => answers.flatMap(({ scope, answer }) => (answer === wanted ? [scope] : []));
  return { refused: those("refused"), unproven: those("unproven") };
}

/** Tells if the plan makes an object that the API can't delete. A run that stops after it leaves the object in the account. */
export function makesWhatStays(changes: readonly Change[]): boolean {
  return changes.some(
    ({ op, type }) => (op === "create" || op === "replace") && definitionOf(type)?.leaves !== undefined,
  );
}

function lacking(refused: readonly string[], keyVariable: string): string {
  const scopes = refused.length === 1 ? `the scope ${refused.join()}` : `the scopes ${refused.join(", ")}`;
  return `the key lacks ${scopes}: the service answers 403 where they are needed. Nothing was made. Create a key that has ${refused.length === 1 ? "it" : "them"} (its IP list, if it has one, must allow this machine's address) and set ${keyVariable}`;
}

function alternatives(scope: string): string[] {
  return scope.split(" or ");
}
