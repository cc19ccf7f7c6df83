/** Which resource of a state an id is of, where it is known what it may be an id of. */
import { nameOf, typeOf } from "../../engine/index.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import type { StateResource } from "../engines/recorded.ts";
import { shortName } from "../report/steps.ts";

interface Owner {
  readonly type: string;
  readonly name: string;
}

export function ownerIn(
  records: readonly Pick<StateResource, "urn" | "id">[],
): (id: string, kinds: readonly string[]) => Owner | undefined {
  const owners = new Map(
    records.map(({ id = "", urn }) => [
      keyOfType(typeOf(urn), id),
      { type: shortName(typeOf(urn)), name: nameOf(urn) },
    ]),
  );
  return (id, kinds) => kinds.map((kind) => owners.get(keyOfKind(kind, id))).find((one) => one !== undefined);
}
