/**
 * Asks the questions of planning before their turn. Planning takes one registration after the other, and each costs two answers of another process,
 * so waiting registrations ask both ahead. The plan stays the same: an answer counts only if planning asks exactly that question.
 */
import { createUrn } from "../model/urn.ts";
import type { PlanState } from "../plan/plan-state.ts";
import type { Answer, Ask, CheckAsk, DiffAsk, Registration } from "../plan/types.ts";
import { Limiter } from "./limiter.ts";
import { isPlainSdk } from "./switch.ts";

/** A host works on one question, and on others while that one waits for the service. */
const AHEAD = 16;

interface Asked {
  readonly ask: Ask;
  readonly answer: Promise<Answer>;
}

export class AskedAhead {
  readonly #answer: (ask: Ask) => Promise<Answer>;
  readonly #asked = new Map<string, Asked[]>();
  readonly #limiter = new Limiter(AHEAD);

  constructor(answer: (ask: Ask) => Promise<Answer>) {
    this.#answer = answer;
  }

  /** Resolves when both questions are answered. The asker gets the errors. */
  async begin(planState: PlanState, registration: Registration): Promise<void> {
    if (isPlainSdk()) return;
    const { options, targets } = planState;
    const urn = createUrn(options.stack, options.project, registration.parent, registration.type, registration.name);
    const old = planState.isClaimed(urn) ? undefined : planState.olds.get(urn);
    const { provider, ignoreChanges, deletedWith, inputs: news } = registration;
    if (old?.inputs === undefined || old.outputs === undefined || old.taint === true || old.external === true) return;
    if (provider === undefined || provider !== old.provider || targets.constrained || ignoreChanges.length > 0) return;
    // It is not asked if that resource is replaced.
    if (deletedWith !== undefined) return;
    const { type, id = "", inputs: oldInputs, outputs: oldOutputs } = old;
    const about = { urn, type, provider, unknowns: options.dryRun };
    await this.#limiter.run(async () => {
      const checked = await this.#ask({ kind: "check", ...about, olds: oldInputs, news });
      if (checked?.kind !== "check" || checked.failures.length > 0) return;
      await this.#ask({ kind: "diff", ...about, id, oldInputs, oldOutputs, newInputs: checked.inputs, ignoreChanges });
    });
  }

  async #ask(ask: Ask): Promise<Answer | undefined> {
    const answer = this.#answer(ask);
    this.#asked.set(ask.urn, [...(this.#asked.get(ask.urn) ?? []), { ask, answer }]);
    try {
      return await answer;
    } catch {
      return undefined;
    }
  }

  /** Returns the answer to exactly this question, if it was asked ahead. It gives each answer once. */
  take(ask: Ask): Promise<Answer> | undefined {
    const asked = this.#asked.get(ask.urn) ?? [];
    const found = asked.find((one) => isSame(one.ask, ask));
    if (found !== undefined)
      this.#asked.set(
        ask.urn,
        asked.filter((one) => one !== found),
      );
    return found?.answer;
  }

  /** Forgets the unused answers of a planned resource. */
  forget(urn: string): void {
    this.#asked.delete(urn);
  }
}

/** Compares the maps by identity, not by content. */
function isSame(one: Ask, other: Ask): boolean {
  if (one.type !== other.type || one.provider !== other.provider || one.unknowns !== other.unknowns) return false;
  if (one.kind === "check") return other.kind === "check" && isSameCheck(one, other);
  return other.kind === "diff" && isSameDiff(one, other);
}

function isSameCheck(one: CheckAsk, other: CheckAsk): boolean {
  return one.olds === other.olds && one.news === other.news;
}

function isSameDiff(one: DiffAsk, other: DiffAsk): boolean {
  const isPlain = one.ignoreChanges.length === 0 && other.ignoreChanges.length === 0;
  const isSameOld = one.id === other.id && one.oldInputs === other.oldInputs && one.oldOutputs === other.oldOutputs;
  return isPlain && isSameOld && one.newInputs === other.newInputs;
}
