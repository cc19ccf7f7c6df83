/** Keeps plans from review to merge, one for each stack and head commit, and finds the plan that a commit is applied by. */
import { setTimeout as wait } from "node:timers/promises";
import { RefusedError, UsageError } from "../stack/exit/codes.ts";
import { openPlace } from "../stack/places/open.ts";
import { DamagedError, type Place, PlaceError } from "../stack/places/place.ts";
import { parsePlan, type SavedPlan } from "../stack/review/saved-plan.ts";
import { jsonText } from "../stack/report/printable.ts";
import type { CiEnvironment } from "./environment.ts";
import type { Forge, MergedChange, PlannedChange } from "./forge/forge.ts";
import { asked, ForgeError, tokenVariable, wayOut } from "./forge/http.ts";
import { forgeOf } from "./tell.ts";

/** After this time nobody remembers the review. */
export const LONGEST_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

export type PlansPlace = Pick<Place, "name" | "get" | "put">;

export class StoredPlans {
  readonly #place: PlansPlace;
  readonly #called: string;
  readonly #stack: string;

  /** `called`: the name of the place in the command. */
  constructor(place: PlansPlace, called: string, project: string, stack: string) {
    this.#place = place;
    this.#called = called;
    this.#stack = `${part(project)}/${part(stack)}`;
  }

  /** Opens the place. For an artifact, it is the folder that the job uploads. */
  static async open(text: string, base: string, project: string, stack: string): Promise<StoredPlans> {
    const place = text.startsWith(SCHEME) ? folderIn(text) : text;
    return new StoredPlans(await openPlace(place, base), text, project, stack);
  }

  async keep(head: string, plan: SavedPlan): Promise<void> {
    await this.#place.put(this.#key(head), jsonText(plan));
  }

