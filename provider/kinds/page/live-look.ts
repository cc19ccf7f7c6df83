/** Looks at the public page of a publication: whether it shows what was published. */
import { after, type PagePass } from "./document.ts";
import { render, valuesNow } from "./texts.ts";
import type { Writes } from "./writes.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import type { WantedText } from "../../seen/evidence.ts";
import { DEFAULT_WAIT_MS, lookBefore, lookUntilSeen } from "../../seen/look.ts";
import type { SeenLive } from "../../seen/seen-live.ts";
import type { VisibleText } from "../../seen/visible-text.ts";
import { isMap, type Json } from "../../values/json.ts";

export class LiveLook {
  readonly #texts: readonly WantedText[];
  readonly #before: VisibleText | undefined;

  private constructor(texts: readonly WantedText[], before: VisibleText | undefined) {
    this.#texts = texts;
    this.#before = before;
  }

  /** Before the first write, when the page shows what it was. Undefined where nobody asked for it. */
  static async before(pass: PagePass, writes: Writes): Promise<LiveLook | undefined> {
    const { run, now, object } = pass;
    if (now.publish?.verify !== true && run.settings.verify !== true) return undefined;
    const address = addressOf(object.answer);
    const before = address === undefined ? undefined : await lookBefore(run.publicPages, address);
    return new LiveLook(textsOf(pass, writes), before);
  }

  /** Says what it found. */
  async after({ run, id, now, object }: PagePass): Promise<void> {
    const found = await publicLook(run, addressOf(object.answer), this.#texts, this.#before);
    run.warn({ code: "seen-live", kind: "page", id, name: now.name, ...found });
  }
}

export async function publicLook(
  run: RunContext,
  url: string | undefined,
  texts: readonly WantedText[],
  before: VisibleText | undefined,
): Promise<SeenLive> {
  if (url !== undefined)
    return lookUntilSeen(run.publicPages, { url, texts, before }, run.settings.verifyWaitMs ?? DEFAULT_WAIT_MS);
  return withoutAddress;
}

export const withoutAddress: SeenLive = {
  ...{ outcome: "refused", url: "", afterMs: 0, by: "html", keys: [] },
  reason: "the service tells no address of it",
};

/** The public address: absolute as it is, else on the page's domain. */
export function addressOf({ status, url, domain, slug }: Record<string, Json>): string | undefined {
  if (status !== "published") return undefined;
  const root = typeof domain === "string" && domain !== "" ? `https://${domain}/` : undefined;
  const path = typeof url === "string" && url !== "" ? url : typeof slug === "string" ? slug : "";
  return URL.parse(path, root)?.href;
}

/** What this pass changes of the texts; of a page that is published for the first time, or had to wait, all that is declared. */
function textsOf({ now, object }: PagePass, { content }: Writes): WantedText[] {
  const old = isMap(object.answer["content"]) ? object.answer["content"] : {};
  const updates = object.answer["status"] === "published" ? content : {};
  const values = valuesNow(object, now.variables);
  const declared = Object.entries(now.content ?? {}).map(([key, value]) => [key, render(value, values)]);
  const texts = Object.keys(updates).length > 0 ? updates : (Object.fromEntries(declared) as typeof updates);
  return Object.entries(texts).flatMap(([key, value]) => {
    const before = old[key];
    return typeof value === "string"
      ? [{ key, now: value, before: typeof before === "string" && before !== value ? before : undefined }]
      : [];
  });
}
