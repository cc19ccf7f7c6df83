/** The typed client of the page builder's API. */
export { LandformApi } from "./api.ts";
export {
  accountConfig,
  ApiKey,
  keyVariable,
  resolveConfig,
  type ApiConfig,
  type CheckedConfig,
  type StackConfig,
} from "./config.ts";
export * from "./errors.ts";
export * from "./inputs.ts";
export type { Capped, IterateOptions } from "./paging.ts";
export { operations, type Effect, type Method, type Operation, type OperationName } from "./operations.ts";
export { isProvenByReading, type Permission } from "./permission.ts";
export type * from "./records.ts";
