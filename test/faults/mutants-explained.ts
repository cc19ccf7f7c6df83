/** Changes of the code that no test notices, with the reason why that is right: the code and its mutation, on one line each. */
export interface Explained {
  readonly file: string;
  readonly original: string;
  /** Undefined means every replacement. */
  readonly replacement?: string;
  readonly why: string;
}

const NO_STATUS =
  "Other kinds of trouble have no status and no Retry-After: the type check knows, and the change changes nothing.";

export const EXPLAINED: readonly Explained[] = [
  { file: "provider/api/failure.ts", original: 'trouble.kind === "status"', replacement: "true", why: NO_STATUS },
  {
    file: "provider/api/failure.ts",
    original: '""',
    replacement: '"Stryker was here!"',
    why: "Stands in for a header that is not there; neither is a number or a date.",
  },
  {
    file: "provider/api/failure.ts",
    original: '"final"',
    replacement: '""',
    why: "The case falls through to the end, where undefined is as false as false.",
  },
  {
    file: "provider/api/public-hosts.ts",
    original: "/^\\[|\\]$/g",
    why: "The host of a URL has brackets around an IPv6 address and nowhere else; its parser refuses all others.",
  },
  {
    file: "provider/api/public-hosts.ts",
    original: '""',
    why: "Stands in for an authority that is always there: the line before has seen https:// and a host.",
  },
  {
    file: "provider/api/public-hosts.ts",
    original: "/^https:\\/\\/([^/?#\\\\]*)/i.exec(target)?.[1]",
    why: "It always matches: the line before has seen https:// and a host.",
  },
  {
    file: "provider/api/public-hosts.ts",
    original: "/^https:\\/\\/([^/?#\\\\]*)/i",
    why: "The line before has seen that the text begins so; the first match is there.",
  },
  {
    file: "stack/report/redact.ts",
    original: "[]",
    replacement: '["Stryker was here"]',
    why: "A secret that nobody has.",
  },
  {
    file: "provider/reconcile/diff.ts",
    original: "then !== undefined",
    replacement: "true",
    why: "Beside what was never declared nothing is less: an input that is there neither then nor now is no change either way.",
  },
  {
    file: "provider/reconcile/diff.ts",
    original: "live === undefined",
    replacement: "false",
    why: "What nothing shows is measured by what was sent last, and the line before has seen that this is not what is declared now.",
  },
  {
    file: "provider/account/removal.ts",
    original: '""',
    why: "Stands in for a doubt that is always there: where there is none the object is gone, and the look is at its end.",
  },
  {
    file: "provider/reconcile/create.ts",
    original: '""',
    why: "Stands in for an id that a created object always has.",
  },
  {
    file: "provider/ledger/identity.ts",
    original: '""',
    why: "Stands in for a part of a URN or an identity that is always there, or for no name: no marker is in either.",
  },
  {
    file: "provider/ledger/identity.ts",
    original: "/^urn:pulumi:/",
    replacement: "/urn:pulumi:/",
    why: "Every URN begins so, and the first of them is what is taken away.",
  },
  {
    file: "provider/ledger/identity.ts",
    original: 'MARKER.exec(name ?? "")?.[1]?.toLowerCase',
    replacement: 'MARKER.exec(name ?? "")?.[1].toLowerCase',
    why: "What matches has a marker in it: the group is not optional.",
  },
  {
    file: "provider/ledger/identity.ts",
    original: 'name.normalize("NFKC").toLowerCase()',
    replacement: 'name.normalize("NFKC").toUpperCase()',
    why: "Both names that are compared are folded alike, to either case; they differ for letters such as ß alone, and none of the two is asked for there.",
  },
  {
    file: "provider/reconcile/leftovers.ts",
    original: '""',
    why: "Stands in for an identity or a name that nobody has.",
  },
  {
    file: "provider/reconcile/leftovers.ts",
    original: "[]",
    why: "A text in the place of a name, an id or a row is nobody's name and no object's id.",
  },
  {
    file: "provider/reconcile/marked-objects.ts",
    original: "[]",
    why: "A row without a name bears nobody's marker.",
  },
  {
    file: "provider/reconcile/marked-objects.ts",
    original: '""',
    replacement: '"Stryker was here!"',
    why: "Stands in for no name: neither text bears a marker.",
  },
  {
    file: "provider/reconcile/marked-objects.ts",
    original: "name === undefined",
    replacement: "false",
    why: "No name bears a marker: the other half says it already.",
  },
  {
    file: "provider/reconcile/creation.ts",
    original: "note === undefined",
    replacement: "false",
    why: "No note can't be unsealed, and what can't be unsealed tells nothing.",
  },
  {
    file: "provider/account/presence.ts",
    original: '""',
    replacement: '"Stryker was here!"',
    why: "Neither no word nor this one is a number.",
  },
  {
    file: "provider/reconcile/creation.ts",
    original: "id === undefined",
    replacement: "false",
    why: "Nothing is ever noted of an object without an id, so the record answers with no note either; the type check knows.",
  },
];
