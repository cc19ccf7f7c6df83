/** Brings an environment up: a stack of its own, whose program runs as a preview of its base. */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { LockedError } from "../../engine/index.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { LookupError } from "../../provider/definition/collection.ts";
import { baseObjects, namedObjects } from "../../provider/preview/base.ts";
import { checkoutIn } from "../../provider/preview/checkout.ts";
import { counted } from "../../provider/values/wording.ts";
import type { NamedObject, PreviewFacts } from "../../provider/preview/facts.ts";
import { isEnvironmentName, TOKEN_LENGTH, tokenFrom } from "../../provider/definition/in-preview.ts";
import { type PicturedPage, picturesOf } from "../pictures/pairs.ts";
import type { Pictures } from "../report/shown.ts";
import { idleReport } from "../exit/report.ts";
import { type ExitCode, exitCodes, RefusedError, UsageError } from "../exit/codes.ts";
import type { Ended, Intent } from "../review/plan.ts";
import { openProject, type ProjectFolder } from "../project/open.ts";
import { configWith, settingsOf } from "../settings/settings.ts";
import { cameraOf, refuseBadSelectors } from "../run/camera.ts";
import { StackSession } from "../run/session.ts";
import { withStacks } from "../stacks/stacks.ts";
import { findBase, readStack, type ReadStack, refuseOtherAccount, withSettingsOf } from "./base.ts";
import { changedPages } from "./changed.ts";
import { besidesIn, leftOutIn, pagesIn } from "./list.ts";
import { takeDown } from "./down.ts";
import { NOTHING_TOUCHED } from "./show.ts";
import { touchedIn } from "./touched.ts";
import { type EnvironmentRecord, recordIn, tokenIn } from "./record.ts";
import { choiceIn, type EnvironmentUp, type Hands, nameFor, refuseOtherRepository, type UpOptions } from "./types.ts";

export async function bringUp(options: UpOptions, hands: Hands): Promise<EnvironmentUp> {
  const name = nameFor(options);
  const { yes, foreignEdits, refresh } = options;
  const folder = await openProject(options.C);
  const { base, isThere } = await lookAround(folder, options, name);
  const touched = options.changed === true && base ? await touchedIn(options, base) : undefined;
  if (base && touched?.isShown === false) return nothingToShow(options, hands, { base, name, isThere });
  const { repository, ...checkout } = checkoutIn(folder.root);
  const commit = options.commit ?? checkout.commit;
  const isPictured = options.html !== undefined || options.pictures === true;
  const result: { up: EnvironmentUp; take?: () => Promise<Pictures> } = { up: nothingUp(exitCodes.failed) };
  const run = async (session: StackSession): Promise<ExitCode> => {
    await session.hold();
    if (isPictured) await refuseBadSelectors(session.folder, base);
    session.preview = await factsFor(session, options, { base, copied: touched?.copied, commit, repository });
    const begin = async (): Promise<object> => {
      if (touched?.failed) throw touched.failed;
      if (!isThere) await keepToLimit(folder, options, name);
      return {};
    };
    // There is no limit for deletions: objects that an environment no longer needs may go at once.
    const intent = { kind: "env up", foreignEdits, refresh, begin, force: true, yes } as const;
    result.up = await applied(session, { base, staying: touched?.staying }, hands, intent);
    if (result.up.code === exitCodes.done && isPictured) result.take = await photographer(session, result.up);
    return result.up.code;
  };
  const session = { ...options, stack: name, target: [] };
  let isInUse = false;
  try {
    const code = await withSettingsOf(folder, base?.name, name, () =>
      StackSession.with(session, run, { makesStack: !isThere, teller: hands.teller }),
    );
    isInUse = (result.up.report?.failures ?? []).some(({ cause }) => cause === "locked");
    // Nobody has to wait for the stack meanwhile.
    const pictures = await result.take?.();
    return { ...result.up, code, report: result.up.report && { ...result.up.report, ...(pictures && { pictures }) } };
  } catch (error) {
    isInUse = error instanceof LockedError;
    throw error;
  } finally {
    // If another run has the stack, that run may have only begun to fill it.
    if (!isThere && !isInUse && result.up.environment === undefined) await forgetUnused(options, folder, name);
  }
}

