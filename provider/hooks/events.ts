/** What is delivered, as far as the service says: an id, a type, and fields of the record that it is about. */
import type { EventType, Funnel, Lead, Page, Product, Project, Site } from "../api/index.ts";

interface Subjects {
  "form_lead.created": Lead;
  "quiz_lead.created": Lead;
  "page.created": Page;
  "page.published": Page;
  "product.created": Product;
  "funnel.created": Funnel;
  "site.created": Site;
  "project.created": Project;
}

/** The service shows fields by a sample alone, so none of them is certain. `getHookSample` reads one. */
export type HookEvent<Type extends EventType = EventType> = {
  readonly [One in Type]: {
    /** The same for every delivery of one event. */
    readonly id: string;
    readonly event_type: One;
  } & Readonly<Partial<Omit<Subjects[One], "id">>> &
    Readonly<Record<string, unknown>>;
}[Type];

/** An event, or in words what is wrong with a body that should be one. */
export function readEvent(body: string): HookEvent | string {
  let event: unknown;
  try {
    event = JSON.parse(body);
  } catch {
    return "the body is not JSON";
  }
  if (typeof event !== "object" || event === null || Array.isArray(event)) return "the body is not an object";
  const { id, event_type: type } = event as Record<string, unknown>;
  if ((typeof id !== "string" || id === "") && typeof id !== "number") return "the event has no id";
  if (typeof type !== "string") return "the event has no event_type";
  return { ...event, id: String(id), event_type: type } as HookEvent;
}
