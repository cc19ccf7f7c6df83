/** Refuses copies of pages whose drafts hold edits of others: the service copies the draft, and a publication would bring it before visitors. */
import { DESTROYS, UNDOES } from "../intents.ts";
import { isUnknown, nameOf, typeOf } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { environmentIn } from "../../provider/ledger/identity.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { type ForeignEdit, halfDoneText } from "../../provider/messages/foreign-edits.ts";
import { waitingEdits } from "../../provider/reconcile/foreign-edits.ts";
import { text } from "../../provider/values/json.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { decisive, operationOf, recordedAs, shortName, type Told } from "../report/steps.ts";
import { sidesOf, unsaidEdits } from "../report/values.ts";
import type { AccountReader } from "../run/account-reader.ts";
import { policyInForce } from "./drafts.ts";
import { askEach } from "./planned.ts";
import { type Check, type CheckFinding, type Look, since, unanswered, unansweredBy, warns } from "./check.ts";

export const copied: Check = {
  name: "copied",
  not: {
    ...since("it makes anew what the account had", ...UNDOES),
    ...since("it makes nothing", ...DESTROYS),
    "env up": "a preview is no public page",
  },
  run: async (look, report) => {
    const made = [...look.ran.preview.told.values()].flatMap((told) => {
      const source = operationOf(told.steps) === "create" ? sourceOf(told.steps) : undefined;
      return source === undefined ? [] : [{ ...told, source }];
    });
    if (report.result !== "succeeded" || made.length === 0) return {};
    const reader = await look.reader();
    return { findings: await askEach(made, (one) => findingsFor(look, reader, one)) };
  },
};

/** Returns the id of the object that a publication of a copy would show; undefined if it is not known yet, or if nothing is published. */
function sourceOf(steps: Told["steps"]): string | undefined {
  const step = decisive(steps, "create");
  const by = step && definitionOf(step.type)?.inPreview.copies?.by;
  const { publish, __identity, ...inputs } = step?.new?.inputs ?? {};
  const source = by === undefined ? "" : text(inputs[by]);
  const isPreview = environmentIn(text(__identity)) !== undefined;
  return publish === undefined || isPreview || source === "" || isUnknown(source) ? undefined : source;
}

async function findingsFor(
  look: Look,
  reader: AccountReader,
  { urn, steps, source }: Told & { readonly source: string },
): Promise<CheckFinding[]> {
  const step = decisive(steps, "create");
  const named = `${shortName(step?.type ?? "")} ${nameOf(urn)}`;
  const policy = policyInForce(look.session, step?.new?.inputs ?? {}, look.intent);
  try {
    const edits = await editsOf(look, reader, source, { provider: step?.provider, urn });
    if (edits.length === 0) return [];
    const said = `${named}: ${halfDoneText(source, look.session.redactor.value(edits))}`;
    return policy === "include" ? warns([{ text: said, urn }]) : [{ weight: "refuse", text: said, urn }];
  } catch (error) {
    const why = `${named}: the draft that it copies could not be read, so edits of others may go along (${reasonOf(error)})`;
    const question = { text: why, urn };
    return policy === "include" ? warns([question]) : unanswered([unansweredBy(error, question)], look.intent);
  }
}

/** If the source is a resource of the stack, its state tells which edits are not ours. Else its dates tell. */
async function editsOf(
  { ran }: Look,
  reader: AccountReader,
  source: string,
  copy: { readonly provider: string | undefined; readonly urn: string },
): Promise<readonly ForeignEdit[]> {
  const known = [...ran.preview.told.values()].find(({ id, urn }) => id === source && addressOf(urn) !== undefined);
  const [step] = [...(known?.steps.values() ?? [])];
  const urn = step === undefined ? known?.urn : recordedAs(step);
  const definition = addressOf(known?.urn ?? copy.urn);
  if (definition === undefined) return [];
  const state = urn === undefined ? undefined : reader.stateOf(urn);
  const run = urn === undefined ? reader.of(copy.provider, copy.urn) : reader.of(step?.provider, urn);
  const edits = await waitingEdits({ definition, run }, source, state ?? { status: "published" });
  return unsaidEdits(edits, sidesOf(known?.steps.values() ?? []));
}

function addressOf(urn: string): AnyDefinition | undefined {
  const definition = definitionOf(typeOf(urn));
  return definition?.public === "address" ? definition : undefined;
}
