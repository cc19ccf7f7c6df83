/** The stand-ins of a preview for resources that it doesn't make: an object of the base, only read, or nothing. No call of theirs writes. */
import type { z } from "zod";
import { type JsonMap, same, sanitize, text } from "../values/json.ts";
import { AdoptionError } from "../messages/errors.ts";
import type { Handler, Runtime } from "../reconcile/handler.ts";
import { ObjectState } from "../reconcile/object-state.ts";
import type { AnyDefinition } from "../definition/define.ts";
import { definitionOf, type Kind, registry, resourceType } from "../kinds/registry.ts";

/** The object of the base, read; the object of the base as its state has it; nothing at all. */
const STAND_INS = ["Existing", "Staying", "LeftOut"] as const;
export type StandInFor = (typeof STAND_INS)[number];

/** Each kind has stand-ins of its own, since two kinds may use one name. */
export function standInType(standIn: StandInFor, { type }: Pick<AnyDefinition, "type">): string {
  return resourceType({ type: standIn + type });
}

/** Returns the part of the stand-in; undefined for every other resource. */
export function standInOf(type: string): StandInFor | undefined {
  return STAND_INS.find((one) => {
    const start = resourceType({ type: one });
    // Previews of earlier versions have one type for all kinds.
    return type === start || (type.startsWith(start) && definitionOf(type.slice(start.length)) !== undefined);
  });
}

export function existingHandler(runtime: Runtime): Handler {
  const look = async ({ kind, of, __provider }: JsonMap): Promise<JsonMap> => {
    const definition = registry[kind as Kind];
    const id = text(of);
    const run = runtime.run();
    const object = new ObjectState(definition, id);
    object.account = await run.accountId();
    const answer = await definition.read(run, id, object);
    if (!answer) {
      throw new AdoptionError(
        `a preview takes ${definition.kind} "${id}" from its base, and it is not in this account, or the key can't see it. ` +
          "Apply the base first, or name another one with --site or --project.",
      );
    }
    object.learn(answer);
    return sanitize({ ...object.toState(), kind, of, __provider });
  };
  const configure: Handler["configure"] = (request) => {
    runtime.configure(request);
    return Promise.resolve();
  };
  const handler = quietHandler({
    differs: () => false,
    create: async (props) => ({ id: text(props["of"]), outs: await look(props) }),
    update: (_old, props) => look(props),
  });
  return { ...handler, configure };
}

/** Takes `kind` and values that are its outputs, too. `of`: the id of the object that stands for it, if there is one. */
export const leftOutHandler: Handler = quietHandler({
  differs: (old, now) => !same(old, leftOut(now)),
  create: (props) => ({ id: text(props["of"]) || "left-out", outs: leftOut(props) }),
  update: (_old, props) => leftOut(props),
});

/** An output that only an object has is null, where that may be: to Pulumi, an output that is undefined is a slip of the program. */
function leftOut(props: JsonMap): JsonMap {
  const { outputs } = registry[text(props["kind"]) as Kind];
  const none = Object.entries<z.ZodType>(outputs.shape).filter(([, shape]) => shape.safeParse(null).success);
  return { ...Object.fromEntries(none.map(([name]) => [name, null])), ...props };
}

/** A handler for a resource that is only in the state and changes nothing in the account. */
interface Quiet {
  differs(old: JsonMap, now: JsonMap): boolean;
  create(props: JsonMap): { id: string; outs: JsonMap } | Promise<{ id: string; outs: JsonMap }>;
  update(old: JsonMap, now: JsonMap): JsonMap | Promise<JsonMap>;
}

function quietHandler(quiet: Quiet): Handler {
  return {
    configure: () => Promise.resolve(),
    check: (_olds, inputs) => Promise.resolve({ inputs, failures: [] }),
    diff: (_id, olds, news) => {
      // With another `of`, it stands for another object.
      const replaces = same(olds["of"], news["of"]) ? [] : ["of"];
      return Promise.resolve({ changes: replaces.length > 0 || quiet.differs(olds, news), replaces });
    },
    create: async (props) => quiet.create(props),
    read: (id, props) => Promise.resolve({ id, props }),
    update: async (_id, olds, news) => ({ outs: await quiet.update(olds, news) }),
    delete: () => Promise.resolve(),
  };
}

/**
 * The record of a preview environment, as a resource of its stack. So it is in the state on every backend, before anything that the
 * environment makes (all of that depends on it), and goes after all of it. The account has nothing of it.
 */
export const ENVIRONMENT = "Environment";

const DAY_MS = 86_400_000;
export const environmentHandler: Handler = quietHandler({
  differs: (old, now) => !same(declared(old), declared(now)),
  create: (props) => {
    const now = new Date().toISOString();
    return { id: text(props["name"]), outs: dated({ ...props, createdAt: now, pushedAt: now }) };
  },
  update: (old, props) => {
    const { createdAt = null, pushedAt = null } = old;
    const isPush = props["commit"] !== old["commit"];
    return dated({ ...props, createdAt, pushedAt: isPush ? new Date().toISOString() : pushedAt });
  },
});

function declared(state: JsonMap): JsonMap {
  const { __provider, createdAt, pushedAt, expiresAt, ...said } = state;
  return said;
}

function dated(state: JsonMap): JsonMap {
  const { pushedAt, ttlDays } = state;
  const expiry = Date.parse(text(pushedAt)) + Number(ttlDays) * DAY_MS;
  return sanitize({ ...state, expiresAt: new Date(expiry).toISOString() });
}

/** The type of the record that the state of a preview has beside the resources of its program. */
export const ENVIRONMENT_TYPE = resourceType({ type: ENVIRONMENT });

/** Tells if a resource of this type changes nothing in the account. */
export function isOfPreview(type: string): boolean {
  return type === ENVIRONMENT_TYPE || standInOf(type) !== undefined;
}
