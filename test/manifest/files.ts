import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const corpusFolder = fileURLToPath(new URL("corpus", import.meta.url));
export const repository = fileURLToPath(new URL("../..", import.meta.url));

export interface CorpusFile {
  readonly name: string;
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  /** `code @line`, or `code data/file:line`, in the order of the files. */
  readonly expected: string[];
  /** `silent`: the schema can't tell. `unreadable`: a YAML parser refuses it. */
  readonly schema: string | undefined;
}

export function corpus(verdict: "good" | "bad"): CorpusFile[] {
  const folder = join(corpusFolder, verdict);
  const names = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  return names.map((file) => {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    const expected = [...text.matchAll(/^# expect (.*)$/gm)].map(([, what = ""]) => what);
    return { name: file, path, folder, text, expected, schema: /^# schema (\w+)$/m.exec(text)?.[1] };
  });
}

/** Makes a folder with these files, which is gone after the test. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "landform-manifest-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
