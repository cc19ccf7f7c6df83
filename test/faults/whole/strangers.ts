/** The objects of another stack or a person in the account, with the same names as the program's. */
import type { Emulator } from "../../../emulator/index.ts";
import type { Account } from "../oracle.ts";
import { LONG } from "../scenarios.ts";
import { inTheApp } from "../../suite/app.ts";

export async function makeStrangers(emulator: Emulator): Promise<Account> {
  const make = async (path: string, body: object): Promise<string> =>
    (await inTheApp({ emulator }, "POST", path, body)).id;
  const project_id = await make("/projects", { name: "spring", description: LONG, context: LONG });
  const pageId = await make("/pages/from-template", { name: "offer", template_id: "tpl-hero", project_id });
  await make("/pages", { name: "thanks", project_id });
  await make("/quizzes", { name: "fit", project_id });
  await make("/funnels", { name: "path", project_id, pages: [{ pageId, pageType: "sales" }] });
  for (const name of ["mug", "cup"]) await make("/products", { name, price: 5, project_id });
  await make("/hooks", { event_type: "form_lead.created", target_url: "https://8.8.8.8/leads" });
  return emulator.records();
}
