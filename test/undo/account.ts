/** An account's content without the parts that no undo can restore: ids, dates, and the names that a deletion leaves. */
import type { Recorded } from "../walk/desk.ts";
import type { Emulator } from "../../emulator/index.ts";
import { inTheApp, textsInApp } from "../suite/app.ts";

type Row = Record<string, unknown> & { id: string; name: string };

export async function accountOf(world: { readonly emulator: Emulator }): Promise<unknown> {
  const rows = async (path: string) => (await inTheApp<unknown>(world, "GET", path)) as Row[];
  const [pages, products, funnels, projects] = await Promise.all(
    ["/pages?limit=100", "/products?limit=100", "/funnels?limit=100", "/projects?limit=100"].map(rows),
  );
  const names = new Map([...(pages ?? []), ...(projects ?? [])].map(({ id, name }) => [id, `<${name}>`]));
  const held = await Promise.all(
    (pages ?? []).map(async (page) => ({ ...page, content: await textsInApp(world, page.id) })),
  );
  const standing = (funnels ?? []).filter(({ name }) => !name.includes("[retired"));
  return named(sorted({ pages: held, products, funnels: standing, projects }), names);
}

/** Returns the inputs and outputs of the state in the same way. */
export function stateOf(states: readonly Recorded[]): unknown {
  const names = new Map(states.map(({ id, urn }) => [id, `<${urn.split("::").at(-1) ?? ""}>`]));
  const own = states.map(({ urn, inputs, outputs }) => ({ urn, inputs, outputs: withoutNotes(outputs) }));
  return named(
    own.sort((a, b) => a.urn.localeCompare(b.urn)),
    names,
  );
}

/**
 * Returns the declared outputs. Others are as the last write or read showed them. For a page that was made anew, its unedited fields give the texts
 * that it renders from.
 */
export function declaredState(states: readonly Recorded[]): unknown {
  const own = states.map((state) => {
    const { __declared, ...outputs } = state.outputs;
    const { fields } = (__declared ?? {}) as { fields?: unknown };
    const { declared = "" } = (outputs["__landform"] ?? {}) as { declared?: string };
    const kept = Object.entries(outputs).filter(([name]) => declared.split(" ").includes(name) || SHOWN.has(name));
    const aside = fields === undefined ? {} : { __declared: { fields } };
    return { ...state, outputs: { ...Object.fromEntries(kept), ...aside } };
  });
  return stateOf(own as Recorded[]);
}

const SHOWN = new Set(["pageName", "status", "slug", "url", "domain", "steps"]);

/** Leaves out the digests and the date of the last publication, because the digests depend on the page's id. */
function withoutNotes({ __declared, __landform, ...outputs }: Record<string, unknown>): unknown {
  const { digests, unread, ...meta } = (__landform ?? {}) as Record<string, unknown>;
  const { notes, ...aside } = (__declared ?? {}) as { notes?: Record<string, unknown> };
  const { shipped, ...others } = notes ?? {};
  const kept = { ...aside, ...(Object.keys(others).length > 0 && { notes: others }) };
  return { ...outputs, __landform: meta, ...(Object.keys(kept).length > 0 && { __declared: kept }) };
}

const PASSING = /(_at|At|edit_?url|^id|^bundle_item)$/i;

function named(value: unknown, names: ReadonlyMap<string, string>): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => {
      if (PASSING.test(key)) return undefined;
      // The API can't make it null again.
      if (inner === "") return null;
      if (key === "declared" && typeof inner === "string") return inner.split(" ").sort();
      if (typeof inner !== "string") return inner;
      return [...names].reduce((text, [id, name]) => (id === "" ? text : text.replaceAll(id, name)), inner);
    }),
  );
}

function sorted(all: Record<string, unknown>): unknown {
  const byName = (rows: unknown): unknown =>
    Array.isArray(rows) ? [...(rows as Row[])].sort((a, b) => a.name.localeCompare(b.name)) : rows;
  return Object.fromEntries(Object.entries(all).map(([kind, rows]) => [kind, byName(rows)]));
}
