/** What the API can't do with each kind, and what Landform does instead: the only part of the reference written by hand. */
import type { Kind } from "../../../provider/registry.ts";

export interface Limit {
  /** What the API has no call for, or does not show. */
  readonly api: string;
  readonly landform: string;
}

export const limits: Readonly<Record<Kind, readonly Limit[]>> = {
  project: [
    {
      api: "Refuses to delete a project that something still refers to.",
      landform:
        "Names what still refers to it. Where only sites and retired funnels are left, which can't be deleted either, the project stays with a warning and the destroy succeeds.",
    },
    {
      api: "Shows `context` in answers to writes only.",
      landform: "Compares it with what was sent, so a change in the app is not seen.",
    },
  ],
  site: [
    {
      api: "Neither changes nor deletes a site.",
      landform:
        "A changed name, description or project fails at preview with the reason (`replaceOnChange: true` makes a new site). A removed site stays, with a warning.",
    },
    {
      api: "Would make a second site of the same name.",
      landform:
        "Takes over the site of exactly that name (`reuse: false` forbids it); two of that name are an error that names both ids.",
    },
  ],
  page: [
    {
      api: "Can't unpublish a page, nor move it to another site.",
      landform: "Both replace the page, and the preview says so. A changed slug publishes again.",
    },
    {
      api: "Replaces `{{variables}}` in one direction only.",
      landform: "Keeps the text that held the placeholder, so a changed value renders it again on the same page.",
    },
    {
      api: "Says yes to content keys that do not exist.",
      landform:
        "The update fails by name, with the nearest key that does exist; what was applied is kept and the next run goes on.",
    },
    {
      api: "May publish a page that is not ready (not shown).",
      landform: "Checks first; a page that is not ready stays a draft and the issues are printed.",
    },
    {
      api: "Does not show `tags`, `productLabel` and `delay` when a page is read.",
      landform: "Compares them with what was sent, so a change in the app is not seen.",
    },
    {
      api: "Attaches a blank page or a copy to a site only when it is published.",
      landform: "`siteId` is for pages made from a template; elsewhere it is refused with the remedy.",
    },
    {
      api: "Can't delete a page that is published and has no site.",
      landform: "The failure says so and what to do in the app.",
    },
  ],
  quiz: [
    {
      api: "Gives the quiz an id of its own that may differ from its page's.",
      landform: "The id of the resource is that of the page; `quizId` is an output, and `adoptId` takes either.",
    },
    { api: "Everything that holds for pages.", landform: "The same." },
  ],
  funnel: [
    {
      api: "Can't delete a funnel.",
      landform:
        "Retires it: steps emptied, name marked `[retired by landform]`. The next new funnel of the same project takes it over, so retired ones do not pile up.",
    },
    {
      api: "May store bare page ids instead of steps (not shown).",
      landform: "Where only ids are visible, their order is compared and nothing else.",
    },
  ],
  product: [
    {
      api: "Does not return variants, tiers, bundle items, badges and subscription.",
      landform: "Compares them with what was sent; counts that the service shows tell of an edit.",
    },
    {
      api: "Shows no path for reading and deleting a product.",
      landform: "Asks the service's own /openapi.json once, else follows its other paths.",
    },
  ],
  hook: [
    {
      api: "Never lists or returns a subscription.",
      landform:
        "It has no drift and can't be adopted. A crash in the middle of a creation may leave one orphan, which is told; `token: true` lets the receiver drop its deliveries.",
    },
    { api: "Can't change a subscription.", landform: "Every change makes a new one and disables the old one." },
  ],
  videoPlayer: [
    {
      api: "Neither uploads nor deletes videos.",
      landform: "Manages the player's settings of a video that exists; a removed resource leaves them as they are.",
    },
    {
      api: "Does not show language, colour and switches of the player when a video is read.",
      landform: "Compares them with what was sent, so a change in the app is not seen.",
    },
  ],
};
