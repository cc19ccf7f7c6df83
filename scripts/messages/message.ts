export interface Message {
  /** The action that provokes it. */
  readonly when: string;
  readonly text: string;
}

/** Returns the error of work that has to fail. */
export async function failureOf(when: string, work: () => unknown): Promise<Message> {
  try {
    const result = await work();
    return { when, text: `NO FAILURE: ${JSON.stringify(result)}` };
  } catch (error) {
    if (!(error instanceof Error)) return { when, text: String(error) };
    const reasons = "reasons" in error && Array.isArray(error.reasons) ? error.reasons.map(String) : [];
    return { when: `${when} (${error.name})`, text: [...new Set([error.message, ...reasons])].join("\n") };
  }
}
