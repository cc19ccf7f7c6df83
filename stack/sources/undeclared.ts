/** Texts of the account that no program of this stack declares: reads alone, and as many as `landform preview` reads. */
import type { LandformApi } from "../../provider/api/index.ts";
import type { PropertyPath } from "../../engine/index.ts";
import type { MentionsLook } from "../report/going-live.ts";
import { readAccount } from "../mentions/account.ts";
import { rankOf } from "./matching.ts";

export interface UndeclaredText {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly editUrl?: string;
  readonly path: PropertyPath;
  readonly text: string;
  readonly rank: number;
}

export interface Undeclared {
  readonly texts: UndeclaredText[];
  readonly looks: readonly MentionsLook[];
}

/** `isDeclared`: that the stack says what stands there. */
export async function findUndeclared(
  api: LandformApi,
  wanted: string,
  isDeclared: (id: string, path: PropertyPath) => boolean,
): Promise<Undeclared> {
  const { objects, looks } = await readAccount(api);
  const texts = objects.flatMap(({ about, value }) =>
    textsIn(value, []).flatMap(({ path, text }): UndeclaredText[] => {
      const rank = rankOf(text, wanted);
      return rank === undefined || isDeclared(about.id, path) ? [] : [{ ...about, path, text, rank }];
    }),
  );
  return { texts: texts.sort((a, b) => a.rank - b.rank), looks };
}

function textsIn(value: unknown, path: PropertyPath): { path: PropertyPath; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
}
