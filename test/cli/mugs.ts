/** A team that sells mugs (two pages, a funnel, a product), deployed, and a colleague who works in the app. */
import { startEmulator, type EmulatorOptions } from "../../emulator/index.ts";
import { inTest } from "../suite/opened.ts";
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

export class Mugs extends NearDesk {
  /** Opens the team's folder in the running test. Everything is deployed. */
  static async here(change = (manifest: string): string => manifest, options?: EmulatorOptions): Promise<Mugs> {
    const mugs = await inTest(new Mugs(await startEmulator(options)));
    mugs.declare(change(MANIFEST));
    await mugs.up();
    return mugs;
  }

  prices(price: number): Promise<unknown> {
    return this.app("PATCH", "/products", { product_id: this.rows("products")[0]?.id, price });
  }

  override visited(slug: string): Promise<string> {
    return super.visited(`mugs-example/${slug}`);
  }
}
