/** Completes registrations as the SDK (3.270, 2026-11-22) would send them, for a program that needs no process, and adds the options of their parents. Pure. */
import { type PropertyMap, ROOT_STACK_TYPE, SECRET_SIG, SIG_KEY } from "../model/types.ts";
import { DYNAMIC_PACKAGE, packageOf, providerType } from "../model/urn.ts";
import type { Registration } from "../plan/types.ts";
import type { DirectRegistration, OperationRequest } from "../request.ts";
import { sourceIn, storedFrom } from "./registration-request.ts";

export function rootStack(project: string, stack: string): Registration {
  return { ...NOTHING_SAID, type: ROOT_STACK_TYPE, name: `${project}-${stack}`, custom: false, inputs: {} };
}

const NOTHING_SAID = {
  dependencies: [],
  propertyDependencies: {},
  aliases: [],
  ignoreChanges: [],
  replaceOnChanges: [],
  additionalSecretOutputs: [],
  hideDiffs: [],
};

export function completeRegistration(given: DirectRegistration, parent: string, root: string): Registration {
  const { place, ...rest } = given;
  const placed = place && { source: sourceIn(place, root), stored: storedFrom(place, root) };
  return { ...NOTHING_SAID, ...rest, custom: true, parent, ...placed };
}

/** Adds the options that the engine hands down to children. It knows providers by package, as `{ landform: account }` needs, and not by name. */
export function inheriting(registration: Registration, parent: Registration | undefined): Registration {
  const { protect, retainOnDelete, deletedWith } = parent ?? {};
  const providers = { ...(parent?.custom === false && parent.providers), ...registration.providers };
  const provider = registration.provider ?? (registration.custom ? providers[packageOf(registration.type)] : undefined);
  return {
    ...registration,
    ...(provider !== undefined && { provider }),
    ...(Object.keys(providers).length > 0 && { providers }),
    protect: registration.protect ?? protect,
    retainOnDelete: registration.retainOnDelete ?? retainOnDelete,
    deletedWith: registration.deletedWith ?? deletedWith,
  };
}

export function defaultProvider(config: OperationRequest["config"]): Registration {
  const type = providerType(DYNAMIC_PACKAGE);
  return { ...NOTHING_SAID, type, name: "default", custom: true, inputs: configuration(config) };
}

/** Dynamic providers get the whole configuration of the stack, as in Pulumi. */
function configuration({ values, secretKeys }: OperationRequest["config"]): PropertyMap {
  const entries = Object.entries(values).map(([key, value]) => {
    return [key, secretKeys.includes(key) ? { [SIG_KEY]: SECRET_SIG, value } : value] as const;
  });
  return Object.fromEntries(entries);
}
