/** Manifests that tests write, as they are read. */
import { expect } from "vitest";
import { renderText, validate, type Manifest } from "../../manifest/index.ts";
import { folderWith } from "./files.ts";

type Checked = ReturnType<typeof validate>;

/** Reads a manifest of these lines, which lies beside other files. */
export function checked(lines: string, files: Parameters<typeof folderWith>[0] = {}): Checked {
  const folder = folderWith({ "landform.yaml": `landform: 1\n${lines}`, ...files });
  return validate("landform.yaml", { cwd: folder });
}

export const sound = (lines: string, files?: Parameters<typeof folderWith>[0]): Manifest =>
  withoutFault(checked(lines, files));

export const soundIn = (folder: string): Manifest => withoutFault(validate("landform.yaml", { cwd: folder }));

function withoutFault({ manifest, diagnostics }: Checked): Manifest {
  expect(renderText(diagnostics)).toBe("");
  if (!manifest) throw new Error("there is no manifest");
  return manifest;
}
