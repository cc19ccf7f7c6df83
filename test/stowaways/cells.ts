/**
 * Other people's edits as a table: the edit, its moment, the user's word about such edits, and the known facts about the page. A cell gives the texts
 * that a visitor may and must get afterwards.
 */
export type Edit = "a key" | "a declared key" | "a node" | "metadata" | "a tag";
export type Moment = "before the plan" | "between plan and apply" | "between look and publish";
export type Word = "hold" | "include";
/** `recorded`: this stack has published the page. Somebody else published the others, and the stack takes them over. */
export type Known = "recorded" | "taken over now" | "taken over before";

export type Cell = Readonly<{ edit: Edit; moment: Moment; word: Word; known: Known }>;

const EDITS: readonly Edit[] = ["a key", "a declared key", "a node", "metadata", "a tag"];
const MOMENTS: readonly Moment[] = ["before the plan", "between plan and apply", "between look and publish"];
const WORDS: readonly Word[] = ["hold", "include"];
const KNOWN: readonly Known[] = ["recorded", "taken over now", "taken over before"];

export const cells: readonly Cell[] = EDITS.flatMap((edit) =>
  MOMENTS.flatMap((moment) => WORDS.flatMap((word) => KNOWN.map((known) => ({ edit, moment, word, known })))),
);

export interface Outcome {
  /** The text for visitors: our old or new one, or neither. */
  readonly shows: "before" | "now" | "neither";
  readonly theirs: boolean;
  readonly told: readonly ("held" | "included" | "slipped in" | "planned")[];
}

/** Returns the faults of an outcome, by the promises of the issue only. */
export function faultsOf({ edit, moment, word, known }: Cell, { shows, theirs, told }: Outcome): string[] {
  const isDraft = edit !== "metadata" && edit !== "a tag";
  const isLate = moment === "between look and publish";
  const says = (what: Outcome["told"][number]): boolean => told.includes(what);
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };
  must(shows !== "neither", "visitors get neither revision");
  must(!(theirs && shows === "before"), "visitors get words of somebody else beside our old ones");
  must(says("held") === (shows === "before"), "what the report says of holding is not what visitors get");
  if (isDraft && !isLate && word === "hold") must(!theirs && shows === "before", "an unfinished draft is public");
  if (isDraft && !isLate && word === "include") {
    // A value that is declared for the first time is written, whoever wrote there before.
    const isWritten = edit === "a declared key" && known === "taken over now";
    must((theirs || isWritten) && shows === "now", "what was included is not public");
    must(says("included"), "what went along was not told");
  }
  // If nobody could know at the look, the report says so afterwards.
  if (isDraft && isLate) {
    must(shows === "now", "a page that nobody had edited was held back");
    must(!theirs || says("slipped in"), "what slipped in was not told");
  }
  if (isDraft && moment === "before the plan") must(says("planned"), "the plan doesn't name it");
  // Visitors see none of these. By dates only, a page with one looks edited.
  if (!isDraft) must(shows === "now" || (known !== "recorded" && word === "hold"), "held back for nothing");
  if (!isDraft && known === "recorded")
    must(!says("included") && !says("slipped in") && !says("planned"), "named for nothing");
  return faults;
}
