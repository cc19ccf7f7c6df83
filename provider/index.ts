/** The resources and lookups, for programs. Everything here is re-exported. */
export { Account, type AccountArgs } from "./pulumi/resource.ts";
export * from "./pulumi/known-templates.ts";
export * from "./pulumi/resources.ts";
export {
  LandingFunnel,
  type ExistingPageStep,
  type LandingFunnelArgs,
  type LandingFunnelStep,
  type PageStep,
  type UrlStep,
} from "./pulumi/components.ts";
export * from "./pulumi/lookups.ts";
export { Release, type ReleaseArgs } from "./pulumi/components.ts";
export { LookupError } from "./lookups/index.ts";
