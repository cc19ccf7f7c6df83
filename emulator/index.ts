/**
 * The service on loopback: every operation, scope, limit and error of schema/api.yaml. It serves real pages at their addresses, makes leads from
 * their forms, and delivers hooks.
 */
export type { RequestRecord } from "./http/api.ts";
export { type KeyOptions, scopes } from "./http/auth.ts";
export type { Delivery } from "./visitors/deliver.ts";
export { FaultFileError, faultSchema, loadFaults } from "./faults/fault-file.ts";
export type { Fault } from "./faults/faults.ts";
export { type NotShown, notShownDefaults } from "./not-shown.ts";
export { type Emulator, type EmulatorOptions, startEmulator } from "./server.ts";
