/** The units for one language, with what a translator has to know of each. Pure. */
import type { Manifest } from "../declare/model.ts";
import type { Place } from "../source/file.ts";
import type { CopyRecord } from "./record.ts";
import { staleIn, type Translation } from "./translations.ts";
import { fitsXml, type Unit } from "../data/xliff-write.ts";
import { limitsBy } from "../language/patterns.ts";

export function unitsOf(manifest: Manifest, translations: readonly Translation[], record: CopyRecord): Unit[] {
  const limit = limitsBy(limitsIn(manifest));
  const stale = new Set(staleIn(translations, record));
  return translations.map((one) => ({
    of: one.home.name,
    key: one.key,
    source: one.source.text,
    target: one.target?.text,
    unfinished: stale.has(one),
    limit: limit(one.key),
    address: addressOf(one),
    note: noteAt(one.source.place),
  }));
}

/** What XML can't hold. */
export function unfitIn(translations: readonly Translation[]): Translation[] {
  return translations.filter(
    ({ key, source, target }) => !fitsXml(key) || !fitsXml(source.text) || !fitsXml(target?.text ?? ""),
  );
}

function limitsIn({ lint }: Manifest): Readonly<Record<string, number>> {
  const limits = lint.get("too-long")?.options["limits"];
  return (limits ?? {}) as Readonly<Record<string, number>>;
}

/** The page that shows it, and the path there. */
function addressOf({ entry }: Translation): string {
  const publish = entry.inputs["publish"];
  const slug: unknown = typeof publish === "object" && publish !== null ? Reflect.get(publish, "slug") : undefined;
  return typeof slug === "string" ? `${entry.address} /${slug.replace(/^\/+/, "")}` : entry.address;
}

/** Comments of YAML right above a text are for whoever translates it. */
function noteAt({ file, start }: Place): string | undefined {
  if (!/\.ya?ml$/i.test(file.path)) return undefined;
  const lines = file.text.slice(0, start).split(/\r?\n/).slice(0, -1);
  const notes: string[] = [];
  for (let line = lines.pop()?.trim(); line?.startsWith("#") === true; line = lines.pop()?.trim())
    notes.unshift(line.replace(/^#+\s?/, ""));
  const told = notes.filter((note) => !/^(?:lint-off\b|yaml-language-server:)/.test(note));
  return told.length === 0 ? undefined : told.join("\n");
}
