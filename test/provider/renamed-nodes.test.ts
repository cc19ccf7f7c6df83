/** A service may give the nodes of a page new ids when it publishes it. The same values under new ids are nobody's edit. */
import { expect, test } from "vitest";
import { foreignEdits } from "../../provider/kinds/page/edits/foreign-edits.ts";
import type { PageDocument } from "../../provider/kinds/page/document/document.ts";
import { Ours } from "../../provider/kinds/page/document/ours.ts";
import { Leaves, leafName, shippedAs } from "../../provider/kinds/page/document/readings.ts";

const NODES = Array.from({ length: 200 }, (_, index) => index);
const PLACE = "misc/text";
const [was, is] = ["before", "after"].map((when) => NODES.map((index) => `${when}_${index}`)) as [string[], string[]];

function page(ids: readonly string[], edited?: string): PageDocument {
  const node = (index: number) => {
    const text = index === 7 && edited !== undefined ? edited : `The text number ${index}`;
    return { path: `sections[${index}]`, leaves: new Map([[PLACE, text]]), texts: [text] };
  };
  return { fields: undefined, nodes: new Map(ids.map((id, index) => [id, node(index)])) };
}

/** Returns a page id in whose digests one of the new names looks like one of the old. */
function pageIdWithTwin(): string {
  for (let number = 0; ; number++) {
    const known = new Leaves(`page_${number}`);
    for (const id of was) known.add(leafName(id, PLACE), "");
    if (is.some((id) => known.has(leafName(id, PLACE)))) return `page_${number}`;
  }
}

test.each(["page_1", pageIdWithTwin()])(
  "of %s new ids alone are no edit, and a text under one of them is",
  (pageId) => {
    const shipped = shippedAs(pageId, page(was));
    const writes = {
      content: {},
      nodes: {},
      broad: false,
      ours: Ours.noted({}, { id: pageId, identity: undefined }),
    };
    expect(foreignEdits(shipped, page(is), writes)).toEqual([]);
    expect(foreignEdits(shipped, page(is, "Half a thought"), writes)).toMatchObject([{ texts: ["Half a thought"] }]);
  },
);
