/**
 * Everything about a stack that lies in files: the checkpoint in Pulumi's format and folder layout, its journal, locks,
 * history, secrets, and the project's configuration. No gRPC and no engine logic.
 */
export * from "./types.ts";
export * from "./errors.ts";
export { FileBackend } from "./backend.ts";
export { PassphraseSecrets, passphraseFromEnvironment } from "./secrets.ts";
export { readProject, type Project, type ProjectConfigEntry } from "./project.ts";
export { StackConfig, type ResolvedConfig } from "./config.ts";
