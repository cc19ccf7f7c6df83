import { HostError, ProviderError } from "../errors.ts";
import type { Json, PropertyMap, ResourceState } from "../model/types.ts";
import { findUnstorable } from "../model/unstorable.ts";
import { nameOf, shortType, typeOf } from "../model/urn.ts";
import { annotateSecrets, forProvider, secretTextsIn, sharing } from "../model/values.ts";
import type { CheckAnswer, CheckAsk, DiffAnswer, DiffAsk } from "../plan/types.ts";
import { FailedToComeUp, type InitFailure, type Method, type Wire } from "./wire.ts";

/** The calls to a provider, in the engine's own terms: secrets go out as plain values and come back marked by name. */
export interface ProviderClient {
  check(ask: CheckAsk): Promise<CheckAnswer>;
  diff(ask: DiffAsk): Promise<DiffAnswer>;
  create(resource: ResourceState): Promise<Created>;
  update(old: ResourceState, resource: ResourceState): Promise<Updated>;
  delete(resource: ResourceState): Promise<void>;
  read(resource: ResourceState): Promise<ReadResult | undefined>;
}

/** `initErrors`: the resource exists and did not come up as it should. */
export interface Created {
  id: string;
  outputs: PropertyMap;
  initErrors?: string[];
}
export interface Updated {
  outputs: PropertyMap;
  initErrors?: string[];
}
export interface ReadResult {
  id: string;
  outputs: PropertyMap;
  /** Present only if the provider returns the inputs that match. */
  inputs?: PropertyMap;
  initErrors?: string[];
}

export function createProviderClient(wire: Wire): ProviderClient {
  return {
    check: async ({ urn, olds, news, unknowns }) => {
      const asked = { olds: outgoing(olds, unknowns), news: outgoing(news, unknowns) };
      const { inputs, failures } = await wire.call("check", urn, asked);
      return { kind: "check", inputs: told(storable(inputs, "check", urn), news), failures };
    },
    diff: async ({ urn, id, oldInputs, oldOutputs, newInputs, ignoreChanges, unknowns }) => {
      const answer = await wire.call("diff", urn, {
        id,
        oldInputs: outgoing(oldInputs, unknowns),
        olds: outgoing(oldOutputs, unknowns),
        news: outgoing(newInputs, unknowns),
        ignoreChanges,
      });
      return { kind: "diff", ...answer };
    },
    create: ({ urn, inputs = {}, customTimeouts }) => {
      const marked = (outputs: PropertyMap) => told(outputs, inputs);
      return orInitFailure<Created>(
        inputs,
        ({ id, properties, reasons }) => ({ id, outputs: marked(properties), initErrors: reasons }),
        async () => {
          const asked = { properties: outgoing(inputs, false), timeout: customTimeouts?.create ?? 0 };
          const { id, properties } = await wire.call("create", urn, asked);
          if (id === "") throw new ProviderError("the provider created it and returned no id");
          return { id, outputs: marked(storable(properties, "create", urn)) };
        },
      );
    },
    update: (old, { urn, inputs = {}, ignoreChanges = [], customTimeouts }) => {
      const marked = (outputs: PropertyMap) => told(outputs, inputs);
      return orInitFailure<Updated>(
        [old.inputs ?? {}, inputs],
        ({ properties, reasons }) => ({ outputs: marked(properties), initErrors: reasons }),
        async () => {
          const { properties } = await wire.call("update", urn, {
            id: old.id ?? "",
            oldInputs: outgoing(old.inputs ?? {}, false),
            olds: outgoing(old.outputs ?? {}, false),
            news: outgoing(inputs, false),
            ignoreChanges,
            timeout: customTimeouts?.update ?? 0,
          });
          return { outputs: marked(storable(properties, "update", urn)) };
        },
      );
    },
    delete: async ({ urn, id = "", inputs = {}, outputs = {}, customTimeouts }) => {
      const [oldInputs, properties] = [outgoing(inputs, false), outgoing(outputs, false)];
      await wire.call("delete", urn, { id, oldInputs, properties, timeout: customTimeouts?.delete ?? 0 });
    },
    read: ({ urn, id = "", inputs = {}, outputs = {} }) => {
      const marked = (found: Pick<InitFailure, "id" | "properties" | "inputs">): ReadResult => ({
        id: found.id,
        outputs: told(found.properties, outputs),
        ...(found.inputs === undefined ? {} : { inputs: told(found.inputs, inputs) }),
      });
      return orInitFailure<ReadResult | undefined>(
        [outputs, inputs],
        (failure) => ({ ...marked(failure), initErrors: failure.reasons }),
        async () => {
          const asked = { id, properties: outgoing(outputs, false), inputs: outgoing(inputs, false) };
          const found = await wire.call("read", urn, asked);
          if (found.id === "") return undefined;
          for (const map of [found.properties, found.inputs ?? {}]) storable(map, "read", urn);
          return marked(found);
        },
      );
    },
  };
}

/** Returns the answer with its secrets marked as they were sent. Values that were sent unchanged share their memory. */
function told(answered: PropertyMap, sent: PropertyMap): PropertyMap {
  return sharing(annotateSecrets(answered, sent), sent);
}

/** Returns the answer if a state can hold it. Only the provider knows if the call took effect. */
function storable(values: PropertyMap, method: Method, urn: string): PropertyMap {
  const found = findUnstorable(values);
  if (found === undefined) return values;
  throw new HostError(
    `${method} of ${shortType(typeOf(urn))} "${nameOf(urn)}": ${found.path} of the answer is ${found.what}, and a state can't hold that`,
    { urn },
  );
}

function outgoing(map: PropertyMap, keepUnknowns: boolean): PropertyMap {
  return forProvider(map, { keepUnknowns });
}

/** Removes secrets from the words of a failure, which the state keeps. A service may repeat in them the values that it was sent. */
async function orInitFailure<Result>(
  sent: Json,
  partial: (failure: InitFailure) => Result,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof FailedToComeUp)) throw error;
    const { failure } = error;
    return partial({ ...failure, reasons: failure.reasons.map((reason) => withoutSecrets(reason, sent)) });
  }
}

function withoutSecrets(text: string, sent: Json): string {
  return secretTextsIn(sent).reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
}
