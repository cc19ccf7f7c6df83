/** Two entries that want the same thing: the message names both places, whatever the keys look like. */
import { expect, test } from "vitest";
import { validate } from "../../manifest/index.ts";
import { folderWith } from "./files.ts";

test("the holder of a path is named with its place, though its key has a space and quotes", () => {
  const folder = folderWith({
    "landform.yaml": [
      "landform: 1",
      "pages:",
      "  'spring \"offer\"': { publish: { site: { id: s }, slug: a } }",
      "  other: { publish: { site: { id: s }, slug: a } }",
      "",
    ].join("\n"),
  });
  const [conflict] = validate("landform.yaml", { cwd: folder }).diagnostics;
  const holder = String.raw`pages["spring \"offer\""]`;
  expect(conflict).toMatchObject({
    code: "conflict",
    line: 4,
    path: "pages.other.publish.slug",
    message: expect.stringContaining(`is declared by "${holder}" too`) as string,
    related: [{ line: 3, message: `${holder} has it` }],
  });
});
