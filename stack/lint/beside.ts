import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Manifest } from "../../manifest/declare/model.ts";
import { renderText } from "../../manifest/source/report.ts";
import { validate } from "../../manifest/check/validate.ts";
import { UsageError } from "../exit/codes.ts";
import { MANIFEST } from "../project/files.ts";

/** The landform.yaml beside a program: rules for it, or the entries that it registers. Undefined where there is none. */
export function manifestBeside(root: string): Manifest | undefined {
  const file = join(root, MANIFEST);
  if (!existsSync(file)) return undefined;
  const { manifest, diagnostics } = validate(relative(process.cwd(), file) || file);
  if (manifest === undefined)
    throw new UsageError(`${MANIFEST} can't be used:\n\n${renderText(diagnostics, { colour: false })}`);
  return manifest;
}