/** Returns the work that takes the pictures of the changed pages, with the settings of the base. */
async function photographer(
  { folder }: StackSession,
  { environment, pages, staying = 0 }: EnvironmentUp,
): Promise<() => Promise<Pictures>> {
  const changed = pages.filter((one) => one.changed === true);
  const shown = changed.flatMap(({ id, editUrl, url, changed: _, ...one }): PicturedPage[] =>
    url === undefined ? [] : [{ ...one, url }],
  );
  const camera = await cameraOf(folder);
  const unchanged = pages.length - changed.length + staying;
  return async () => {
    const found = await picturesOf(shown, camera);
    const isCompared = found.taken.some(({ kind }) => kind === "changed");
    return { unchanged, ...found, ...(isCompared && environment?.seed !== true && { fromCode: true }) };
  };
}

/** A preview that an earlier commit needed goes. */
async function nothingToShow(
  options: UpOptions,
  hands: Hands,
  { base, name, isThere }: { base: ReadStack; name: string; isThere: boolean },
): Promise<EnvironmentUp> {
  hands.teller.line(`${NOTHING_TOUCHED}, so there is no preview ${name}.`);
  const { code, report } = (isThere ? await takeDown(options, hands) : undefined) ?? {};
  const idle = idleReport("up", name, NOTHING_TOUCHED);
  return { ...nothingUp(code ?? exitCodes.done), report: report ?? idle, emptyOf: base.name };
}

/** Removes a stack that stayed empty. If another run has it, `env list` shows it and gc removes it. */
async function forgetUnused(options: UpOptions, folder: ProjectFolder, name: string): Promise<void> {
  await withStacks(options.engine, folder, async (stacks) => {
    const { resources } = await readStack(stacks, name);
    if (resources.length === 0) await stacks.remove(name, { force: false });
  }).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
  });
}

function nothingUp(code: ExitCode): EnvironmentUp {
  return { code, environment: undefined, report: undefined, pages: [], leftOut: [] };
}

/** Finds the base and checks that there is room before anything is made. */
async function lookAround(
  folder: ProjectFolder,
  options: UpOptions,
  name: string,
): Promise<{ base: ReadStack | undefined; isThere: boolean }> {
  return withStacks(options.engine, folder, async (stacks) => {
    const names = (await stacks.list()).map((stack) => stack.name);
    const isThere = names.includes(name);
    const before = isThere ? (await readStack(stacks, name)).environment : undefined;
    const needsNone =
      (options.site ?? before?.site) !== undefined && (options.project ?? before?.project) !== undefined;
    const { base: recorded } = before ?? {};
    const base = await findBase(stacks, names, { environment: name, base: options.base, recorded, needsNone });
    if (!isThere) refuseTooMany(names, options.maxLive);
    return { base, isThere };
  });
}

const LOOKS = 6;
const PAUSE_MS = 2_000;

/** The run has made its stack by now, so runs that began in the same moment see each other's stacks, and all but one step back. */
async function keepToLimit(folder: ProjectFolder, options: UpOptions, name: string): Promise<void> {
  const { maxLive } = options;
  for (let look = 1; maxLive !== undefined; look++) {
    const all = await withStacks(options.engine, folder, (stacks) => stacks.list());
    const live = all.filter((stack) => isEnvironmentName(stack.name));
    const others = live.filter((stack) => stack.name !== name);
    // A stack with resources stays. The first empty ones by name stay, so that all runs decide alike without talking to each other.
    const staying = others.filter((other) => (other.resources ?? 0) > 0 || other.name < name);
    if (staying.length >= maxLive || live.length <= maxLive || look === LOOKS) {
      refuseTooMany(
        others.map((other) => other.name),
        maxLive,
      );
      return;
    }
    await delay(PAUSE_MS);
  }
}

function refuseTooMany(names: readonly string[], most: number | undefined): void {
  const live = names.filter(isEnvironmentName);
  if (most === undefined || live.length < most) return;
  throw new RefusedError(
    `there ${live.length === 1 ? "is" : "are"} ${counted(live.length, "preview environment")} already, and --max-live allows ${most}: ${live.join(", ")}`,
    {
      advice: [
        { command: "env gc", arguments: [], reason: "takes away what is closed or expired." },
        { command: "env down", arguments: ["NAME"], reason: "takes one of them away." },
      ],
    },
  );
}

interface Besides extends Pick<EnvironmentUp, "staying"> {
  readonly base: ReadStack | undefined;
}

