/** The record of a preview environment, and its name. Pure. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { prefixOf, SLUG_STYLES } from "../../provider/definition/in-preview.ts";
import type { EnvironmentFacts } from "../../provider/preview/facts.ts";
import { ENVIRONMENT_TYPE } from "../../provider/preview/stand-ins.ts";

/** The name is also the name of its stack. */
export interface EnvironmentRecord extends EnvironmentFacts {
  readonly site?: { readonly id: string; readonly name: string };
  readonly project?: string;
  /** The start of all its paths and names. */
  readonly prefix: string;
  /** ISO-8601, like the other dates. */
  readonly createdAt: string;
  /** The time when the last new commit was deployed. */
  readonly pushedAt: string;
  readonly expiresAt: string;
}

type EnvironmentOf = { readonly pr: number } | { readonly branch: string };

const LONGEST_NAME = 50;
const HASH_LENGTH = 6;
const BRANCH = "br-";

/** `pr-12`, or `br-NAME-HASH`. The hash tells branches apart that differ only in characters that a name can't have. */
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

export function isExpired({ expiresAt }: Pick<EnvironmentRecord, "expiresAt">, now: Date): boolean {
  return Date.parse(expiresAt) <= now.getTime();
}

interface Recorded {
  readonly type: string;
  readonly outputs?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns undefined for a stack that is no preview, and for a preview that came to nothing. */
export function recordIn(resources: readonly Recorded[]): EnvironmentRecord | undefined {
  const outputs = resources.find(({ type }) => type === ENVIRONMENT_TYPE)?.outputs;
  const read = stored.safeParse(outputs);
  if (!read.success) return undefined;
  const { token, named, ...record } = read.data;
  const { site, project } = named ?? {};
  return {
    ...record,
    prefix: prefixOf(record.name, token),
    ...(site && { site: { id: site.id, name: site.name ?? site.id } }),
    ...(project && { project: project.id }),
  };
}

/** The secret part of the environment's addresses, so that nobody can guess them. */
export function tokenIn(resources: readonly Recorded[]): string | undefined {
  const token = resources.find(({ type }) => type === ENVIRONMENT_TYPE)?.outputs?.["token"];
  return typeof token === "string" ? token : undefined;
}

const object = z.object({ id: z.string(), name: z.string().optional() });
const stored = z.object({
  name: z.string(),
  branch: z.string().optional(),
  pr: z.number().optional(),
  commit: z.string().optional(),
  repository: z.string().optional(),
  base: z.string().optional(),
  slugStyle: z.enum(SLUG_STYLES),
  hooks: z.boolean(),
  drafts: z.boolean(),
  seed: z.boolean(),
  ttlDays: z.number(),
  token: z.string(),
  named: z.object({ site: object.optional(), project: object.optional() }).optional(),
  createdAt: z.string(),
  pushedAt: z.string(),
  expiresAt: z.string(),
});
