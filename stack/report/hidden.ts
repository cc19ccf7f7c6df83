/** What has changed of values that are secret: engines show a mark of each, and the provider's host tells which differ. Pure. */
import { isRecord, type Json, type PropertyMap, type PropertyPath } from "../../engine/index.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { SECRET, type Field } from "./model.ts";
import { shown } from "./values.ts";

interface Moved {
  readonly type: string;
  readonly id: string;
  /** `code`: by what the program says now. `app`: since the last run, by somebody. */
  readonly by: "code" | "app";
}

/** Those that `fields` don't tell already, and that both sides show as a mark. */
export function hiddenIn(
  { type, id, by }: Moved,
  notices: readonly Notice[],
  [then, now]: readonly [PropertyMap, PropertyMap],
  fields: readonly Pick<Field, "path">[],
): PropertyPath[] {
  const kind = definitionOf(type)?.kind;
  const paths = notices.flatMap((notice) =>
    notice.code === "moved" && notice.by === by && notice.id === id && notice.kind === kind ? notice.paths : [],
  );
  // A plan is made twice where its first one tells of other names.
  const once = new Map(paths.map((path) => [path.join("\0"), path]));
  return [...once.values()].filter(
    (path) =>
      !fields.some((field) => isWithin(field.path, path) || isWithin(path, field.path)) &&
      [then, now].every((side) => isHidden(valueAt(side, path))),
  );
}

export function hiddenField(path: PropertyPath): Field {
  return { path, kind: "update", old: SECRET, new: SECRET };
}

export function isWithin(inner: PropertyPath, outer: PropertyPath): boolean {
  return outer.every((key, place) => inner[place] === key);
}

/** What is secret as a whole shows nothing of what is in it. */
export function valueAt(map: PropertyMap, path: PropertyPath): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, key) => (isRecord(here) ? here[key] : here === SECRET ? here : undefined),
    shown(map),
  );
}

export function isHidden(value: Json | undefined): boolean {
  return value !== undefined && JSON.stringify(value).includes(SECRET);
}
