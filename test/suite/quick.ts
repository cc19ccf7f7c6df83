/**
 * What the quick part keeps of the files whose tests start many processes, or repeat on a whole command what is shown closer
 * to its cause. A file that is not here is kept whole.
 */
export const NOTHING = /^\b$/;

export const KEPT: Readonly<Record<string, RegExp>> = {
  "test/browser/delay": NOTHING,
  "test/browser/funnel": /story to the form/,
  "test/browser/pages": /content is text/,
  "test/browser/preview": NOTHING,
  "test/browser/report": NOTHING,
  "test/browser/verify": NOTHING,
  "test/cli/accounts": /each provider/,
  "test/cli/adopt": NOTHING,
  "test/cli/adoption": NOTHING,
  "test/cli/declared": /funnel\.yaml|accounts\.yaml|what is wrong/,
  "test/cli/commands": /init makes a|validate|completion|help of the whole|none of its commands/,
  "test/ci/files": /asks for no more|a fork's/,
  "test/ci/preview": NOTHING,
  "test/ci/ci": /told in one comment/,
  "test/cli/counts": /an up that fails/,
  "test/cli/exit-codes": NOTHING,
  "test/cli/files-and-pipes": /a share of more/,
  "test/cli/drift-write": NOTHING,
  "test/cli/init": /keeps what it has|before anything is written|joining files/,
  "test/cli/interrupt": NOTHING,
  "test/cli/keys": NOTHING,
  "test/cli/lifecycle": /first preview|without anybody|up applies|a changed key/,
  "test/cli/mentions": NOTHING,
  "test/cli/missing-stack": /no stack yet/,
  "test/cli/no-use": NOTHING,
  "test/cli/perhaps": NOTHING,
  "test/cli/preflight-accounts": /each account is asked/,
  "test/cli/preflight": /unknown templates/,
  "test/cli/random-programs": NOTHING,
  "test/cli/release": NOTHING,
  "test/cli/refusals": /without a project|no command|no address|a locked stack/,
  "test/cli/stacks": /stack ls/,
  "test/cli/steady": NOTHING,
  "test/cli/stowaways": NOTHING,
  "test/cli/targets": /only the resource/,
  "test/cli/touches": NOTHING,
  "test/cli/verify": NOTHING,
  "test/cli/undo": NOTHING,
  "test/cli/watch": NOTHING,
  "test/docs/readme": /language|type errors|YAML funnel/,
  "test/engine-state/crash": NOTHING,
  "test/engine/handed-down": /children take/,
  "test/engine/kill": NOTHING,
  "test/engine/lifecycle": /field by field|dependents first|lets what is under way/,
  "test/engine/options": /without a call|only the targets|a reviewed plan/,
  "test/engine/planning": /an empty state|from any program/,
  "test/engine/programs": /bring functions|that throws|by itself in the middle|Node's own type stripping/,
  "test/engine/scale": NOTHING,
  "test/engine/silence": NOTHING,
  "test/engine/failures": /nothing new begins|a check failure/,
  "test/engine/up": /creates what the program|updates, leaves alone|created first|protect refuses/,
  "test/sources/where": NOTHING,
  "test/examples/examples": /README|quickstart/,
  "test/faults/killed-commands": NOTHING,
  "test/env/adopted": NOTHING,
  "test/env/engines": NOTHING,
  "test/env/gc": /verdicts|branches of a remote/,
  "test/env/up-and-down": /up makes copies/,
  "test/export/adoption": /demo account/,
  "test/export/command": NOTHING,
  "test/export/copy": NOTHING,
  "test/export/large": NOTHING,
  "test/export/round-trip": NOTHING,
  "test/walk/found": /others still use|made anew, the site stays|for the new one after a refresh|is no drift/,
  "test/manifest/register": /are the same stack|values from outside/,
  "test/package/pack": NOTHING,
  "test/provider/bulk": /creation costs one look|first refresh after it|an edited page has/,
  "test/provider/exactly-once":
    /is found again|connection broke|after the commit|our record names|without a record|429|namesakes/,
  "test/provider/partial": /killed at each/,
  "test/pulumi/basics": NOTHING,
  "test/undo/random": NOTHING,
  "test/provider/shapes": /create, refresh|that does not exist|stands in/,
  "test/provider/paths":
    /swap|free one another|makes way for a new|somebody else stays|puts the old page back|is held back/,
  "test/provider/programs": /an upgrade/,
};

export const partialFiles: readonly string[] = Object.keys(KEPT).map((file) => `${file}.test.ts`);

/** `file` from the root of the repository, with forward slashes. */
export function isKept(file: string, test: string): boolean {
  const kept = KEPT[file.replace(/\.test\.ts$/, "")];
  return kept === undefined || kept.test(test);
}
