/** What a program that is a preview of itself says. */
import type { SlugStyle } from "../preview/names.ts";

export interface PreviewArgs {
  /** Of the environment, before its paths and names. Default: the stack's name. */
  readonly name?: string;
  /** The stack that is previewed. Default: the only one that is no preview. */
  readonly base?: string;
  /** Id or name of the site that its pages are published on. Default: the base's own. */
  readonly site?: string;
  /** Id or name of the project that it uses. Default: the base's own. */
  readonly project?: string;
  /** How the prefix stands before a path. Default: path. */
  readonly slugStyle?: SlugStyle;
  /** Make subscriptions, too. */
  readonly hooks?: boolean;
  /** Publish nothing. */
  readonly drafts?: boolean;
  /** Make pages as copies of the base's own. */
  readonly seed?: boolean;
  /** Days until it expires. Default: 14. */
  readonly ttlDays?: number;
  /** What it is of, for its record and for whoever takes away what is closed. Default: by its name (`pr-12`), and what git and the CI say. */
  readonly pr?: number;
  readonly branch?: string;
  readonly commit?: string;
}
