/** A release of two pages that link to each other's addresses, and the texts that visitors get of them. */
import { startEmulator, type Emulator, type NotShown } from "../../emulator/index.ts";
import type { ForeignEditsPolicy } from "../../provider/messages/foreign-edits.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { Stack, type Declared, type Ran, type Service } from "../faults/stack.ts";
import { inTheApp } from "../suite/app.ts";

export type Text = Readonly<{ offer: string; thanks: string }>;

export const FIRST: Text = { offer: "First offer", thanks: "First thanks" };
export const SECOND: Text = { offer: "Second offer", thanks: "Second thanks" };

type More = Partial<Record<keyof Text, JsonMap>>;
type Word = Readonly<{ foreignEdits?: ForeignEditsPolicy }>;

/** The page that links is declared first. The order of publication is that of the links. */
export function programOf(siteId: string, { offer, thanks }: Text, more: More = {}): Declared[] {
  const page = (name: string, title: string, content: JsonMap = {}, own: JsonMap = {}): Declared => ({
    kind: "page",
    name,
    inputs: {
      templateId: "tpl-hero",
      variables: { brand: "Acme" },
      content: { "hero.title": title, ...content },
      publish: { siteId, slug: name, release: "spring" },
      ...own,
    },
  });
  const linking = page("offer", offer, {}, more.offer);
  return [
    page("thanks", thanks, {}, more.thanks),
    {
      ...linking,
      from: (made) => ({
        content: { ...(linking.inputs["content"] as JsonMap), "hero.cta.url": made("page thanks")["url"] ?? "" },
      }),
    },
    {
      kind: "release",
      name: "spring",
      inputs: {},
      from: (made) => {
        const all = ["page offer", "page thanks"].map(made);
        const pages = all.map(({ id }) => ({ pageId: id ?? "" }));
        return { pages, drafts: all.map(({ __draft }) => __draft ?? "") };
      },
    },
  ];
}

export class Release {
  readonly emulator: Emulator;
  readonly siteId: string;
  stack = new Stack("dev");
  service: Service;

  private constructor(emulator: Emulator, siteId: string) {
    this.emulator = emulator;
    this.siteId = siteId;
    this.service = { baseUrl: emulator.baseUrl, apiKey: emulator.apiKey };
  }

  static async open(notShown: Partial<NotShown> = {}): Promise<Release> {
    const emulator = await startEmulator({ notShown });
    const { id } = (await call(emulator, "POST", "/sites", { name: "spring.example" })) as { id: string };
    return new Release(emulator, id);
  }

  up(text: Text, { foreignEdits }: Word = {}, more?: More): Promise<Ran> {
    this.stack.foreignEdits = foreignEdits;
    return this.stack.up(this.service, programOf(this.siteId, text, more));
  }

  /** Runs an up that works, and a second one that plans nothing. */
  async apply(text: Text, word: Word = {}, more?: More): Promise<Ran> {
    const ran = await this.up(text, word, more);
    if (ran.error) throw ran.error;
    const again = await this.up(text, word, more);
    if (again.error) throw again.error;
    if (again.steps.length > 0) throw new Error(`the second run planned ${again.steps.join(", ")}`);
    return ran;
  }

  call(method: string, path: string, body?: unknown): Promise<unknown> {
    return call(this.emulator, method, path, body);
  }

  get #pages(): { id: string; pageName: string }[] {
    return this.emulator.records()["pages"] as unknown as { id: string; pageName: string }[];
  }

  idOf(name: string): string {
    return this.#pages.find(({ pageName }) => pageName === name)?.id ?? "";
  }

  /** Returns the HTML at an address of the site; undefined if nothing is there. */
  async visit(slug: string): Promise<string | undefined> {
    const response = await fetch(`${this.emulator.url}/_sites/spring-example/${slug}`);
    return response.status === 200 ? response.text() : undefined;
  }

  /** Returns the titles that visitors get, by page. */
  async shown(...texts: Text[]): Promise<Record<string, string | undefined>> {
    const of = async (slug: keyof Text): Promise<string | undefined> => {
      const html = await this.visit(slug);
      return html === undefined ? undefined : texts.map((text) => text[slug]).find((title) => html.includes(title));
    };
    return { offer: await of("offer"), thanks: await of("thanks") };
  }

  /** Returns the publications since the last look, by the name of the page. */
  published(): string[] {
    const made = this.emulator.requests.filter(({ path }) => path === "/pages/publish");
    this.emulator.requests.length = 0;
    const pages = this.#pages;
    const ids = made.map(({ body }) => (body as { page_id: string } | undefined)?.page_id);
    return ids.map((id) => pages.find((page) => page.id === id)?.pageName ?? "");
  }

  async close(): Promise<void> {
    this.stack.close();
    await this.emulator.close();
  }
}

async function call(emulator: Emulator, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await inTheApp<unknown>({ emulator }, method, path, body);
  emulator.requests.length = 0;
  return answer;
}
