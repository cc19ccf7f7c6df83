import { isScalar, parse, Scalar, stringify, YAMLParseError } from "yaml";

/** A value in the style that another one had; where that doesn't hold it, in double quotes. */
export function scalarLike(old: unknown, value: string | number | boolean): Scalar {
  const scalar = new Scalar(value);
  if (typeof value !== "string") return scalar;
  if (isScalar(old) && old.type !== undefined) scalar.type = old.type;
  if (!holds(scalar, value)) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/**
 * A block of lines loses blanks that a text begins with before its first line break, and folds others; a blank line above its
 * text may be indented more than that, by where it stands (yaml 2.9, 2026-11).
 */
function holds(scalar: Scalar, value: string): boolean {
  try {
    const [read] = parse(stringify([scalar], { lineWidth: 0 })) as unknown[];
    const { key } = parse(stringify({ key: scalar }, { lineWidth: 0 })) as { key: unknown };
    return read === value && key === value;
  } catch (error) {
    if (error instanceof YAMLParseError) return false;
    throw error;
  }
}
