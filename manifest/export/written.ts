/** What an export has to write, before anything of it is. */
export interface Written {
  /** Texts by path relative to the folder; only of files that change. */
  readonly files: ReadonlyMap<string, string>;
  /** Files that are written only where there are none. */
  readonly standIns: ReadonlySet<string>;
  readonly added: readonly string[];
  readonly updated: readonly string[];
  /** Entries whose object the account no longer has: they adopt nothing any more. */
  readonly gone: readonly string[];
  /** What differs from the account and is left as declared. */
  readonly kept: readonly string[];
  /** What the code has changed since the last run: it stands there already. */
  readonly ahead: readonly string[];
}
