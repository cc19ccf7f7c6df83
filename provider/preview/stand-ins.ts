/**
 * What a preview has in the place of resources that it makes nothing of: an object of the base, which is read and nothing
 * else, or nothing at all. Their handlers have no call that writes.
 */
import type { z } from "zod";
import { same, sanitize, text, type JsonMap } from "../values/json.ts";
import { AdoptionError } from "../messages/errors.ts";
import type { Handler, Runtime } from "../reconcile/handler.ts";
import { ObjectState } from "../reconcile/object-state.ts";
import { registry, type Kind } from "../kinds/registry.ts";
import { quietHandler } from "./quiet-handler.ts";

export const EXISTING = "Existing";
export const LEFT_OUT = "LeftOut";

/** `kind` and `of`, the id of the object. */
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
  return quietHandler({
    configure: (request) => runtime.configure(request),
    differs: () => false,
    replaces: (old, now) => (same(old["of"], now["of"]) ? [] : ["of"]),
    create: async (props) => ({ id: text(props["of"]), outs: await look(props) }),
    update: (_old, props) => look(props),
  });
}

/** `kind`, `why`, and what the program declares, so that its outputs are what was declared. */
export const leftOutHandler: Handler = quietHandler({
  differs: (old, now) => !same(old, leftOut(now)),
  create: (props) => ({ id: text(props["of"]) || "left-out", outs: leftOut(props) }),
  update: (_old, props) => leftOut(props),
});

/** What only an object has is null, where that may be: to Pulumi, an output that is undefined is a slip of the program. */
function leftOut(props: JsonMap): JsonMap {
  const { outputs } = registry[text(props["kind"]) as Kind];
  const none = Object.entries<z.ZodType>(outputs.shape).filter(([, shape]) => shape.safeParse(null).success);
  return { ...Object.fromEntries(none.map(([name]) => [name, null])), ...props };
}
