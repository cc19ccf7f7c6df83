/**
 * Asks the questions of planning before their turn. Planning takes one registration after the other, and each costs two answers of another process,
 * so waiting registrations ask both ahead. The plan stays the same: an answer counts only if planning asks exactly that question.
 */
import { createUrn } from "../model/urn.ts";
import type { PlanState } from "../plan/plan-state.ts";
import type { Answer, Ask, CheckAnswer, Registration } from "../plan/types.ts";
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
      const asked = await this.#ask({ kind: "check", ...about, olds: oldInputs, news });
      const checked = asked as CheckAnswer | undefined;
      if (checked === undefined || checked.failures.length > 0) return;
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
    if (found !== undefined) this.#asked.set(ask.urn, asked.toSpliced(asked.indexOf(found), 1));
    return found?.answer;
  }

  /** Forgets the unused answers of a planned resource. */
  forget(urn: string): void {
    this.#asked.delete(urn);
  }
}

/** Compares maps by identity, not by content, and lists, too, unless both are empty. */
function isSame(one: Ask, other: Ask): boolean {
  const isEmpty = (part: unknown): boolean => Array.isArray(part) && part.length === 0;
  return Object.entries(one).every(([name, part]) => {
    const counterpart: unknown = Reflect.get(other, name);
    return part === counterpart || (isEmpty(part) && isEmpty(counterpart));
  });
}
