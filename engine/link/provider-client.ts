import { HostError, ProviderError } from "../errors.ts";
import type { Json, PropertyMap, ResourceState } from "../model/types.ts";
import { findUnstorable } from "../model/unstorable.ts";
import { nameOf, shortType, typeOf } from "../model/urn.ts";
import { annotateSecrets, forProvider, secretTextsIn, sharing } from "../model/values.ts";
import type { CheckAnswer, CheckAsk, DiffAnswer, DiffAsk } from "../plan/types.ts";
import { type Answered, type Asked, FailedToComeUp, type Method, type Wire } from "./wire.ts";

/** The calls to a provider, in the engine's own terms: secrets go out as plain values and come back marked by name. */
export interface ProviderClient {
  check(ask: CheckAsk): Promise<CheckAnswer>;
  diff(ask: DiffAsk): Promise<DiffAnswer>;
  create(resource: ResourceState): Promise<Created>;
  update(old: ResourceState, resource: ResourceState): Promise<Updated>;
  delete(resource: ResourceState): Promise<void>;
  read(resource: ResourceState): Promise<ReadResult | undefined>;
}

export interface Updated {
  outputs: PropertyMap;
  /** The resource exists and did not come up as it should. */
  initErrors?: string[];
}
export interface Created extends Updated {
  id: string;
}
export interface ReadResult extends Created {
  inputs?: PropertyMap;
}

export function createProviderClient(wire: Pick<Wire, "call">): ProviderClient {
  return {
    check: async ({ urn, olds, news, unknowns }) => {
      const asked = { olds: outgoing(olds, unknowns), news: outgoing(news, unknowns) };
      const { inputs, failures } = await wire.call("check", urn, asked);
      return { inputs: told(storable(inputs, "check", urn), news), failures };
    },
    diff: ({ urn, id, oldInputs, oldOutputs, newInputs, ignoreChanges, unknowns }) =>
      wire.call("diff", urn, {
        id,
        oldInputs: outgoing(oldInputs, unknowns),
        olds: outgoing(oldOutputs, unknowns),
        news: outgoing(newInputs, unknowns),
        ignoreChanges,
      }),
    create: async ({ urn, inputs = {}, customTimeouts }) => {
      const asked = { properties: outgoing(inputs, false), timeout: customTimeouts?.create ?? 0 };
      const { id, properties, initErrors } = await outcome(wire, "create", urn, asked, inputs);
      if (id === "" && initErrors === undefined) throw new ProviderError("the provider created it and returned no id");
      return { id, outputs: told(properties, inputs), initErrors };
    },
    update: async (old, { urn, inputs = {}, ignoreChanges = [], customTimeouts }) => {
      const asked = {
        id: old.id ?? "",
        oldInputs: outgoing(old.inputs ?? {}, false),
        olds: outgoing(old.outputs ?? {}, false),
        news: outgoing(inputs, false),
        ignoreChanges,
        timeout: customTimeouts?.update ?? 0,
      };
      const sent = [old.inputs ?? {}, inputs];
      const { properties, initErrors } = await outcome(wire, "update", urn, asked, sent);
      return { outputs: told(properties, inputs), initErrors };
    },
    delete: async ({ urn, id = "", inputs = {}, outputs = {}, customTimeouts }) => {
      const [oldInputs, properties] = [outgoing(inputs, false), outgoing(outputs, false)];
      await wire.call("delete", urn, { id, oldInputs, properties, timeout: customTimeouts?.delete ?? 0 });
    },
    read: async ({ urn, id = "", inputs = {}, outputs = {} }) => {
      const asked = { id, properties: outgoing(outputs, false), inputs: outgoing(inputs, false) };
      const found = await outcome(wire, "read", urn, asked, [outputs, inputs]);
      if (found.id === "" && found.initErrors === undefined) return undefined;
      return {
        id: found.id,
        outputs: told(found.properties, outputs),
        inputs: found.inputs && told(found.inputs, inputs),
        initErrors: found.initErrors,
      };
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

/** Makes a call after which the resource exists. A failure's words lose the secrets that were sent: a service may repeat them, and states keep them. */
async function outcome<Name extends "create" | "update" | "read">(
  wire: Pick<Wire, "call">,
  method: Name,
  urn: string,
  asked: Asked<Name>,
  sent: Json,
): Promise<Answered<Name> & { initErrors?: string[] }> {
  try {
    const answer: { properties: PropertyMap; inputs?: PropertyMap } = await wire.call(method, urn, asked);
    for (const map of [answer.properties, answer.inputs ?? {}]) storable(map, method, urn);
    return answer;
  } catch (error) {
    if (!(error instanceof FailedToComeUp)) throw error;
    const { reasons, ...made } = error.failure;
    return { ...(made as unknown as Answered<Name>), initErrors: reasons.map((one) => withoutSecrets(one, sent)) };
  }
}

function withoutSecrets(text: string, sent: Json): string {
  return secretTextsIn(sent).reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
}
