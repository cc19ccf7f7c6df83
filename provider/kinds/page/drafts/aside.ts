/**
 * A page that makes way for another one is published elsewhere, and its draft with it: whether that would bring edits of
 * others before visitors.
 */
import type { ForeignEdit } from "../../../messages/foreign-edits.ts";
import { notesOfHalfMade } from "../../../reconcile/creation-notes.ts";
import { patientLook } from "../../../account/patience.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { pageKey } from "../collection.ts";
import { findStowaways, wordFor, type KnownPage } from "./stowaways.ts";
import { NO_WRITES } from "./own-writes.ts";

/** Of a page that this process has heard nothing of, and the ledger tells nothing, dates decide. */
const UNHEARD: KnownPage = {
  answer: {},
  edited: {},
  notes: {},
  declared: new Map(),
  recorded: false,
  identity: undefined,
};
/** A run comes to its pages one after another. */
const LONGEST_WAIT_MS = 2_000;

/** The edits that keep the page where it is; none where it may go. */
export async function keepingItThere(run: RunContext, id: string): Promise<readonly ForeignEdit[]> {
  const { seen, patienceMs } = run.settings;
  const known = await patientLook(
    () => Promise.resolve(seen?.objectOf(pageKey(id))),
    seen === undefined ? 0 : Math.min(patienceMs, LONGEST_WAIT_MS),
  );
  const unheard = { ...UNHEARD, notes: notesOfHalfMade(run, id) };
  const { edits } = await findStowaways(run, id, known?.state ?? unheard, NO_WRITES);
  const own = known?.inputs["onForeignEdits"];
  const word = wordFor(run, id, edits, own === "hold" || own === "include" ? own : undefined);
  return word === "hold" ? edits : [];
}
