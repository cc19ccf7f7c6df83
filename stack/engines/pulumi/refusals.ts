/** What Pulumi itself refuses, in the words of the embedded engine: the resource, and the next step. Pure. */
import { nameOf, shortType, typeOf } from "../../../engine/index.ts";
import { guideTo } from "../../../provider/messages/failures.ts";
import type { Failure } from "../../report/model.ts";

interface Refusal {
  readonly entry: "protected" | "target";
  /** The URNs in it are its groups; the first is the resource that it is about. */
  readonly says: RegExp;
  readonly text: (urn: string, other: string) => string;
}

const UNPROTECTED = "Remove `protect` from it and run up, or undo the change";

/** As Pulumi 3.245 words them. */
const REFUSALS: readonly Refusal[] = [
  {
    entry: "protected",
    says: /resource "(urn:[^"]+)" cannot be deleted\s+because it is protected/,
    text: (urn) => `${urn} is protected and is not deleted. Remove \`protect\` from it in the program and run up first`,
  },
  {
    entry: "protected",
    says: /unable to replace resource "(urn:[^"]+)" as part of replacing "(urn:[^"]+)"\s+as it is currently marked for protection/,
    text: (urn, cause) =>
      `${urn} would have to be deleted first to replace ${cause}, and it is protected. ${UNPROTECTED}`,
  },
  {
    entry: "protected",
    says: /unable to replace resource "(urn:[^"]+)"\s+as it is currently marked for protection/,
    text: (urn) =>
      `${shortType(typeOf(urn))} "${nameOf(urn)}" would be replaced, which deletes it, and it is protected. ${UNPROTECTED}`,
  },
  {
    entry: "target",
    says: /Resource '(urn:[^']+)' depends on '(urn:[^']+)' which was (?:was )?not specified in --target list/,
    text: (urn, needed) => `${urn} needs ${needed}, which does not exist yet and is not targeted. Target it too`,
  },
  {
    entry: "target",
    says: /Resource '(urn:[^']+)' will be destroyed but was not specified in --target list/,
    text: (urn) =>
      `${urn} would have to be deleted with the targets, since it depends on them, and is not targeted. Target it too`,
  },
];

/** Undefined for what is none of these. The program asks for it, whatever was under way. */
export function refusalOf(message: string): Failure | undefined {
  for (const { entry, says, text } of REFUSALS) {
    const [, urn, other = ""] = says.exec(message) ?? [];
    if (urn !== undefined) return { cause: "program", message: text(urn, other), guide: guideTo(entry), urn };
  }
  return undefined;
}
