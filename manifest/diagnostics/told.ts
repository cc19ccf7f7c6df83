/** Thrown at what can't go on; the problem itself is in the diagnostics. */
export class Told extends Error {
  override readonly name = "Told";
}

export function unlessTold<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Told) return undefined;
    throw error;
  }
}
