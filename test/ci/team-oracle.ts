/** The right result of a job that applies a reviewed plan, from values alone and independent of how plans are stored. Pure. */

/** The declared fields of each resource (`Page offer`), by their paths. */
export type Code = Record<string, Record<string, string | number>>;

export interface Edit {
  readonly resource: string;
  /** Undefined if the whole resource goes. */
  readonly fields?: Readonly<Record<string, string | number>>;
}

export interface World {
  /** True if each job first reads what exists. */
  readonly refreshes: boolean;
  /** The state that the last run left. */
  state: Code;
  live: Code;
}

/** The values at the time of the plan. */
export interface Plan {
  readonly code: Code;
  readonly state: Code;
  readonly live: Code;
}

export function edited(code: Code, edits: readonly Edit[]): Code {
  const made = structuredClone(code);
  for (const { resource, fields } of edits) {
    if (fields === undefined) Reflect.deleteProperty(made, resource);
    // A resource that another request took away stays away, unless this one declares the whole of it.
    else if (made[resource] !== undefined || Object.keys(fields).length === SIZES[resource.split(" ")[0] ?? ""])
      made[resource] = { ...made[resource], ...fields };
  }
  return made;
}

/** Tells if a job would do nothing. */
export function isIdle({ refreshes, state, live }: World, code: Code): boolean {
  const now = refreshes ? live : state;
  return [...Object.keys(now), ...Object.keys(code)].every((one) => change(now[one], code[one]).op === "none");
}

/** The number of declared fields by kind. */
const SIZES: Readonly<Record<string, number>> = { Page: 3, Product: 1 };

/** Returns the words that a refusal has to contain; none if the plan holds. */
export function conflictsOf({ refreshes, state, live }: World, plan: Plan, code: Code): string[] {
  const [then, now] = refreshes ? [plan.live, live] : [plan.state, state];
  const resources = new Set([then, now, plan.code, code, state].flatMap((one) => Object.keys(one)));
  const found = [...resources].flatMap((resource) => {
    const reviewed = change(then[resource], plan.code[resource]);
    const today = change(now[resource], code[resource]);
    return againstReview(resource, reviewed, today, state[resource]);
  });
  if (found.length > 0) return found;
  return [...resources].flatMap((resource) => {
    const today = change(now[resource], code[resource]);
    const left = state[resource];
    return byHand(resource, today, { shown: refreshes ? plan.live[resource] : left, left, live: live[resource] });
  });
}

/** Returns the resources that somebody deleted: without a read, no plan contains them. */
export function goneIn({ refreshes, state, live }: World, code: Code): string[] {
  if (refreshes) return [];
  return Object.keys(code).filter(
    (resource) => live[resource] === undefined && change(state[resource], code[resource]).op === "update",
  );
}

type Fields = Readonly<Record<string, string | number>> | undefined;

interface Change {
  readonly op: "create" | "update" | "delete" | "none";
  readonly fields: Readonly<Record<string, { old: string | number | undefined; new: string | number | undefined }>>;
}

function change(from: Fields, to: Fields): Change {
  if (to === undefined) return { op: from === undefined ? "none" : "delete", fields: {} };
  const differ = Object.keys(to).filter((path) => from?.[path] !== to[path]);
  const fields = Object.fromEntries(differ.map((path) => [path, { old: from?.[path], new: to[path] }]));
  return { op: from === undefined ? "create" : differ.length === 0 ? "none" : "update", fields };
}

function againstReview(resource: string, reviewed: Change, today: Change, state: Fields): string[] {
  if (today.op === "none") return isThere(reviewed, state) ? [] : [resource];
  if (today.op !== reviewed.op) return [resource];
  const isOther = (path: string): boolean => {
    const [was, is] = [reviewed.fields[path], today.fields[path]];
    if (is === undefined) return state?.[path] !== was?.new;
    return was === undefined || was.new !== is.new || (today.op === "update" && was.old !== is.old);
  };
  const paths = new Set([...Object.keys(reviewed.fields), ...Object.keys(today.fields)]);
  return [...paths].filter(isOther).map((path) => `${resource}: ${path}`);
}

function isThere({ op, fields }: Change, state: Fields): boolean {
  if (op === "none") return true;
  if (op === "delete") return state === undefined;
  return state !== undefined && Object.entries(fields).every(([path, field]) => state[path] === field.new);
}

/**
 * Returns the values that the plan changes or takes away, and that somebody has changed since the plan. A value that the last run left there came
 * from another request, which was reviewed, too.
 */
function byHand(resource: string, today: Change, { shown, left, live }: Record<"shown" | "left" | "live", Fields>) {
  if (today.op === "none" || today.op === "create") return [];
  if (live === undefined) return today.op === "delete" ? [] : [resource];
  const paths = today.op === "delete" ? Object.keys(live) : Object.keys(today.fields);
  const isEdited = (path: string): boolean => live[path] !== shown?.[path] && live[path] !== left?.[path];
  return paths.filter(isEdited).map((path) => `${resource}: ${path}`);
}
