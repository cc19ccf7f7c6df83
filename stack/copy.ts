/** The translations of a folder's manifest, and the record of the sources that they translate. */
import { dirname, resolve } from "node:path";
import type { Manifest } from "../manifest/declare/model.ts";
import { CopyRecord, type Translation, translationsIn } from "../manifest/translate/translations.ts";
import { manifestBeside } from "./lint/findings.ts";
import { UsageError } from "./exit/codes.ts";
import { MANIFEST } from "./project/files.ts";

export interface OpenedCopy {
  readonly manifest: Manifest;
  readonly folder: string;
  readonly translations: readonly Translation[];
  readonly record: CopyRecord;
}

export function openCopy(dir: string): OpenedCopy {
  const root = resolve(dir);
  const manifest = manifestBeside(root);
  if (manifest === undefined) throw new UsageError(`there is no ${MANIFEST} in ${root}; -C DIR names another folder`);
  const translations = translationsIn(manifest);
  if (translations.length === 0)
    throw new UsageError(
      `${MANIFEST} has no content that is translated. Take it from a file by language: content: { file: "content/offer.*.yaml", locale: de }, and say copy: { source: en }`,
    );
  const folder = dirname(manifest.root.path);
  return { manifest, folder, translations, record: CopyRecord.read(folder) };
}
