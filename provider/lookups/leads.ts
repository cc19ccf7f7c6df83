import type { Lead, LandformApi, LeadSearch } from "../api/index.ts";
import { wired } from "../definition/collection.ts";
import { shown, type Limit, type Shown } from "./find.ts";

export interface LeadQuery extends Limit {
  /** Text in the name and related fields. */
  readonly query?: string;
  /** Both kinds when left out. */
  readonly type?: LeadSearch["type"];
  readonly leadId?: string;
  readonly pageId?: string;
  /** The exact address. */
  readonly email?: string;
}

const MOST = 50;

/** Leads as the service orders them. It gives 50 at most, and has no way to ask for more. */
export async function listLeads(api: LandformApi, { limit = MOST, ...filter }: LeadQuery = {}): Promise<Shown<Lead>[]> {
  if (limit <= 0) return [];
  return (await api.leads.search({ ...wired(filter), limit: Math.min(limit, MOST) })).map(shown);
}
