/** A team that sells mugs (two pages, a funnel, a product), deployed, and a colleague who works in the app. */
import { startEmulator, type EmulatorOptions } from "../../emulator/index.ts";
import { editInApp, publishInApp, textsInApp } from "../suite/app.ts";
import { inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";

const MANIFEST = `landform: 1
name: mugs
projects:
  mugs:
    description: A project for the spring launch of our handmade mugs.
    context: >-
      Example Mugs sells handmade mugs to people who take coffee seriously. The tone is warm and plain. Each mug is thrown by hand, glazed
      in one of four colours, and sent within two days. The offer of this spring: two mugs for the price of one.
sites:
  mugs.example: { project: mugs }
pages:
  offer:
    template: tpl-hero
    project: mugs
    variables: { brand: Example Mugs }
    content: { hero.title: A mug worth getting up for, hero.note: Only today }
    publish: { site: mugs.example, slug: offer }
  about:
    template: tpl-hero
    project: mugs
    variables: { brand: Example Mugs }
    content: { hero.title: About us }
    publish: { site: mugs.example, slug: about }
funnels:
  spring:
    project: mugs
    steps: [{ page: offer, pageType: presell }]
products:
  mug: { project: mugs, name: Mug, price: 12.5, ctaText: Buy, ctaUrl: { ref: pages.offer.url } }
outputs:
  url: pages.offer.url
`;

type Row = Readonly<Record<string, unknown>>;

export class Mugs extends NearDesk {
  /** Opens the team's folder in the running test. Everything is deployed. */
  static async here(change = (manifest: string): string => manifest, options?: EmulatorOptions): Promise<Mugs> {
    const mugs = await inTest(new Mugs(await startEmulator(options)));
    mugs.write("landform.yaml", change(MANIFEST));
    await mugs.says(0, "up", "--yes");
    return mugs;
  }

  /** Returns all that the command says. It has to end with this code. */
  says(code: number, ...args: string[]): Promise<string> {
    return outputOf(code, this.run(args));
  }

  plansNothing(): Promise<string> {
    return this.says(0, "preview", "--detailed-exitcode");
  }

  code(from: string, to: string): void {
    this.edit("landform.yaml", from, to);
  }

  rows(kind: string): readonly Row[] {
    return this.emulator.records()[kind] ?? [];
  }

  page(name: string): string {
    return String(this.rows("pages").find((row) => row["pageName"] === name)?.["id"]);
  }

  /** A colleague changes texts in the draft of a page. */
  edits(page: string, updates: Readonly<Record<string, string>>): Promise<unknown> {
    return editInApp(this, this.page(page), updates);
  }

  /** A colleague publishes a page. */
  async publishes(page: string, slug = page): Promise<void> {
    const site = this.rows("sites")[0]?.["id"];
    await publishInApp(this, this.page(page), { siteId: site, slug });
  }

  async drafts(page: string, key: string): Promise<unknown> {
    return (await textsInApp(this, this.page(page)))[key];
  }

  async visited(slug: string): Promise<string> {
    return (await fetch(`${this.emulator.url}/_sites/mugs-example/${slug}`)).text();
  }
}
