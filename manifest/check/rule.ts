/** What a rule of lint is: data about it, and a pure function from what the manifest declares to what it finds there. */
import { z } from "zod";
import type { Spot, Level } from "../declare/model.ts";
import type { Place } from "../source/file.ts";
import type { Subject } from "./subject.ts";

export interface Finding {
  readonly at: Spot;
  readonly message: string;
  readonly hint?: string;
  readonly related?: readonly { readonly place: Place; readonly message: string }[];
}

export interface Rule {
  readonly id: string;
  /** What it finds, in a line. */
  readonly about: string;
  /** Where the manifest says nothing. */
  readonly level: Level;
  /** What it takes beyond its level. */
  readonly options: z.ZodObject;
  /** `options`: as the manifest has them. */
  check(subject: Subject, options: unknown): Iterable<Finding>;
}

interface Definition<Shape extends z.ZodRawShape> {
  readonly id: string;
  readonly about: string;
  readonly level: Level;
  readonly options?: Shape;
  check(subject: Subject, options: z.output<z.ZodObject<Shape>>): Iterable<Finding>;
}

export function defineRule<const Shape extends z.ZodRawShape>(rule: Definition<Shape>): Rule {
  const { id, about, level } = rule;
  const options = z.object((rule.options ?? {}) as Shape);
  return { id, about, level, options, check: (subject, given) => rule.check(subject, options.parse(given)) };
}
