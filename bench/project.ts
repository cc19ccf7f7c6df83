/** The folder of a measured project. */
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { entryOf, manifestOf, programOf, type AccountSize, type Edit } from "./account.ts";

/** `entry`: a manifest whose pages are one entry over a file of rows. */
export type Form = "manifest" | "entry" | "program";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));

export function makeProject(form: Form, size: AccountSize): string {
  const folder = mkdtempSync(join(tmpdir(), "landform-bench-"));
  if (form === "program") {
    symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"), "junction");
    const runtime = "{ name: nodejs, options: { typescript: false } }";
    writeFileSync(join(folder, "Pulumi.yaml"), `name: bench\nruntime: ${runtime}\n`);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", main: "index.js" }));
  }
  writeProject(folder, form, size);
  return folder;
}

export function writeProject(folder: string, form: Form, size: AccountSize, edit: Edit = {}): void {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  if (form === "program") write("index.js", programOf(size, edit));
  else if (form === "manifest") write("landform.yaml", stringify(manifestOf(size, edit)));
  else {
    const { manifest, rows } = entryOf(size, edit);
    write("landform.yaml", stringify(manifest));
    write("pages.csv", rows);
  }
}
