import { leadOnWire } from "../records/leads.ts";
import { equals, matches, ordered, type Window, windowOf } from "../http/paging.ts";
import type { Call, Operations } from "./operation.ts";

interface Search extends Window {
  query?: string;
  type?: "form" | "quiz";
  lead_id?: string;
  page_id?: string;
  email?: string;
}

export const leads: Operations = {
  searchLeads: (service, { query }: Call<Search>) => {
    const found = ordered(service.leads.listed(), "newest-first")
      .filter(({ id, type }) => equals(query.lead_id, id) && equals(query.type, type))
      .filter(({ pageId, email }) => equals(query.page_id, pageId) && equals(query.email, email))
      .filter((lead) => matches(query.query, lead.name, lead.email, lead.phone, lead.formName, lead.quizName));
    return windowOf(found, { limit: 25, ...query }).map((lead) => leadOnWire(service, lead));
  },
};
