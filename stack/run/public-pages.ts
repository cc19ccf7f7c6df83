/** `drift --public`: whether visitors get what was last published. A cache, or a revision that somebody took back. */
import { isMap, type JsonMap } from "../../provider/values/json.ts";
import { addressOf, withoutAddress } from "../../provider/kinds/page/live-look.ts";
import { lookOnce } from "../../provider/seen/look.ts";
import { isSeen } from "../../provider/seen/seen-live.ts";
import { isTelling } from "../../provider/seen/visible-text.ts";
import { nameOf } from "../../engine/index.ts";
import { shortName } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import type { SeenPage } from "../report/going-live.ts";
import type { Report } from "../report/model.ts";
import { AccountReader } from "./account-reader.ts";
import type { Ran, StackSession } from "./session.ts";

/** Pages looked at the same time: they are of one host, mostly. */
const AT_ONCE = 8;

export async function withPublic(session: StackSession, { report, preview }: Ran): Promise<Report> {
  if (report.result !== "succeeded") return report;
  const published = [...preview.told.values()].filter(isPublic);
  const reader = await AccountReader.open(session, { told: preview.told });
  try {
    const pages: SeenPage[] = [];
    const warnings: string[] = [];
    const work = async (): Promise<void> => {
      for (let told = published.pop(); told !== undefined; told = published.pop()) {
        const found = await lookAt(reader, told);
        if (typeof found === "string") warnings.push(found);
        else if (found !== undefined) pages.push(found);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    pages.sort((a, b) => (a.urn < b.urn ? -1 : 1));
    return session.redactor.value({ ...report, public: pages, warnings: [...report.warnings, ...warnings] });
  } finally {
    await reader.close();
  }
}

/** A service that tells no address of a page says that it is published all the same. */
function isPublic({ outputs: { status, slug } }: Told): boolean {
  return status === "published" && slug !== undefined;
}

/** Undefined where the page shows it all; a text where that can't be told. */
async function lookAt(reader: AccountReader, { urn, steps, outputs }: Told): Promise<SeenPage | string | undefined> {
  const [step] = steps.values();
  const state = reader.stateOf(urn);
  const url = addressOf(outputs);
  if (step === undefined || state === undefined) return undefined;
  const looked = { urn, type: shortName(step.type), name: nameOf(urn) };
  if (url === undefined) return { ...looked, ...withoutAddress };
  if (waits(state))
    return `${nameOf(urn)}: what it last published is not known while a change of it waits; its public page was not looked at`;
  const content = isMap(state["content"]) ? state["content"] : {};
  const texts = Object.entries(content).flatMap(([key, now]) =>
    typeof now === "string" ? [{ key, now, before: undefined }] : [],
  );
  if (!texts.some(({ now }) => isTelling(now)))
    return `${nameOf(urn)}: the code declares no text of it to look for, so whether visitors get what was published can't be told`;
  const { publicPages } = reader.of(step.provider, urn);
  const { final, speaks, ...found } = await lookOnce(publicPages, { url, texts });
  if (found.outcome === "hidden")
    return `${nameOf(urn)}: its HTML shows none of its texts, so whether visitors get what was published can't be told without a browser (Chromium on PATH)`;
  if (isSeen(found)) return undefined;
  return { ...looked, ...found, url, afterMs: 0 };
}

/** A change is in the draft alone. */
function waits({ __landform: meta }: JsonMap): boolean {
  return isMap(meta) && Array.isArray(meta["redo"]) && meta["redo"].includes("publish");
}
