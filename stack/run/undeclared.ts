/** What the account holds beside what the stack declares: for `drift --unmanaged`. Reads alone. */
import { nameOf, typeOf } from "../../engine/index.ts";
import { findUndeclared, type Undeclared } from "../../manifest/index.ts";
import { defaultKinds } from "../../manifest/export/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { kindOf, registry, type Kind } from "../../provider/kinds/registry.ts";
import { CommandError, exitCodes } from "../exit/codes.ts";
import { withAccount } from "../project/settings.ts";
import { shortName } from "../report/steps.ts";
import type { Report } from "../report/model.ts";
import type { StackSession } from "./session.ts";

/** Adds them to the report, and what could not be looked through to its warnings. */
export async function withUndeclared(session: StackSession, report: Report): Promise<Report> {
  const records = await session.engine.records();
  if (records === undefined)
    throw new CommandError(
      exitCodes.failed,
      "what the stack holds can't be read here, so what nobody declares is not known: give Pulumi access to its secrets",
    );
  const declared = new Map<Kind, Map<string, string>>();
  for (const { urn, id, outputs = {} } of records) {
    const kind = kindOf(shortName(typeOf(urn)));
    if (kind === undefined || id === undefined) continue;
    const known = declared.get(kind) ?? new Map<string, string>();
    // Some are listed under the id of what they consist of.
    for (const one of [id, outputs["id"], outputs["pageId"]]) if (typeof one === "string") known.set(one, nameOf(urn));
    declared.set(kind, known);
  }
  const { objects, warnings } = await withAccount(session.options, (api) => findUndeclared(api, declared));
  return { ...report, undeclared: objects.map(shown), warnings: [...report.warnings, ...warnings, UNSEEN] };
}

const left = (Object.keys(registry) as Kind[]).filter(
  (kind) => !defaultKinds.includes(kind) && definitionFor(kind).gathers === undefined,
);
/** What the API never lists, and what an export leaves out where it is not asked for. */
const UNSEEN = `${left.map((kind) => registry[kind].section).join(" and ")} are not looked at: what of them nobody declares is not listed here`;

function definitionFor(kind: Kind): AnyDefinition {
  return registry[kind];
}

function shown({ type, id, name, entry, files }: Undeclared): NonNullable<Report["undeclared"]>[number] {
  return { type, id, name, entry, files: { ...files } };
}
