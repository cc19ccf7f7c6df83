/** The data that a walk's operations work on. Numbers choose, so that a walk can be repeated. */
import type { WalkDesk } from "../desk.ts";
import type { Entry, Program, Section } from "../program.ts";

/** A stack of the walk. */
export interface World {
  readonly desk: WalkDesk;
  readonly stack: Stack;
  program: Program;
  /** The last program that was applied as a whole; undefined if something is left to do. */
  applied: Program | undefined;
  /** Counts the declarations of all stacks, so that no logical name comes twice. */
  readonly names: { made: number };
  /** Ids of objects that somebody changed in the app since the last applied refresh. */
  readonly byHand: Set<string>;
  /** Ids of pages whose edited drafts an export took over: visitors may not see them. */
  readonly drafted: Set<string>;
  /** The expected refusals and failures, by the operations of this step. */
  readonly excuses: RegExp[];
  /** Options that a refusal advised. */
  readonly advised: Set<string>;
  /** The second stack of the same project, to which entries may move. */
  readonly second?: World;
}

export type Stack = "dev" | "two";

export type Choice = Readonly<{ what: number; a: number; b: number; c: number }>;

/** Returns the story of an operation; undefined if it had nothing to work on. */
export type Operation = (world: World, choice: Choice) => string | undefined | Promise<string | undefined>;

/** The messages about an object that somebody deleted in the app. */
export const GONE = [/somebody deleted \w+ \w+ in the account/, /adoptId: there is no/, /There is no \w+ with the id/];

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

export const pick = <Item>(list: readonly Item[], number: number): Item | undefined =>
  list.length === 0 ? undefined : list[number % list.length];

/** Gives a value to each placeholder of the template, which a new page needs. */
export function fillIn(entry: Entry): void {
  if (entry.template !== undefined) entry.variables ??= { brand: "Acme", support_email: "help@acme.example" };
}

export function keyFor({ names }: World, section: Section): string {
  names.made += 1;
  return `${section.slice(0, 2)}${names.made}`;
}
