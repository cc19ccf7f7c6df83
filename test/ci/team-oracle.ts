/** What a job that applies a reviewed plan has to come to: from values alone, without a word of how a plan is kept. Pure. */

/** By resource (`Page offer`), its declared fields by their paths. */
export type Code = Record<string, Record<string, string | number>>;

export interface Edit {
  readonly resource: string;
  /** Undefined: the whole resource, which goes. */
  readonly fields?: Readonly<Record<string, string | number>>;
}

export interface World {
  /** Each job looks at what exists first. */
  readonly refreshes: boolean;
  /** What the last run has left. */
  state: Code;
  live: Code;
}

/** What there was when it was made. */
export interface Plan {
  readonly code: Code;
  readonly state: Code;
  readonly live: Code;
}

export function edited(code: Code, edits: readonly Edit[]): Code {
  const made = structuredClone(code);
  for (const { resource, fields } of edits) {
    if (fields === undefined) Reflect.deleteProperty(made, resource);
    // What another request has taken away stays away, but for one that declares the whole of it.
    else if (made[resource] !== undefined || Object.keys(fields).length === SIZES[resource.split(" ")[0] ?? ""])
      made[resource] = { ...made[resource], ...fields };
  }
  return made;
}

/** Whether a job would do anything at all. */
export function isIdle({ refreshes, state, live }: World, code: Code): boolean {
  const now = refreshes ? live : state;
  return [...Object.keys(now), ...Object.keys(code)].every((one) => change(now[one], code[one]).op === "none");
}

/** How many fields a resource of a kind declares. */
const SIZES: Readonly<Record<string, number>> = { Page: 3, Product: 1 };

/** Words that a refusal has to say; none, where the plan holds. */
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

/** Without a look at what exists, there is no plan for what somebody has deleted. */
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
 * What the plan changes or takes away, and somebody has changed since it was shown. What the last run has left there, another
 * request has brought, which was reviewed, too.
 */
function byHand(resource: string, today: Change, { shown, left, live }: Record<"shown" | "left" | "live", Fields>) {
  if (today.op === "none" || today.op === "create") return [];
  if (live === undefined) return today.op === "delete" ? [] : [resource];
  const paths = today.op === "delete" ? Object.keys(live) : Object.keys(today.fields);
  const isEdited = (path: string): boolean => live[path] !== shown?.[path] && live[path] !== left?.[path];
  return paths.filter(isEdited).map((path) => `${resource}: ${path}`);
}
