/** Of a report: what goes live and what doesn't, what points to an address that is left, and what visitors see. */
import type { PropertyPath } from "../../engine/index.ts";
import type { ForeignEdit, ForeignEditsWord } from "../../provider/messages/foreign-edits.ts";
import type { SeenLive } from "../../provider/seen/seen-live.ts";

/** An address that is left, or an object that goes, with a plan; and what points to it. */
export interface Leaving {
  urn: string;
  type: string;
  name: string;
  id?: string;
  /** The address that visitors know. */
  url?: string;
  /** Where it is public afterwards. */
  to?: string;
  /** The object itself goes: what refers to its id refers to nothing then. */
  gone?: true;
  mentions: Mention[];
}

export interface Mention {
  /** `follows`: changes in the same plan. `stays`: the program says it word for word. `undeclared`: no program of this stack does. */
  kind: "follows" | "stays" | "undeclared";
  /** Of a resource of the stack. */
  urn?: string;
  type: string;
  name: string;
  id?: string;
  path: PropertyPath;
  /** Around what points to it. */
  text?: string;
  editUrl?: string;
}

/** What was looked through for mentions, and what was not. */
export interface MentionsLook {
  /** In the plural: `pages`. */
  what: string;
  read: number;
  /** Beyond a limit, or too late. */
  left: number;
  /** Why it could not be asked. */
  failed?: string;
  /** There may be more than the service lists. */
  perhapsMore?: true;
}

/** A published page whose draft holds edits that are not the program's. */
export interface DraftOfOthers {
  urn: string;
  type: string;
  name: string;
  url?: string;
  edits: readonly ForeignEdit[];
}

/** A published page that a plan publishes again. */
export interface AlsoLive extends DraftOfOthers {
  /** What up does about them; `ask` where somebody can be asked. */
  word: ForeignEditsWord | "ask";
  /** Of the edits as they are: what somebody says yes to has to be told again, and the report hides what is secret in them. */
  digest: string;
  /** Where its release publishes it: that is held back as a whole. */
  released?: true;
  /** It is taken over as it is: nothing is written to it, and nothing published. */
  asItIs?: true;
}

/** A page that was worked on and not published, because its draft holds edits of others. */
export interface HeldBack extends DraftOfOthers {
  /** Its own draft holds none: names of the pages of its release that do. */
  heldBy?: readonly string[];
}

/** What a look at a public page found. */
export interface SeenPage extends SeenLive {
  urn: string;
  type: string;
  name: string;
}
