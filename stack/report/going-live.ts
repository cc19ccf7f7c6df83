/** The parts of a report about going live: drafts, pointers to an address that is left, and the pages that visitors see. */
import type { PropertyPath } from "../../engine/index.ts";
import type { ForeignEdit, ForeignEditsWord } from "../../provider/messages/foreign-edits.ts";
import type { SeenLive } from "../../provider/seen/seen-live.ts";

/** An address that is left, or an object that goes, with a plan, and everything that points to it. */
export interface Leaving {
  urn: string;
  type: string;
  name: string;
  id?: string;
  /** The address that visitors know. */
  url?: string;
  /** The later public address. */
  to?: string;
  /** The object itself goes, so references to its id lead nowhere. */
  gone?: true;
  mentions: Mention[];
}

export interface Mention {
  /** `follows`: changes in the same plan. `stays`: the program says it word for word. `undeclared`: no program of this stack declares it. */
  kind: "follows" | "stays" | "undeclared";
  /** The URN of a resource of the stack. */
  urn?: string;
  type: string;
  name: string;
  id?: string;
  path: PropertyPath;
  /** The text around the pointer. */
  text?: string;
  editUrl?: string;
}

/** The part of the account that was searched for mentions, and the part that was not. */
export interface MentionsLook {
  /** In the plural: `pages`. */
  what: string;
  read: number;
  /** The number that a limit or the time left out. */
  left: number;
  /** The reason why it could not be asked. */
  failed?: string;
  /** True if there may be more than the service lists. */
  perhapsMore?: true;
}

/** An object with edits that are not the program's: in its draft, or in values of the account itself. */
export interface DraftOfOthers {
  urn: string;
  type: string;
  name: string;
  url?: string;
  edits: readonly ForeignEdit[];
}

/** An object that goes, with the edits in its draft. */
export interface GoingOfOthers extends DraftOfOthers {
  /** Texts that somebody published in the app and that the code doesn't declare: visitors lose them. */
  published?: readonly ForeignEdit[];
}

/** Edits that a run publishes, writes over, or holds back. */
interface Decided extends DraftOfOthers {
  /** True if the plan replaces the object, so that the edits go with the old one. */
  goes?: true;
  /** True for a kind without a draft: somebody has changed these values in the account itself. */
  noDraft?: true;
}

/** A page that a plan publishes again, or an object whose changed values it writes. */
export interface AlsoLive extends Decided {
  /** The way in which up treats the edits; `ask` if a person can be asked. */
  word: ForeignEditsWord | "ask";
  /** A digest of the plain edits. A yes counts only for these edits, and the report hides the secrets in them. */
  digest: string;
  /** True if its release publishes it. The release is held back as a whole. */
  released?: true;
  /** True if it is taken over as it is: the run writes and publishes nothing of it. */
  asItIs?: true;
}

/** A page that the run did not publish, because its draft has edits of others, or an object whose changed values it left alone. */
export interface HeldBack extends Decided {
  /** Names of the pages of its release whose drafts have such edits, if its own draft has none. */
  heldBy?: readonly string[];
}

/** The result of a look at a public page. */
export interface SeenPage extends SeenLive {
  urn: string;
  type: string;
  name: string;
}
