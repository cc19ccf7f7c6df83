import { z } from "zod";
import type { Call } from "../caller.ts";
import type { LeadSearch } from "../inputs.ts";
import { lead } from "../records.ts";

const leads = z.array(lead);

export const leadsGroup = (call: Call) => ({
  /** At most 50 come, and there is no way to ask for the next ones. */
  search: (query?: LeadSearch) => call("searchLeads", leads, { query: { ...query } }),
});
