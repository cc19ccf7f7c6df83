/**
 * Whether the program runs for a preview, asked as the SDK asks itself: of `pulumi.runtime.isDryRun` the engine is told
 * (engine/sdk/rewrites.ts), and a program that asks is run once more where nothing changes.
 */
export { isDryRun } from "@pulumi/pulumi/runtime/settings.js";
