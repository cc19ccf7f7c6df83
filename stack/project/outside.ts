/** What a manifest takes from outside, as far as it can be read without a passphrase: for comparisons with an account. */
import { type OutsideSources } from "../../manifest/export/index.ts";
import { UsageError } from "../exit/codes.ts";
import { openStack } from "./open.ts";
import { projectFileIn } from "./project-files.ts";

export async function outsideOf(dir: string, stack: string): Promise<OutsideSources> {
  return { env: process.env, stack, config: await configOf(dir, stack) };
}

/** Secrets are left encrypted, and so are not compared. */
async function configOf(dir: string, stack: string): Promise<NonNullable<OutsideSources["config"]>> {
  const nothing = (): undefined => undefined;
  if (projectFileIn(dir) === undefined) return nothing;
  try {
    const { config, project } = await openStack(dir, stack);
    const record = config.record();
    return (key) => {
      const value = record[key.includes(":") ? key : `${project.name}:${key}`];
      if (value === undefined) return {};
      return typeof value === "string" ? { value } : undefined;
    };
  } catch (error) {
    // Whatever is wrong with the manifest is told by who reads it.
    if (error instanceof UsageError) return nothing;
    throw error;
  }
}
