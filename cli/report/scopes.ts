/** What the key must be allowed to do for a plan. The scopes of each call are in the client's table of operations. */
import { operations, type OperationName } from "../../provider/api/index.ts";
import type { Change, ChangeOp } from "./model.ts";

type Calls = Partial<Record<ChangeOp, readonly OperationName[]>>;

const page: Calls = {
  create: ["searchPages", "createPage", "updatePageMetadata"],
  adopt: ["readPage", "updatePageMetadata"],
  update: ["readPage", "updatePageMetadata"],
  delete: ["readPage", "deletePage"],
};

/** The calls that each kind can't do without. */
const calls: Readonly<Record<string, Calls>> = {
  Project: {
    create: ["searchProjects", "createProject", "updateProject"],
    adopt: ["readProject", "updateProject"],
    update: ["updateProject"],
    delete: ["deleteProject"],
  },
  Site: { create: ["searchSites", "createSite"], adopt: ["readSite"] },
  Page: page,
  Quiz: page,
  Funnel: {
    create: ["listFunnels", "createFunnel", "updateFunnel"],
    adopt: ["readFunnel", "updateFunnel"],
    update: ["updateFunnel"],
    delete: ["updateFunnel"],
  },
  Product: {
    create: ["searchProducts", "createProduct", "updateProduct"],
    adopt: ["readProduct", "updateProduct"],
    update: ["updateProduct"],
    delete: ["deleteProduct"],
  },
  VideoPlayer: { create: ["readVideo", "updateVideo"], adopt: ["readVideo", "updateVideo"], update: ["updateVideo"] },
};

/** Sorted; where any one of several scopes will do and none is needed anyway, they are joined by ` or `. */
export function scopesFor(changes: readonly Change[]): string[] {
  const wanted = changes.flatMap(alternativesFor);
  const certain = new Set(wanted.flatMap((scopes) => (scopes.length === 1 ? scopes : [])));
  const open = wanted.filter((scopes) => scopes.length > 1 && !scopes.some((scope) => certain.has(scope)));
  return [...new Set([...certain, ...open.map((scopes) => scopes.join(" or "))])].sort();
}

function alternativesFor(change: Change): (readonly string[])[] {
  if (change.type === "Hook") return [hookScopes(change)];
  const kind = calls[change.type] ?? {};
  const ops: ChangeOp[] = change.op === "replace" ? ["create", "delete"] : [change.op];
  const names = ops.flatMap((op) => kind[op] ?? []);
  const publishes = change.fields.some(({ path }) => path[0] === "publish") || change.url !== undefined;
  const all = publishes && change.op !== "delete" ? [...names, "validatePage" as const, "publishPage" as const] : names;
  return all.map((name) => operations[name].scopes);
}

/** A subscription needs to read what its events are about: `page.published` wants pages:read. */
function hookScopes({ fields }: Change): readonly string[] {
  const event = fields.find(({ path }) => path[0] === "eventType")?.new;
  const subject = typeof event === "string" ? /(lead|page|product|funnel|site|project)/.exec(event)?.[1] : undefined;
  return subject === undefined ? operations.createHook.scopes : [`${subject}s:read`];
}
