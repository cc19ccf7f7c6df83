/** The allowed content of an account after a run that met a fault and a run that didn't. */
import type { Emulator } from "../../emulator/index.ts";

export type Account = Record<string, { id: string }[]>;

const MARKER = /lf-[0-9a-f]{8}/i;
const MARKERS = /lf-[0-9a-f]{8}(-[0-9a-z]+)*/gi;
const OWNED = ["projects", "sites", "pages", "documents", "quizzes", "funnels", "products", "hooks", "videos"];

/** Returns the account without ids and dates, so that equal contents are equal. */
export const contents = (account: Account): Record<string, string[]> =>
  Object.fromEntries(
    OWNED.map((kind) => [kind, (account[kind] ?? []).map((record) => neutral(JSON.stringify(record))).sort()]),
  );

function neutral(text: string): string {
  return text
    .replaceAll(MARKERS, "MARKER")
    .replaceAll(/\b([a-z]+)_[0-9a-v]{16}\b/g, "$1_ID")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "DATE");
}

export interface Evidence {
  readonly emulator: Emulator;
  /** The account before the stack existed. */
  readonly before: Account;
  /** The object in it that the stack may adopt. */
  readonly adopted?: string;
  /** The content that the same programs leave without faults. */
  readonly expected: Record<string, string[]>;
  /** Everything that was reported or recorded. */
  readonly told: string;
  readonly key: string;
}

/** Returns the problems, one line each. */
export function faultsIn({ emulator, before, adopted, expected, told, key }: Evidence): string[] {
  const account = emulator.records();
  const actual = contents(account);
  const wrong = OWNED.flatMap((kind) => differences(kind, expected[kind] ?? [], actual[kind] ?? []));
  for (const [kind, records] of Object.entries(before)) {
    if (!OWNED.includes(kind) || kind === "videos") continue;
    for (const record of records.filter(({ id }) => id !== adopted)) {
      const now = (account[kind] ?? []).find(({ id }) => id === record.id);
      if (JSON.stringify(now) !== JSON.stringify(record))
        wrong.push(`${kind}: took or changed ${record.id}, which is another's`);
    }
  }
  const marked = Object.entries(changeable(account)).filter(([, records]) => MARKER.test(JSON.stringify(records)));
  if (marked.length > 0) wrong.push(`a marker was left in the account: ${marked.map(([kind]) => kind).join(", ")}`);
  if (told.includes(key)) wrong.push("the key was told");
  return wrong;
}

/** Leaves out copies of a name that no call changes: a product's handle, and the slug of a draft, which has no address. */
function changeable(account: Account): Account {
  const { products = [], pages = [], ...rest } = account as Record<string, { id: string; status?: string }[]>;
  return {
    ...rest,
    products: products.map((product) => ({ ...product, handle: null })),
    pages: pages.map((page) => (page.status === "published" ? page : { ...page, slug: null })),
  };
}

function differences(kind: string, expected: readonly string[], actual: readonly string[]): string[] {
  const rest = [...actual];
  const missing = expected.filter((one) => {
    const at = rest.indexOf(one);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map((one) => `${kind}: missing ${one.slice(0, 400)}`),
    ...rest.map((one) => `${kind}: too much ${one.slice(0, 400)}`),
  ];
}
