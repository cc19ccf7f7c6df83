/** What is known of a preview environment, and how it is called. Pure. */
import { createHash } from "node:crypto";
import type { SlugStyle } from "../../provider/preview/names.ts";

/** Its record, as its state holds it. */
export interface EnvironmentRecord {
  /** Also the name of its stack. */
  readonly name: string;
  readonly branch?: string;
  readonly pr?: number;
  /** What was deployed last. */
  readonly commit?: string;
  /** The stack whose projects and site it uses. */
  readonly base?: string;
  /** The site that its pages are on, where one was named. */
  readonly site?: { readonly id: string; readonly name: string };
  /** The project that it uses, where one was named. */
  readonly project?: string;
  /** Before all its paths and names. */
  readonly prefix: string;
  readonly slugStyle: SlugStyle;
  readonly hooks: boolean;
  readonly drafts: boolean;
  readonly seed: boolean;
  readonly ttlDays: number;
  /** ISO-8601, as the other dates. */
  readonly createdAt: string;
  /** When another commit was deployed last. */
  readonly pushedAt: string;
  readonly expiresAt: string;
}

/** What an environment is for. */
export type EnvironmentOf = { readonly pr: number } | { readonly branch: string };

const LONGEST_NAME = 50;
const HASH_LENGTH = 6;
const BRANCH = "br-";

/** `pr-12`, or `br-NAME-HASH`: branches that only differ in what a name can't have are told apart by the hash. */
export function environmentName(of: EnvironmentOf): string {
  if ("pr" in of) return `pr-${of.pr}`;
  const hash = createHash("sha256").update(of.branch).digest("hex").slice(0, HASH_LENGTH);
  const room = LONGEST_NAME - BRANCH.length - HASH_LENGTH - 1;
  const plain = of.branch
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, room)
    .replace(/-+$/, "");
  return `${BRANCH}${plain === "" ? "branch" : plain}-${hash}`;
}

/** Whether a stack's name is one that an environment gets. */
export function isEnvironmentName(stack: string): boolean {
  return /^(?:pr-[1-9]\d*|br-[a-z0-9][a-z0-9-]*-[0-9a-f]{6})$/.test(stack);
}

export function isExpired({ expiresAt }: Pick<EnvironmentRecord, "expiresAt">, now: Date): boolean {
  return Date.parse(expiresAt) <= now.getTime();
}
