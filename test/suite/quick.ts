/**
 * What the quick part keeps of the files whose tests start many processes, or repeat on a whole command what is shown closer
 * to its cause. A file that is not here is kept whole.
 */
export const NOTHING = /^\b$/;

export const KEPT: Readonly<Record<string, RegExp>> = {
  "test/browser/delay": NOTHING,
  "test/browser/funnel": /story to the form/,
  "test/browser/pages": /content is text/,
  "test/browser/verify": NOTHING,
  "test/cli/accounts": /comes before all/,
  "test/cli/adopt": /a lost state/,
  "test/cli/commands": /init makes a|validate|completion|help of the whole|none of its commands/,
  "test/cli/counts": /an up that fails/,
  "test/cli/files-and-pipes": /slowly|a share of more/,
  "test/cli/init": /keeps what it has|before anything is written|joining files/,
  "test/cli/interrupt": /^once|twice/,
  "test/cli/keys": /keys of a template/,
  "test/cli/kill": NOTHING,
  "test/cli/lifecycle": /first preview|without anybody|up applies|a changed key/,
  "test/cli/mentions": NOTHING,
  "test/cli/missing-stack": /no stack yet/,
  "test/cli/perhaps": NOTHING,
  "test/cli/random-programs": NOTHING,
  "test/cli/refusals": /without a project|no command|no address|too many deletions|a locked stack/,
  "test/cli/stacks": /output: all|stack ls/,
  "test/cli/targets": /only the resource/,
  "test/cli/touches": NOTHING,
  "test/cli/verify": NOTHING,
  "test/cli/watch": /saves reach/,
  "test/docs/readme": /language|type errors|YAML funnel/,
  "test/engine-state/crash": NOTHING,
  "test/engine/handed-down": /children take/,
  "test/engine/kill": NOTHING,
  "test/engine/lifecycle": /field by field|dependents first|lets what is under way|last lines/,
  "test/engine/options": /without a call|only the targets|a reviewed plan/,
  "test/engine/planning": /an empty state|from any program/,
  "test/engine/programs": /bring functions|that throws|by itself in the middle|Node's own type stripping/,
  "test/engine/scale": NOTHING,
  "test/engine/up":
    /creates what the program|updates, leaves alone|a no-op|created first|protect refuses|secrets stay|did not come up|nothing new begins|a check failure/,
  "test/examples/examples": /README|quickstart/,
  "test/export/adoption": /demo account/,
  "test/export/command": NOTHING,
  "test/export/copy": /in another account without/,
  "test/export/large": NOTHING,
  "test/export/round-trip": NOTHING,
};

export const partialFiles: readonly string[] = Object.keys(KEPT).map((file) => `${file}.test.ts`);

/** `file` from the root of the repository, with forward slashes. */
export function isKept(file: string, test: string): boolean {
  const kept = KEPT[file.replace(/\.test\.ts$/, "")];
  return kept === undefined || kept.test(test);
}
