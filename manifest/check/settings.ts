/** The section `lint` of a manifest: rules by id, each with a level, or with a level and what else it takes. */
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { z } from "zod";
import { isMap as isJsonMap, type Json, type JsonMap } from "../../provider/values/json.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { inputWording } from "../../provider/messages/wording.ts";
import { type Declared, levels, type LintSettings, type RuleSettings } from "../declare/model.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import { below } from "../language/addresses.ts";
import type { Place } from "../source/file.ts";
import type { Reader } from "../source/reader.ts";
import { ruleIds, rules } from "./rules.ts";

const common = {
  level: z.enum(levels).optional().describe("`off`, `warning` or `error`."),
  except: z
    .array(z.string().min(1))
    .optional()
    .describe("Paths that the rule leaves alone, with * for any run of characters: `[pages.draft*]`."),
};

/** What a rule takes, as a map. */
export function settingsOf(options: z.ZodObject): z.ZodObject {
  return z.strictObject({ ...common, ...options.shape });
}

export function readLint(declared: readonly Declared[], diagnostics: Diagnostics): LintSettings {
  const settings = new Map<string, RuleSettings>();
  for (const one of declared) {
    const read = readRule(one, diagnostics);
    if (read !== undefined) settings.set(one.key, read);
  }
  return settings;
}

function readRule({ reader, key, keyPlace, value }: Declared, diagnostics: Diagnostics): RuleSettings | undefined {
  const path = below("lint", key);
  const rule = rules.find(({ id }) => id === key);
  if (rule === undefined) {
    const message = `lint has no rule "${key}"${didYouMean(key, ruleIds)}`;
    diagnostics.error("unknown-property", keyPlace, message, { path, hint: `Rules: ${ruleIds.join(", ")}.` });
    return undefined;
  }
  const given = reader.json(value, path);
  const schema = settingsOf(rule.options);
  const { data, error } = schema.safeParse(isJsonMap(given) ? given : { level: levelIn(given) }, {
    error: inputWording,
  });
  for (const issue of error?.issues ?? []) {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
    const steps = [...issue.path, ...(unknown === undefined ? [] : [unknown])].map(String);
    const place = placeAt(reader, value, isJsonMap(given) ? steps : []) ?? keyPlace;
    const about = isJsonMap(given) ? steps.reduce(below, path) : path;
    const message =
      unknown === undefined
        ? `${about} ${issue.message}`
        : `${path} takes no "${unknown}"${didYouMean(unknown, Object.keys(schema.shape))}`;
    diagnostics.error(unknown === undefined ? "invalid-value" : "unknown-property", place, message, {
      path: about,
      hint: `It takes ${levels.join(", ")}, or a map of ${Object.keys(schema.shape).join(", ")}.`,
    });
  }
  if (data === undefined) return undefined;
  const { level, except = [], ...options } = data as Pick<RuleSettings, "level"> & { except?: string[] } & JsonMap;
  return { level, except, options };
}

/** YAML 1.1 reads `off` as false, and people write it. */
function levelIn(given: Json): Json {
  return given === false ? "off" : given;
}

/** Where a value below a node stands. */
function placeAt(reader: Reader, node: Node | null, steps: readonly string[]): Place | undefined {
  const real = reader.follow(node);
  const [step, ...rest] = steps;
  if (step === undefined) return real?.range ? reader.place(real) : undefined;
  if (isMap(real)) {
    const entry = reader.entries(real).find(({ key }) => key === step);
    return entry && (placeAt(reader, entry.value, rest) ?? entry.keyPlace);
  }
  if (isSeq(real)) return placeAt(reader, (real.items[Number(step)] ?? null) as Node | null, rest);
  return isScalar(real) ? reader.place(real) : undefined;
}