  /** Refuses if there is no plan, or if it is too old for anybody to remember its review. */
  async find(head: string, of: string): Promise<SavedPlan> {
    const bytes = await this.#get(head);
    if (bytes === undefined) {
      const reason = "keeps a plan, at that commit.";
      throw new NoReviewError(
        `no plan is kept for ${of} (${head.slice(0, 12)}) in ${this.#place.name}. Plan its last commit, or name another commit with --head SHA`,
        { advice: [{ command: "ci plan", arguments: ["--plans", this.#called], reason }] },
      );
    }
    const plan = planIn(new TextDecoder().decode(bytes), of, this.#place.name);
    const days = (Date.now() - Date.parse(plan.madeAt)) / DAY_MS;
    if (days > LONGEST_DAYS)
      throw new NoReviewError(
        `the plan of ${of} was made ${Math.floor(days)} days ago, and ci apply takes none that is older than ${LONGEST_DAYS} days`,
      );
    return plan;
  }

  async has(head: string): Promise<boolean> {
    return (await this.#get(head)) !== undefined;
  }

  async #get(head: string): Promise<Uint8Array | undefined> {
    const key = this.#key(head);
    try {
      return await this.#place.get(key);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      throw new NoReviewError(error.message);
    }
  }

  #key(head: string): string {
    if (!/^[0-9a-f]{40,64}$/i.test(head)) throw new UsageError(`${head} is not a commit: give the whole hash`);
    return `${this.#stack}/${head.toLowerCase()}.json`;
  }
}

/** A damaged plan counts as none. The command itself was right. */
function planIn(text: string, of: string, place: string): SavedPlan {
  try {
    return parsePlan(text, `the plan of ${of}`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new NoReviewError(
      `the file that ${place} keeps for ${of} is no plan of this version: it is damaged, or another version made it`,
    );
  }
}

export class NoReviewError extends RefusedError {
  readonly what: string;
  constructor(what: string, options?: ConstructorParameters<typeof RefusedError>[1]) {
    super(`${what}. ${WAYS_ON}`, options);
    this.what = what;
  }
}

/** Returns the next steps for an old job that runs again: its code has nothing of the later merges, and would take them back. */
export async function olderThanBranch(environment: CiEnvironment): Promise<string | undefined> {
  const { commit, pushed } = environment;
  const forge = forgeOf(environment);
  if (commit === undefined || pushed === undefined || forge === undefined) return undefined;
  const newest = await asked(() => forge.headOf(pushed));
  if (!("answer" in newest))
    return `Landform could not ask if ${short(commit)} is the newest commit of ${pushed}. Nothing was sent. Run the newest job of ${pushed}`;
  if (newest.answer === undefined || newest.answer.toLowerCase() === commit.toLowerCase()) return undefined;
  return (
    `${short(commit)} is not the newest commit of ${pushed}, which is ${short(newest.answer)}: this job's code has nothing of the later merges. ` +
    `Nothing was sent. Run the newest job of ${pushed} instead: it carries everything that was merged`
  );
}

const WAYS_ON =
  "Nothing was sent. Plan and review again with a new request, or apply what the code says now, unreviewed, with --replan";

/** Encodes a name for a key, because a stack's name may contain a slash. */
function part(name: string): string {
  return encodeURIComponent(name).replace(/^\./, "%2E");
}

// Plans as artifacts of the job that makes them: `ci plan` writes them into a folder, the workflow uploads it, and `ci apply` gets them
// from the code host. `artifact:FOLDER` names the folder.

const SCHEME = "artifact:";

/** `project`: the project's folder in the repository. Returns undefined if the text names another place. */
export function artifactsOf(
  text: string,
  project: string,
  forgeOf: () => Forge | undefined,
  of: PlannedChange,
): PlansPlace | undefined {
  if (!text.startsWith(SCHEME)) return undefined;
  const name = `the artifacts of the job that planned ${of.head.slice(0, 12)}`;
  const forge = forgeOf();
  if (forge === undefined)
    throw new UsageError(`only the code host has ${name}, and Landform can't ask it here: set its token`);
  const folder = [project, folderIn(text)].filter(Boolean).join("/");
  return {
    name,
    get: async (key) => {
      try {
        return await forge.artifact(of, folder, key);
      } catch (error) {
        if (!(error instanceof ForgeError)) throw error;
        const why = `${error.message}. Nothing was sent. ${wayOut(error, forge.kind)}`;
        throw new PlaceError(`Landform could not get ${name}: ${why}`, { cause: error });
      }
    },
    put: () => Promise.reject(new TypeError("an apply keeps no plan")),
  };
}

function folderIn(text: string): string {
  const folder = text.slice(SCHEME.length).replace(/^\.\/|\/+$/g, "");
  if (/^[\w.-]+(\/[\w.-]+)*$/.test(folder) && !folder.startsWith(".")) return folder;
  throw new UsageError(`${text} names no folder: write artifact:plans, and let the workflow upload that folder`);
}

export const ALLOW_DELETES = "landform:allow-deletes";

export async function allowsDeletes(environment: CiEnvironment): Promise<true | undefined> {
  const { change } = environment;
  const forge = forgeOf(environment);
  if (change === undefined || forge === undefined) return undefined;
  const now = await asked(() => forge.change(change.number));
  return "answer" in now && now.answer?.labels.includes(ALLOW_DELETES) === true ? true : undefined;
}

export interface Reviewed {
  readonly number?: number;
  readonly head: string;
  readonly name: string;
}

/** A code host needs a moment to know which change a new commit came from. */
const LOOKS = 3;
const PAUSE_MS = 2_000;

export async function reviewedFor(environment: CiEnvironment, forge: Forge | undefined): Promise<Reviewed> {
  const { change, commit, unmerged, pushed } = environment;
  if (change !== undefined) {
    const name = forge?.nameOf(change.number) ?? `request ${change.number}`;
    if (unmerged)
      throw new RefusedError(
        `${name} is not merged, so its plan is not applied. Nothing was sent. ci apply is for the push to the main branch that a merge makes`,
      );
    return { ...change, name };
  }
  if (commit === undefined)
    throw new UsageError("Landform can't tell here which commit to apply: name it with --commit SHA");
  // Without a code host nobody knows more than the repository does.
  if (environment.forge === undefined) return { head: commit, name: "the commit that is checked out" };
  if (forge === undefined)
    throw new UsageError(
      `only the code host knows which request ${short(commit)} came from, and Landform can't ask it here: set ${tokenVariable(environment.forge.kind)}, or name the request's last commit with --head SHA`,
    );
  const all = await mergedAs(forge, commit, pushed);
  const [found, ...others] = meant(all, pushed);
  if (found === undefined) throw new NoReviewError(none(forge, commit, all, pushed));
  if (others.length > 0)
    throw new NoReviewError(
      `${short(commit)} came from ${named(forge, [found, ...others])}, and a plan is for one request`,
    );
  return { ...found, name: forge.nameOf(found.number) };
}

/** Returns the request whose merge made the commit, or else all that contained it, merged into the job's branch. Pure. */
function meant(all: readonly MergedChange[], pushed: string | undefined): readonly MergedChange[] {
  const here = all.filter(({ into }) => pushed === undefined || into === pushed);
  const merging = here.filter((one) => one.merging);
  return merging.length > 0 ? merging : here;
}

function none(forge: Forge, commit: string, all: readonly MergedChange[], pushed = ""): string {
  if (all.length === 0) return `${short(commit)} came from no merged request, so nobody has reviewed a plan for it`;
  const where = [...new Set(all.map(({ into }) => into))].join(" and ");
  return (
    `${short(commit)} came from ${named(forge, all)}, merged into ${where}, and this job is of ${pushed}: nobody has reviewed a plan for that branch. ` +
    "If this branch takes over what was reviewed for the other one, name the last commit of the request with --head SHA"
  );
}

function named(forge: Forge, changes: readonly MergedChange[]): string {
  return changes.map(({ number }) => forge.nameOf(number)).join(" and ");
}

/** A failed question is an error, and never "none". */
async function mergedAs(forge: Forge, commit: string, pushed: string | undefined): Promise<MergedChange[]> {
  for (let look = 1; ; look += 1) {
    const found = await forge.changesOf(commit).catch((error: unknown) => {
      if (error instanceof ForgeError)
        throw new RefusedError(
          `Landform could not ask which request ${short(commit)} came from: ${error.message}. Nothing was sent. ${wayOut(error, forge.kind)}, or name the request's last commit with --head SHA`,
        );
      throw error;
    });
    if (meant(found, pushed).length > 0 || look === LOOKS) return found;
    await wait(PAUSE_MS);
  }
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