async function applied(
  session: StackSession,
  around: Besides,
  { carryOut, showUp }: Hands,
  intent: Intent,
): Promise<EnvironmentUp> {
  const ended = await carryOut(session, intent);
  if (ended.error !== undefined) throw ended.error;
  const report = session.said(ended.report);
  if (ended.hasRun !== true) return { ...nothingUp(ended.exit), report };
  const up = await told(session, { ...ended, report }, around);
  showUp(session, up);
  return up;
}

async function told(
  session: StackSession,
  { report, exit, notices = [] }: Ended,
  { base, staying }: Besides,
): Promise<EnvironmentUp> {
  const resources = (await session.engine.records()) ?? [];
  const environment = recordIn(resources);
  const all = pagesIn(resources, baseObjects(base?.resources ?? []));
  const changed = new Set(changedPages(all, resources, base?.resources ?? []));
  const [first, others] = [all.filter((one) => changed.has(one)), all.filter((one) => !changed.has(one))];
  const pages = [...first.map((one) => ({ ...one, changed: true as const })), ...others];
  const [leftOut, besides] = [leftOutIn(resources, notices), besidesIn(resources)];
  return { code: exit, environment, report, pages, leftOut, besides, staying };
}

const DEFAULT_TTL_DAYS = 14;

interface Around {
  readonly base: ReadStack | undefined;
  readonly copied: ReadonlySet<string> | undefined;
  readonly commit: string | undefined;
  readonly repository: string | undefined;
}

/** Called once nobody else can bring the environment up. */
async function factsFor(
  session: StackSession,
  options: UpOptions,
  { base, copied, commit, repository }: Around,
): Promise<PreviewFacts> {
  const states = (await session.engine.records()) ?? [];
  const before = recordIn(states);
  if (before === undefined) refuseOthers(session, states.length);
  else {
    refuseOtherSeed(before, options);
    refuseOtherRepository(before, repository);
  }
  const named = await namedIn(session, options, before);
  if (base && (named["site"] === undefined || named["project"] === undefined)) await refuseOtherAccount(session, base);
  const { pr = before?.pr, branch = before?.branch } = choiceIn(options);
  return {
    environment: {
      ...{ name: session.folder.stack, branch, pr, commit, repository },
      ...(base && { base: base.name }),
      slugStyle: options.slugStyle ?? before?.slugStyle ?? "path",
      hooks: options.hooks === true,
      drafts: options.drafts === true,
      seed: options.seed ?? before?.seed ?? false,
      ttlDays: options.ttl ?? before?.ttlDays ?? DEFAULT_TTL_DAYS,
    },
    token: tokenIn(states) ?? tokenFrom(randomBytes(TOKEN_LENGTH)),
    named,
    base: baseObjects(base?.resources ?? [], copied),
  };
}

/** The stack itself and perhaps its provider exist. Any other resource belongs to somebody. */
function refuseOthers({ folder }: StackSession, resources: number): void {
  const NOTHING_YET = 2;
  if (resources <= NOTHING_YET) return;
  throw new UsageError(
    `the stack ${folder.stack} has ${resources} resources and is no preview environment, so it is left alone. Give it another name, or take it away`,
    { advice: [{ command: "destroy", arguments: ["--stack", folder.stack], reason: "takes it away." }] },
  );
}

/** Refuses a later --seed: the pages are made as copies or not at all. */
function refuseOtherSeed({ name, seed }: EnvironmentRecord, options: UpOptions): void {
  if (options.seed !== true || seed) return;
  throw new UsageError(
    `${name} was brought up without --seed, and its pages can't become copies of the base's now. Take it down first`,
    { advice: [{ command: "env down", arguments: [name], reason: "takes it down." }] },
  );
}

async function namedIn(
  session: StackSession,
  options: UpOptions,
  before: EnvironmentRecord | undefined,
): Promise<Record<string, NamedObject>> {
  const { config } = session.folder;
  const setting = (key: string): string | undefined => {
    const value = config.get(key);
    return typeof value === "string" ? value : undefined;
  };
  const {
    site = setting("landform:previewSite") ?? before?.site?.id,
    project = setting("landform:previewProject") ?? before?.project,
  } = options;
  if (site === undefined && project === undefined) return {};
  const api = new LandformApi(configWith(await settingsOf(session.folder)));
  try {
    return await namedObjects(api, { site, project });
  } catch (error) {
    throw error instanceof LookupError ? new UsageError(error.message, { cause: error }) : error;
  } finally {
    await api.close();
  }
}
