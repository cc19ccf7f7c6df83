import { expect, test } from "vitest";
import { YamlEdit } from "../../../manifest/write/yaml/edit.ts";
import { NodeWriter } from "../../../manifest/write/nodes.ts";
import { TextFiles } from "../../../manifest/write/files.ts";
import { holdsForEdits, holdsForReordered } from "./properties.ts";

test("whatever is set in whatever is written: it parses, says what was meant, and the rest stays", () =>
  holdsForEdits(200));

test("a list comes into another order with the comments of its items", () => holdsForReordered(300));

test("an item comes where two neighbours go", () => {
  const edit = new YamlEdit("list:\n- first # 1\n\n- second\n- third\n- fourth # 4\n");
  edit.set(["list"], new NodeWriter(new TextFiles(), ".").json(["second", "first"]));
  expect(edit.print()).toBe("list:\n\n- second\n- first # 1\n");
});
