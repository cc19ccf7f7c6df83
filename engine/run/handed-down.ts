/** The things that a resource gets from others: the options of its parent, and the shared provider. Pure. */
import { type PropertyMap, SECRET_SIG, SIG_KEY } from "../model/types.ts";
import { DYNAMIC_PACKAGE, packageOf, providerType } from "../model/urn.ts";
import type { Registration } from "../plan/types.ts";
import { NOTHING_SAID } from "../program/direct.ts";
import type { OperationRequest } from "../request.ts";

/**
 * Adds the options that the engine hands down to children. The SDK hands down others. Both hand down providers: the SDK by the names in a program,
 * the engine by their packages, which `{ landform: account }` needs.
 */
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
