/** The pages that a release names, as inputs in a state have them. Pure. */
import { isMap, type JsonMap } from "../../json.ts";

/** `gathers`: the input that names them. */
export function memberIds(inputs: JsonMap, gathers: string): string[] {
  const members = inputs[gathers];
  return (Array.isArray(members) ? members : []).flatMap((member) => {
    const id = isMap(member) ? member["pageId"] : undefined;
    return typeof id === "string" ? [id] : [];
  });
}
