/** A text that the program sets as content and in its builder node: the node is written last, and only one of them can be shown. */
import { isMap, same, type Json, type JsonMap } from "../../values/json.ts";
import { ApplyError } from "../../messages/errors.ts";
import type { PagePass } from "./declared.ts";
import { textsOfNode, type Draft } from "./document.ts";
import { valuesNow } from "./kept-values.ts";
import { render } from "./variables.ts";

/** To be asked once the nodes are written, and before anything is published. */
export async function refuseSetTwice({ now, object }: PagePass, draft: Draft, nodes: JsonMap): Promise<void> {
  const { content = {} } = now;
  const written = new Map(Object.entries(nodes).flatMap(([id, node]) => textsIn(node).map((text) => [text, id])));
  if (written.size === 0 || Object.keys(content).length === 0) return;
  const { fields } = await draft.fields();
  const values = valuesNow(object, now.variables);
  for (const [key, value] of Object.entries(content)) {
    const live = fields.value(key);
    const node = typeof live === "string" ? written.get(live) : undefined;
    if (node === undefined || same(render(value, values), live)) continue;
    object.declare("content", without(object.declared.get("content"), key));
    object.learn({ content: without(object.answer["content"], key) });
    throw new ApplyError(
      `content["${key}"] and nodes.${node} set the same text: the page would show the node's, ${JSON.stringify(live)}. ` +
        `Set it in one of them, and run again. Nothing was published.`,
    );
  }
}

/** As if it had never been sent: if the node is given up, the next apply writes it. */
function without(content: Json | undefined, key: string): JsonMap {
  return isMap(content) ? Object.fromEntries(Object.entries(content).filter(([name]) => name !== key)) : {};
}

function textsIn(declared: Json): string[] {
  return textsOfNode(isMap(declared) && isMap(declared["node"]) ? declared["node"] : declared);
}
