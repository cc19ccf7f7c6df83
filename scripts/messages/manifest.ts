/** The messages about landform.yaml: every file in the tests' corpus of wrong manifests. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { renderText, validate } from "../../manifest/index.ts";
import type { Message } from "./message.ts";

const CORPUS = join(import.meta.dirname, "../../test/manifest/corpus/bad");

// eslint-disable-next-line @typescript-eslint/require-await -- the other parts wait
export async function* manifestMessages(): AsyncIterable<Message> {
  for (const file of readdirSync(CORPUS).sort()) {
    const { diagnostics } = validate(file, { cwd: CORPUS });
    yield { when: file, text: renderText(diagnostics) };
  }
}
