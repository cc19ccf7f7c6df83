/** Plans on their way from review to merge: one for each stack and head commit, in a folder or a bucket. */
import { openPlace } from "../stack/places/open.ts";
import { DamagedError, type Place } from "../stack/places/place.ts";
import { RefusedError, UsageError } from "../stack/exit/codes.ts";
import { shellWord } from "../stack/advice/next-command.ts";
import { jsonText } from "../stack/report/printable.ts";
import { parsePlan, type SavedPlan } from "../stack/plan/saved-plan.ts";

/** Behind it, nobody remembers what was reviewed. */
export const LONGEST_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What is asked of a place: more than plans are kept there. */
export type PlansPlace = Pick<Place, "name" | "get" | "put">;

export class StoredPlans {
  readonly #place: PlansPlace;
  readonly #called: string;
  readonly #stack: string;

  /** `called`: the place, as the command names it. */
  constructor(place: PlansPlace, called: string, project: string, stack: string) {
    this.#place = place;
    this.#called = called;
    this.#stack = `${part(project)}/${part(stack)}`;
  }

  static async open(text: string, base: string, project: string, stack: string): Promise<StoredPlans> {
    return new StoredPlans(await openPlace(text, base), text, project, stack);
  }

  async keep(head: string, plan: SavedPlan): Promise<void> {
    await this.#place.put(this.#key(head), jsonText(plan));
  }

  /** Refuses where there is none, or where it is too old to be what somebody remembers to have reviewed. */
  async find(head: string, of: string): Promise<SavedPlan> {
    const bytes = await this.#get(head);
    if (bytes === undefined)
      throw new RefusedError(
        `no plan is kept in ${this.#place.name} for ${of} (${head.slice(0, 12)}): \`npx landform ci plan --plans ${shellWord(this.#called)}\` has not run for its last commit, or the plan is gone. ${WAYS_ON}`,
      );
    const plan = planIn(new TextDecoder().decode(bytes), of, this.#place.name);
    const days = (Date.now() - Date.parse(plan.madeAt)) / DAY_MS;
    if (days > LONGEST_DAYS)
      throw new RefusedError(
        `the plan of ${of} was made ${Math.floor(days)} days ago; after ${LONGEST_DAYS} it is not applied any more. ${WAYS_ON}`,
      );
    return plan;
  }

  async #get(head: string): Promise<Uint8Array | undefined> {
    const key = this.#key(head);
    try {
      return await this.#place.get(key);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      throw new RefusedError(`${error.message}. ${WAYS_ON}`);
    }
  }

  #key(head: string): string {
    if (!/^[0-9a-f]{40,64}$/i.test(head)) throw new UsageError(`${head} is not a commit: give the whole hash`);
    return `${this.#stack}/${head.toLowerCase()}.json`;
  }
}

/** Damaged, it is none: nothing was wrong with the command. */
function planIn(text: string, of: string, place: string): SavedPlan {
  try {
    return parsePlan(text, `the plan of ${of}`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new RefusedError(
      `what is kept in ${place} for ${of} is no plan of this version: it is damaged, or another version made it. ${WAYS_ON}`,
    );
  }
}

/** What to do where nothing that was reviewed can be applied. */
export const WAYS_ON =
  "Nothing was sent. Plan and review again with a new request, or apply what the code says now, unreviewed, with --replan";

/** Names of stacks may hold a slash. */
function part(name: string): string {
  return encodeURIComponent(name).replace(/^\./, "%2E");
}
