import type { Finding, Report, Weight } from "../../stack/report/model.ts";

export function textsOf({ findings }: Pick<Report, "findings">, weight: Weight): string[] {
  return findings.filter((one: Finding) => one.weight === weight).map(({ text }) => text);
}
