import type { Finding, Report, Weight } from "../../stack/report/model.ts";

export const textsOf = ({ findings }: Pick<Report, "findings">, weight: Weight): string[] =>
  findings.filter((one: Finding) => one.weight === weight).map(({ text }) => text);
