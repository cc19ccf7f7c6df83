/** What to do about a value of the wrong type: how YAML writes the one that was meant. Pure. */

export function writingHint(said: string, value: unknown): string | undefined {
  const [, wanted] = /^takes (text|a number|true or false), and/.exec(said) ?? [];
  if (wanted === "text" && typeof value !== "object") return "Put it in quotes.";
  if (typeof value !== "string") return undefined;
  if (wanted === "a number") {
    if (/^-?\d+,\d+$/.test(value)) return `Write ${value.replace(",", ".")}, with a point.`;
    return value.trim() !== "" && Number.isFinite(Number(value)) ? "Write it without quotes." : undefined;
  }
  if (wanted !== "true or false") return undefined;
  if (/^(true|false)$/.test(value)) return "Write it without quotes.";
  if (/^(yes|on|y)$/i.test(value)) return "Write true.";
  return /^(no|off|n)$/i.test(value) ? "Write false." : undefined;
}
