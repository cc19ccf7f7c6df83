/** What a job has to do about a preview: deploy it, take it away, or neither. */
import type { CiEnvironment } from "./environment.ts";
import { forkRefusal } from "./fork.ts";
import type { Asked, Forge } from "./forge/forge.ts";
import { asked, movedOn, standingsOf, type Origin } from "./forge/standing.ts";

export type PreviewStep =
  | { readonly act: "up"; readonly note?: string }
  | { readonly act: "down"; readonly why: string }
  | { readonly act: "nothing"; readonly why: string };

/** What the preview is of, as it is at this moment; `open` is undefined where the code host knows nothing of it. */
interface Now {
  readonly open: boolean | undefined;
  readonly head?: string;
  readonly fork?: string;
}

/**
 * Jobs come late, twice, and in any order: what the code host says now counts for more than what it said when it started the
 * job. Where it can't be asked, the event is all there is.
 */
export async function stepFor(
  environment: CiEnvironment,
  origin: Origin,
  name: string,
  forge: Forge | undefined,
): Promise<PreviewStep> {
  const now = forge === undefined ? undefined : await nowOf(forge, origin);
  const known = now !== undefined && "answer" in now ? now.answer : undefined;
  const ofFork = forkRefusal(environment, known, name, "gets no preview");
  if (ofFork !== undefined) return { act: "nothing", why: ofFork };
  const { closing } = environment;
  if (closing === "stopped") return { act: "down", why: "asked for" };
  if (closing === "closed")
    return known?.open === true
      ? { act: "nothing", why: `${name} is open again: its preview stays` }
      : { act: "down", why: `${name} was closed` };
  if (known?.open === false) return { act: "down", why: `${name} is closed` };
  if (environment.inTrain)
    return { act: "nothing", why: "a merge train or queue tries what was reviewed: there is no preview of it" };
  const later = laterThan(environment, known);
  if (later !== undefined)
    return { act: "nothing", why: `${name} is at ${later} by now, and the job of that deploys it` };
  const unasked = now !== undefined && "unasked" in now ? now.unasked : undefined;
  return unasked === undefined
    ? { act: "up" }
    : { act: "up", note: `whether ${name} is still open could not be asked: ${unasked}` };
}

/** Who names a request by hand may name any commit, such as a merge of it. */
function laterThan({ change, unmerged }: CiEnvironment, now: Now | undefined): string | undefined {
  if (change === undefined || !unmerged || now?.head === undefined) return undefined;
  return movedOn(change, { head: now.head });
}

/** Why what was just deployed has to go again: it was closed meanwhile, and the job of that has found nothing to take away. */
export async function closedSince(forge: Forge | undefined, origin: Origin, name: string): Promise<string | undefined> {
  const now = forge === undefined ? undefined : await nowOf(forge, origin);
  return now !== undefined && "answer" in now && now.answer.open === false ? `${name} was closed meanwhile` : undefined;
}

async function nowOf(forge: Forge, origin: Origin): Promise<Asked<Now>> {
  if ("change" in origin) {
    // A number that isn't there may be one that the token can't see.
    const change = await asked(() => forge.change(origin.change));
    return "answer" in change ? { answer: change.answer ?? { open: undefined } } : change;
  }
  const [standing] = await standingsOf(forge, [origin]);
  if (standing === undefined || !("answer" in standing)) return standing ?? { answer: { open: undefined } };
  return { answer: { open: standing.answer === "open" } };
}
