/** A handler for what stands in a state and changes nothing in the account. */
import type { JsonMap } from "../values/json.ts";
import type { Configuration, Handler } from "../reconcile/handler.ts";

export interface Quiet {
  configure?(request: Configuration): void;
  differs(old: JsonMap, now: JsonMap): boolean;
  /** Names of the inputs whose change makes it another one. */
  replaces?(old: JsonMap, now: JsonMap): string[];
  create(props: JsonMap): { id: string; outs: JsonMap } | Promise<{ id: string; outs: JsonMap }>;
  update(old: JsonMap, now: JsonMap): JsonMap | Promise<JsonMap>;
}

export function quietHandler(quiet: Quiet): Handler {
  return {
    configure: (request) => Promise.resolve(quiet.configure?.(request)),
    check: (_olds, inputs) => Promise.resolve({ inputs, failures: [] }),
    diff: (_id, olds, news) => {
      const replaces = quiet.replaces?.(olds, news) ?? [];
      return Promise.resolve({ changes: replaces.length > 0 || quiet.differs(olds, news), replaces });
    },
    create: async (props) => quiet.create(props),
    read: (id, props) => Promise.resolve({ id, props }),
    update: async (_id, olds, news) => ({ outs: await quiet.update(olds, news) }),
    delete: () => Promise.resolve(),
  };
}
