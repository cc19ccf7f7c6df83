/**
 * The service on loopback: every operation, scope, limit and error of schema/api.yaml, with real pages at their
 * addresses, leads from their forms, and hooks that are delivered.
 */
export type { RequestRecord } from "./api.ts";
export { type KeyOptions, scopes } from "./auth.ts";
export type { Delivery } from "./deliver.ts";
export { FaultFileError, faultSchema, loadFaults } from "./fault-file.ts";
export type { Fault } from "./faults.ts";
export { type NotShown, notShownDefaults } from "./not-shown.ts";
export { type Emulator, type EmulatorOptions, startEmulator } from "./server.ts";
