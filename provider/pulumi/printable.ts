/** The SDK prints the value of each property for its own log, which a content key `toString` makes impossible; an output's it doesn't. */
export function isPrintable(value: unknown): boolean {
  try {
    return typeof String(value) === "string";
  } catch {
    return false;
  }
}
