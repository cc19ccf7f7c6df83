/** What to do about a value of the wrong type: how YAML writes the one that was meant. Pure. */
import type { Problem } from "../../provider/messages/problems.ts";

export function writingHint(problem: Problem, value: unknown): string | undefined {
  const wanted = problem.code === "not-allowed" && problem.takes.kind === "type" ? problem.takes.type : undefined;
  if (wanted === "string" && typeof value !== "object") return "Put it in quotes.";
  if (typeof value !== "string") return undefined;
  if (wanted === "number") return numberHint(value.trim());
  if (wanted !== "boolean") return undefined;
  if (/^(true|false)$/.test(value)) return "Write it without quotes.";
  if (/^(yes|on|y)$/i.test(value)) return "Write true.";
  return /^(no|off|n)$/i.test(value) ? "Write false." : undefined;
}

/** Amounts as people write them: with a comma, with thousands set apart, with a currency. */
function numberHint(text: string): string | undefined {
  if (text !== "" && Number.isFinite(Number(text))) return "Write it without quotes.";
  const bare = text.replaceAll(/[\s'’_]|\p{Sc}|\b[A-Z]{3}\b/gu, "");
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(bare)) {
    return `Write ${bare.replace(",", ".")} or ${bare.replace(",", "")}, whichever is meant: decimals follow a point, and nothing sets thousands apart.`;
  }
  const number = meant(bare);
  return number === undefined ? undefined : `Write ${number}: decimals follow a point, and a number stands alone.`;
}

function meant(text: string): string | undefined {
  if (/^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/.test(text)) {
    return String(Number(text.replaceAll(".", "").replace(",", ".")));
  }
  return /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) ? String(Number(text.replaceAll(",", ""))) : undefined;
}
