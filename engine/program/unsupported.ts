import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { type ErrorPlace, UnsupportedError } from "../errors.ts";
import type { PropertyMap, ResourceState } from "../model/types.ts";
import { DYNAMIC_PACKAGE, isProviderType, packageOf, providerPackage } from "../model/urn.ts";
import { ARCHIVE_SIG, ASSET_SIG, findSignature } from "../model/values.ts";

/** Refuses, by name and before anything is sent, features that only the real Pulumi engine has. */
export function refuseUnsupported(request: RegisterResourceRequest, inputs: PropertyMap, place: ErrorPlace): void {
  const feature = unsupportedFeature(request) ?? unsupportedValue(inputs);
  if (feature !== undefined) throw new UnsupportedError(`${feature} ("${request.getName()}")`, place);
}

function unsupportedFeature(request: RegisterResourceRequest): string | undefined {
  const type = request.getType();
  if (request.getRemote()) return `the remote component ${type}`;
  if (request.getCustom()) {
    const wanted = isProviderType(type) ? providerPackage(type) : packageOf(type);
    if (wanted !== DYNAMIC_PACKAGE) return `the provider package "${wanted}" of ${type}`;
  }
  // Pulumi would serve each version with a default provider of its own.
  if (request.getCustom() && request.getVersion() !== "") return "the resource option `version`";
  if (request.getPlugindownloadurl() !== "") return "the resource option `pluginDownloadURL`";
  if (request.getPackageref() !== "") return "a parameterized provider package";
  if (request.getImportid() !== "") return "the resource option `import`";
  if (request.getTransformsList().length > 0) return "the resource option `transforms`";
  if (hasHooks(request)) return "the resource option `hooks`";
  if (request.getReplaceWithList().length > 0) return "the resource option `replaceWith`";
  if (request.getReplacementTrigger() !== undefined) return "the resource option `replacementTrigger`";
  // The oldest supported SDK, 3.216, doesn't have this.
  const { getEnvvarmappingsMap: mappings } = request as Partial<RegisterResourceRequest>;
  if ((mappings?.call(request).getLength() ?? 0) > 0) return "the resource option `envVarMappings`";
  return undefined;
}

function hasHooks(request: RegisterResourceRequest): boolean {
  const hooks = request.getHooks();
  return hooks !== undefined && Object.values(hooks.toObject()).some((names) => names.length > 0);
}

/** Refuses a state of another engine with such features, and leaves it alone as a whole. */
export function refuseUnsupportedState(resources: readonly ResourceState[]): void {
  for (const resource of resources) {
    const feature = unsupportedState(resource);
    if (feature !== undefined)
      throw new UnsupportedError(`${feature} (${resource.urn}, in the state)`, { urn: resource.urn });
  }
}

function unsupportedState(resource: ResourceState): string | undefined {
  const { type, custom } = resource;
  const wanted = isProviderType(type) ? providerPackage(type) : packageOf(type);
  if (custom && wanted !== DYNAMIC_PACKAGE) return `the provider package "${wanted}"`;
  if (resource.viewOf !== undefined) return "a view of another resource";
  if (resource.refreshBeforeUpdate === true) return "a refresh before each update";
  if (Object.keys(resource.resourceHooks ?? {}).length > 0) return "the resource option `hooks`";
  return undefined;
}

export function unsupportedValue(values: PropertyMap): string | undefined {
  const signature = findSignature(values, [ASSET_SIG, ARCHIVE_SIG]);
  if (signature === undefined) return undefined;
  return signature === ASSET_SIG ? "an asset as a property value" : "an archive as a property value";
}

/** Finds the feature in a message in which the SDK itself refuses it and blames an old Pulumi CLI, and returns a message that is true. */
export function unsupportedIn(message: string): { error: UnsupportedError; message: string } | undefined {
  const [sentence, feature] = BLAME.exec(message) ?? [];
  if (sentence === undefined || feature === undefined) return undefined;
  const error = new UnsupportedError(`the feature "${feature}"`);
  return { error, message: message.replace(sentence, () => error.message) };
}

const BLAME =
  /The (?:installed version of the |Pulumi )?(?:Pulumi )?CLI does not support (?:the )?([\w` -]+?)(?: option| RPC)?\.(?: Please update the Pulumi CLI\.?)?/;
