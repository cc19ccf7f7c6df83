/**
 * The documents of pages after writes of this client. Each call returns as soon as the page shows the sent values, or throws a typed doubt:
 * a NotYetSeenError with the unchanged fields, or a Misplaced with the actual place. The specification does not show if the content map is
 * of the draft or of the published page (2026-11-21). The content map of a public page may not show a write until the page is published.
 */
import type { LandformApi } from "../api/index.ts";
import type { Page, PageValidation } from "../api/records.ts";
import { camelKeys, same, type Json, type JsonMap } from "../values/json.ts";
import type { Account } from "./account.ts";
import { ContentFields } from "./content-map.ts";
import { isShownAt, Misplaced, shownUnmoved, slugUnmoved, type Address, type Sending } from "./page-answers.ts";
import { isAsWritten, mayComeOf, type Before } from "./spelling.ts";

export interface PageFields {
  readonly fields: ContentFields;
  readonly variables: readonly string[];
}

export interface SentText {
  readonly sent: Json;
  /** The text that the page showed before; null if it showed none. */
  readonly shown?: Json;
  /** The text that was sent before it, for a page that may still show that one. */
  readonly was?: Json;
}
type SentTexts = ReadonlyMap<string, SentText>;

const METADATA = "PATCH /pages/metadata";

/** A text that shows otherwise for longer is the service's spelling, or somebody's edit. */
const LONGEST_LAG_MS = 2_000;

export class Documents {
  readonly #api: LandformApi;
  readonly #account: Pick<Account, "settled" | "find">;

  constructor(api: LandformApi, account: Pick<Account, "settled" | "find">) {
    this.#api = api;
    this.#account = account;
  }

  async fields(id: string): Promise<PageFields> {
    const map = await this.#api.builder.contentMap(id);
    return { fields: new ContentFields(map.fields), variables: map.variables };
  }

  /**
   * Returns the fields once they show the sent texts. A text that shows otherwise, for longer than a map lags, is sent once more, and
   * `publish` brings it to visitors. If it shows the same again, that is the service's spelling. Otherwise somebody edited it meanwhile.
   * `first`: the first look.
   */
  async texts(
    id: string,
    first: PageFields,
    texts: SentTexts,
    publish?: () => Promise<unknown>,
  ): Promise<PageFields & { readonly edited: readonly string[] }> {
    const unmoved = ({ fields }: PageFields): string[] =>
      [...texts].flatMap(([key, { was, sent }]) =>
        isAsWritten(was, sent, fields.value(key)) ? [`content.${key}`] : [],
      );
    const call = "PATCH /pages/content";
    const shown = await this.#sayingOurs(
      id,
      await this.#account.settled(first, { id, call, again: () => this.fields(id), unmoved }),
      texts,
    );
    const updates = textsShownOtherwise(shown, texts);
    const keys = Object.keys(updates);
    if (keys.length === 0) return { ...shown, edited: [] };
    await this.#api.pages.updateContent({ page_id: id, updates });
    await publish?.();
    const again = await this.fields(id);
    const isMoved = (key: string): boolean => !same(again.fields.value(key), shown.fields.value(key));
    return { ...again, edited: keys.filter(isMoved) };
  }

  /** Looks again for a while: a map that lags shows the texts of the page's creation. */
  #sayingOurs(id: string, first: PageFields, texts: SentTexts): Promise<PageFields> {
    const isBehind = (shown: PageFields): boolean => Object.keys(textsShownOtherwise(shown, texts)).length > 0;
    return this.#caughtUp(first, isBehind, () => this.fields(id));
  }

  /** Returns the check for a publication once it misses none of these variables, which were sent. It may lag as a map does. */
  async check(id: string, sent: readonly string[]): Promise<PageValidation> {
    const validate = (): Promise<PageValidation> => this.#api.pages.validate(id);
    const isBehind = ({ ready_to_publish: isReady, remaining_variables: left }: PageValidation): boolean =>
      !isReady && left.some((name) => sent.includes(name));
    return this.#caughtUp(await validate(), isBehind, validate);
  }

  async #caughtUp<Shown>(
    first: Shown,
    isBehind: (shown: Shown) => boolean,
    again: () => Promise<Shown>,
  ): Promise<Shown> {
    let last = first;
    const look = async (): Promise<Shown | undefined> => {
      if (isBehind(last)) last = await again();
      return isBehind(last) ? undefined : last;
    };
    return (await this.#account.find(look, { atMostMs: LONGEST_LAG_MS })) ?? last;
  }

  /** Returns the record that shows all values of a pass, whatever the answers said. */
  async record(shown: Page, pass: Sending, then: Before, isPublic: boolean): Promise<Page> {
    const { id } = shown;
    const again = (): Promise<Page> => this.#api.pages.read(id);
    const isUnmoved = shownUnmoved(pass, then);
    const unmoved = (page: Page): string[] => isUnmoved(camelKeys(page));
    const renamed = await this.#account.settled(shown, { id, call: METADATA, again, unmoved });
    if (!isPublic) return renamed;
    const slug = slugUnmoved(pass, then);
    const call = "POST /pages/publish";
    return this.#account.settled(renamed, { id, call, again, unmoved: (page) => slug(page.slug) });
  }

  /** Returns the page once it is public, or as it was shown if it stays a draft. */
  async published(shown: Page): Promise<Page> {
    if (shown.status !== "draft") return shown;
    const look = async (): Promise<Page | undefined> => {
      const page = await this.#api.pages.read(shown.id);
      return page.status === "draft" ? undefined : page;
    };
    return (await this.#account.find(look)) ?? shown;
  }

  /** `former`: the place before, which an answer that lags may show. */
  async placed<Answer extends Address>(
    id: string,
    { siteId, slug }: { siteId: string; slug: string },
    answer: Answer,
    former: string | undefined,
  ): Promise<Answer> {
    if (isShownAt(slug, answer)) return answer;
    // The specification doesn't show that the answer tells the place. The look at the page tells it.
    if ((answer.slug ?? "") === "" && answer.url === null) return { ...answer, slug };
    let shown: Address = answer;
    const look = async (): Promise<Page | undefined> => {
      const page = await this.#api.pages.read(id);
      shown = page;
      return isShownAt(slug, page) ? page : undefined;
    };
    const mayLag = former !== undefined && isShownAt(former, answer);
    const placed = mayLag ? await this.#account.find(look) : await look();
    if (placed) return { ...answer, slug: placed.slug ?? "", url: placed.url };
    throw new Misplaced(id, siteId, slug, shown);
  }
}

/** Returns the sent texts of fields that show neither them nor the old ones. Pure. */
export function textsShownOtherwise({ fields }: PageFields, texts: SentTexts): JsonMap {
  const strange = [...texts].filter(([key, { sent, shown }]) => {
    const is = fields.value(key);
    return is !== undefined && !same(is, shown) && !mayComeOf(sent, is);
  });
  return Object.fromEntries(strange.map(([key, { sent }]) => [key, sent]));
}
