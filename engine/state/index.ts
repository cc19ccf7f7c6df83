/**
 * Everything about a stack that lies in files: the checkpoint in Pulumi's format and folder layout, its journal, locks,
 * history, secrets, and the project's configuration. No gRPC and no engine logic.
 */
export * from "./types.ts";
export * from "./errors.ts";
export { FileBackend } from "./backend.ts";
export { backendFolder, parseStackRef, qualifiedName } from "./layout.ts";
export { configuredBackend } from "./location.ts";
export { describeHolder } from "./locks.ts";
export { PassphraseSecrets, passphraseFromEnvironment } from "./secrets.ts";
export { projectWithoutFile, readProject, type Project, type ProjectConfigEntry } from "./project.ts";
export { StackConfig, stackSecrets, type KeyOptions, type ResolvedConfig } from "./config.ts";
export { exportState, importState, unlockStack, type Unlocked } from "./surgery.ts";
export type { ExportedStack, StoredDeployment } from "./checkpoint.ts";
