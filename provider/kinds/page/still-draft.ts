/** A page that was published as far as the answer told, and that a look shows as a draft: visitors get nothing. */
import type { Page } from "../../api/records.ts";
import { isMap, type Json, type JsonMap } from "../../values/json.ts";
import { ApplyError } from "../../messages/errors.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { patientLook } from "../../account/patience.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { publishesDraft } from "./shown.ts";

/** A look may lag behind the publication. */
export async function oncePublic(run: RunContext, shown: Page): Promise<Page> {
  if (shown.status !== "draft") return shown;
  const look = async (): Promise<Page | undefined> => {
    const page = await run.api.pages.read(shown.id);
    return page.status === "draft" ? undefined : page;
  };
  return (await patientLook(look, run.settings.patienceMs)) ?? shown;
}

/** To be called once what was shown is learned, so that the next run knows it. */
export function refuseDraft(page: Page, patienceMs: number): void {
  if (page.status !== "draft") return;
  throw new ApplyError(
    `publish: page ${page.id} is still a draft ${Math.round(patienceMs / 1000)} s after POST /pages/publish was answered ` +
      `with success. Run again: it is published again. If it stays a draft, publish it in the app.`,
  );
}

/** Whether the declared publication makes the page public by itself; one in a release waits for that. */
export function isToBePublic(publish: Json | undefined): boolean {
  return isMap(publish) && publish["release"] === undefined;
}

/** Pure: the page is to be published though its publication is declared as before. */
export function isPublishDue(field: string, old: ObjectState, now: JsonMap): boolean {
  const stayed = field === "publish" && old.answer["status"] === "draft" && isToBePublic(old.declared.get("publish"));
  return stayed || publishesDraft(field, old, now);
}
