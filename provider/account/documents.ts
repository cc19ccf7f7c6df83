/**
 * What pages hold, after writes of this client: each call gives it as soon as it shows what was sent, or throws a typed doubt (a
 * NotYetSeenError with what is as it was; a Misplaced with where the page is instead). The specification does not show whether the
 * content map is of the draft or of what is live (2026-11-21): of a public page it says nothing of a write until it is published.
 */
import type { LandformApi } from "../api/index.ts";
import type { Page, PageDelay, PageMetadata } from "../api/records.ts";
import { camelKeys, type Json, type JsonMap } from "../values/json.ts";
import type { Finding, Settling } from "./account.ts";
import { ContentFields } from "./content-map.ts";
import {
  delayUnmoved,
  hiddenUnmoved,
  isShownAt,
  Misplaced,
  shownUnmoved,
  slugUnmoved,
  type Address,
  type Sending,
} from "./page-answers.ts";
import { isAsWritten, type Before } from "./spelling.ts";

export interface PageFields {
  readonly fields: ContentFields;
  /** Placeholders that have no value yet. */
  readonly variables: readonly string[];
}

/** A text as it was before, and as it was sent. */
export interface SentText {
  readonly was: Json;
  readonly sent: Json;
}

interface Answered<Result> {
  readonly result: Result;
  /** The same again: of what no read shows, it tells. */
  readonly write: () => Promise<Result>;
  readonly pass: Sending;
  readonly then: Before;
}

interface Waiting {
  settled<Shown>(answer: Shown, settling: Settling<Shown>): Promise<Shown>;
  find<Found>(look: () => Promise<Found | undefined>, how?: Finding): Promise<Found | undefined>;
}

const METADATA = "PATCH /pages/metadata";

export class Documents {
  readonly #api: LandformApi;
  readonly #account: Waiting;

  constructor(api: LandformApi, account: Waiting) {
    this.#api = api;
    this.#account = account;
  }

  async fields(id: string): Promise<PageFields> {
    const map = await this.#api.builder.contentMap(id);
    return { fields: new ContentFields(map.fields), variables: map.variables };
  }

  /** `shown`: the first look. */
  texts(id: string, shown: PageFields, texts: ReadonlyMap<string, SentText>): Promise<PageFields> {
    const unmoved = ({ fields }: PageFields): string[] =>
      [...texts].flatMap(([key, { was, sent }]) =>
        isAsWritten(was, sent, fields.value(key)) ? [`content.${key}`] : [],
      );
    return this.#account.settled(shown, { id, call: "PATCH /pages/content", again: () => this.fields(id), unmoved });
  }

  /** Gives name and project as they are shown. `due`: the inputs that were sent. */
  async metadata(
    id: string,
    { result, write, pass, then, due }: Answered<PageMetadata> & { readonly due: readonly string[] },
  ): Promise<JsonMap> {
    const hidden = hiddenUnmoved(pass, then, due);
    await this.#account.settled(result, { id, call: METADATA, again: write, unmoved: hidden });
    const answer: JsonMap = { pageName: result.name, projectId: result.project_id };
    const again = async (): Promise<JsonMap> => camelKeys(await this.#api.pages.read(id));
    return this.#account.settled(answer, { id, call: METADATA, again, unmoved: shownUnmoved(pass, then, due) });
  }

  delay(id: string, { result, write, pass, then }: Answered<PageDelay>): Promise<PageDelay> {
    const unmoved = delayUnmoved(pass, then);
    return this.#account.settled(result, { id, call: "PATCH /pages/delay", again: write, unmoved });
  }

  /** The record that shows all that a pass has sent, whatever the answers said. */
  async record(shown: Page, pass: Sending, then: Before, isPublic: boolean): Promise<Page> {
    const { id } = shown;
    const again = (): Promise<Page> => this.#api.pages.read(id);
    const isUnmoved = shownUnmoved(pass, then, [...pass.changed]);
    const unmoved = (page: Page): string[] => isUnmoved(camelKeys(page));
    const renamed = await this.#account.settled(shown, { id, call: METADATA, again, unmoved });
    if (!isPublic) return renamed;
    const slug = slugUnmoved(pass, then);
    const call = "POST /pages/publish";
    return this.#account.settled(renamed, { id, call, again, unmoved: (page) => slug(page.slug) });
  }

  /** The page once it is public; as it was shown where it stays a draft. */
  async published(shown: Page): Promise<Page> {
    if (shown.status !== "draft") return shown;
    const look = async (): Promise<Page | undefined> => {
      const page = await this.#api.pages.read(shown.id);
      return page.status === "draft" ? undefined : page;
    };
    return (await this.#account.find(look)) ?? shown;
  }

  /**
   * The answer, or what the page shows, once that is where it was to be. `former`: where it was before, which an answer that lags
   * behind may show.
   */
  async placed<Answer extends Address>(
    id: string,
    { siteId, slug }: { siteId: string; slug: string },
    answer: Answer,
    former: string | undefined,
  ): Promise<Answer> {
    if (isShownAt(slug, answer)) return answer;
    // The specification doesn't show that the answer tells it: the look at the page does.
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
