/** What the operations of a walk act on. Numbers choose, so that a walk can be repeated. */
import type { WalkDesk } from "../desk.ts";
import type { Entry, Program, Section } from "../program.ts";

/** A stack of the walk. */
export interface World {
  readonly desk: WalkDesk;
  readonly stack: Stack;
  program: Program;
  /** What was applied last as a whole; undefined where something is left to do. */
  applied: Program | undefined;
  /** Counts what was declared in any stack, so that no logical name comes twice. */
  readonly names: { made: number };
  /** Ids of objects that somebody changed in the app since a refresh was last applied. */
  readonly byHand: Set<string>;
  /** Ids of pages whose drafts an export took over as somebody had left them: visitors may not see them. */
  readonly drafted: Set<string>;
  /** What was refused or failed for a reason that the operations of this step give. */
  readonly excuses: RegExp[];
  /** Options that a refusal advised. */
  readonly advised: Set<string>;
  /** The second stack of the same project, to which entries may move. */
  readonly second?: World;
}

export type Stack = "dev" | "two";

export interface Choice {
  readonly what: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** Tells what was done; undefined where there was nothing to do it to. */
export type Operation = (world: World, choice: Choice) => string | undefined | Promise<string | undefined>;

/** What is said of what somebody deleted in the app. */
export const GONE = [/is no longer in the account/, /adoptId: there is no/, /There is no \w+ with the id/];

export const TEXT = "A text about the brand, its customers and what it offers them, word by word. ".repeat(3);
export const TEMPLATES = ["tpl-hero", "tpl-thankyou"];
export const KEYS = ["hero.title", "hero.text", "top.brand"];
export const TEXTS = [
  "Hello",
  "Until Friday",
  "Hello {{brand}}!",
  "{{brand}} for all",
  'ÄÖ 🎉 #1: "quoted"',
  " two\nlines ",
];
export const BRANDS = ["Acme", "Zen", "Big & Co", "$1"];
export const SLUGS = ["", "a", "b", "c", "d", "deep/er"];

export function pick<Item>(list: readonly Item[], number: number): Item | undefined {
  return list.length === 0 ? undefined : list[number % list.length];
}

/** What is made anew needs a value for each placeholder of its template. */
export function fillIn(entry: Entry): void {
  if (entry.template !== undefined) entry.variables ??= { brand: "Acme", support_email: "help@acme.example" };
}

export function keyFor({ names }: World, section: Section): string {
  names.made += 1;
  return `${section.slice(0, 2)}${names.made}`;
}
