/**
 * The record of a preview environment, as a resource of its stack: so it is in the state on every backend, before anything
 * that the environment makes (all of that depends on it), and goes after all of it. There is nothing of it in the account.
 */
import { randomBytes } from "node:crypto";
import { same, sanitize, text, type JsonMap } from "../values/json.ts";
import type { Handler } from "../reconcile/handler.ts";
import { quietHandler } from "./quiet-handler.ts";
import { TOKEN_LENGTH, tokenFrom } from "./names.ts";

export const ENVIRONMENT = "Environment";

const DAY_MS = 86_400_000;
const MOST_TTL_DAYS = 36_500;

/** Beyond a hundred years no calendar helps. */
export function isTtl(days: number): boolean {
  return days > 0 && days <= MOST_TTL_DAYS;
}

export const environmentHandler: Handler = quietHandler({
  differs: (old, now) => !same(declared(old), declared(now)),
  create: (props) => {
    const token = props["token"] ?? tokenFrom(randomBytes(TOKEN_LENGTH));
    const now = new Date().toISOString();
    return { id: text(props["name"]), outs: dated({ ...props, token, createdAt: now, pushedAt: now }) };
  },
  update: (old, props) => {
    const { token = null, createdAt = null, pushedAt = null } = old;
    const isPush = props["commit"] !== old["commit"];
    return dated({ ...props, token, createdAt, pushedAt: isPush ? new Date().toISOString() : pushedAt });
  },
});

/** What a program or the command line says of it: the rest is found out on the way, and stays. */
function declared(state: JsonMap): JsonMap {
  const { __provider, token, createdAt, pushedAt, expiresAt, ...said } = state;
  return said;
}

function dated(state: JsonMap): JsonMap {
  const { pushedAt, ttlDays } = state;
  const expiry = Date.parse(text(pushedAt)) + Number(ttlDays) * DAY_MS;
  return sanitize({ ...state, expiresAt: new Date(expiry).toISOString() });
}
