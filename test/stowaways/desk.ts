/** One stack with a page for each cell. Its edits come at their moments, and then the test looks at the public pages. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { NotShown } from "../../emulator/index.ts";
import type { JsonReport } from "../../stack/report/json.ts";
import { WalkDesk, type Command } from "../walk/desk.ts";
import { faultsOf, type Cell, type Moment, type Outcome } from "./cells.ts";
import { textsOf } from "../reports/texts.ts";
import { editInApp, publishInApp } from "../suite/app.ts";

/** The faults of each cell, and of the runs as a whole. */
export interface Played {
  readonly cells: readonly (Cell & { readonly wrong: readonly string[] })[];
  readonly wrong: readonly string[];
}

interface Page extends Cell {
  readonly name: string;
  readonly theirs: string;
  id: string;
}

const SITE = "stowaways.example";
/** The time between the look at a page and its publication, for edits in between. */
const CHECK_MS = 300;

type Body = Readonly<{ page_id: string }>;

export class Stowaways {
  readonly #desk: WalkDesk;
  readonly #pages: readonly Page[];
  #siteId = "";

  private constructor(desk: WalkDesk, cells: readonly Cell[]) {
    this.#desk = desk;
    this.#pages = cells.map((cell, index) => ({
      ...cell,
      name: `page-${index}`,
      theirs: `Half a thought ${index}`,
      id: "",
    }));
  }

  static async play(
    cells: readonly Cell[],
    engine: "embedded" | "pulumi",
    notShown: Partial<NotShown>,
  ): Promise<Played> {
    const desk = await WalkDesk.open(engine, { notShown });
    try {
      return await new Stowaways(desk, cells).#play();
    } finally {
      await desk.close();
    }
  }

  async #play(): Promise<Played> {
    await this.#prepare();
    await this.#editAt("before the plan");
    this.#declare("Second");
    const plan = join(this.#desk.folder, "plan.json");
    const planned = await this.#desk.run("preview", "--save", plan);
    expect(planned.code, planned.printed).toBe(0);
    await this.#editAt("between plan and apply");
    const edits = this.#editBeforePublications();
    const ran = await this.#desk.run("up", "--plan", plan);
    await edits.done();
    const { cells, wrong } = await this.#judged(planned, ran);
    return { cells, wrong: [...wrong, ...(await this.#afterwards())] };
  }

  /** Makes pages of this stack and pages of somebody else for it to take over. All are published, with nothing in their drafts. */
  async #prepare(): Promise<void> {
    const site = (await this.#desk.byHand("POST", "/sites", { name: SITE })) as { id: string };
    this.#siteId = site.id;
    for (const page of this.#pages.filter(({ known }) => known !== "recorded")) await this.#publishByHand(page);
    this.#declare("First", "taken over now");
    const first = await this.#desk.run("up", "--yes");
    expect(first.code, first.printed).toBe(0);
    for (const { name, id } of this.#desk.state().map(({ urn, id }) => ({ name: urn.split("::").at(-1), id }))) {
      const page = this.#pages.find((one) => one.name === name);
      if (page) page.id = id;
    }
    // The wait keeps an edit's date apart from the publication.
    await delay(200);
  }

  async #publishByHand(page: Page): Promise<void> {
    const { id } = (await this.#desk.byHand("POST", "/pages/from-template", {
      template_id: "tpl-hero",
      name: page.name,
    })) as { id: string };
    page.id = id;
    await this.#desk.byHand("POST", "/pages/replace-variables", { page_id: id, variables: { brand: "Acme" } });
    await editInApp(this.#desk, id, { "hero.title": `First ${page.name}`, "hero.text": "What we declare of the text" });
    await this.#publish(page);
  }

  #publish({ id, name }: Page): Promise<unknown> {
    return publishInApp(this.#desk, id, { siteId: this.#siteId, slug: name });
  }

  #declare(title: string, without?: Cell["known"]): void {
    const declared = this.#pages.filter(({ known }) => known !== without);
    const pages = declared.map(({ name, known, word, id }) => [
      name,
      {
        ...(known === "recorded" ? { template: "tpl-hero", variables: { brand: "Acme" } } : { adoptId: id, name }),
        content: { "hero.title": `${title} ${name}`, "hero.text": "What we declare of the text" },
        publish: { site: { id: this.#siteId }, slug: name },
        onForeignEdits: word,
      },
    ]);
    this.#desk.declare({ landform: 1, name: "stowaways", pages: Object.fromEntries(pages) as object });
  }

  async #editAt(moment: Moment): Promise<void> {
    for (const page of this.#pages) if (page.moment === moment) await this.#edit(page);
  }

  /** Sends the edit at the page's last check after the write. The check's answer takes its time, and the page's plan may ask for one, too. */
  #editBeforePublications(): { done(): Promise<void> } {
    const { requests, faults } = this.#desk.emulator;
    const waiting = new Map(
      this.#pages.flatMap((page) => (page.moment === "between look and publish" ? [[page.id, page] as const] : [])),
    );
    if (waiting.size > 0)
      faults.add({ path: "/pages/validate-before-publish", phase: "slow", delayMs: CHECK_MS, times: Infinity });
    const edits: Promise<unknown>[] = [];
    const push = requests.push.bind(requests);
    const begun = requests.length;
    const isWritten = (id: string): boolean =>
      requests.slice(begun).some(({ path, body }) => path === "/pages/content" && (body as Body).page_id === id);
    const editWhenAsked = async (record: (typeof requests)[number]): Promise<void> => {
      while (record.body === undefined) await delay(1);
      const { page_id: id } = record.body as Body;
      const page = waiting.get(id);
      if (page && isWritten(id) && waiting.delete(id)) await this.#edit(page);
    };
    requests.push = (...added) => {
      for (const record of added) if (record.path.startsWith("/pages/validate")) edits.push(editWhenAsked(record));
      return push(...added);
    };
    return {
      done: async () => {
        requests.push = push;
        faults.clear();
        await Promise.all(edits);
      },
    };
  }

  async #edit({ id, edit, theirs }: Page): Promise<void> {
    const hand = (method: string, path: string, body: object): Promise<unknown> =>
      this.#desk.byHand(method, path, { page_id: id, ...body });
    if (edit === "a key") await hand("PATCH", "/pages/content", { updates: { "hero.note": theirs } });
    else if (edit === "a declared key") await hand("PATCH", "/pages/content", { updates: { "hero.text": theirs } });
    else if (edit === "metadata") await hand("PATCH", "/pages/metadata", { product_label: theirs });
    else if (edit === "a tag") await hand("PATCH", "/pages/metadata", { tags: [theirs] });
    else {
      const node_id = await this.#nodeOf(id);
      await hand("PATCH", "/pages/builder/node", { node_id, updates: { style: { content: theirs } } });
    }
  }

  async #nodeOf(id: string): Promise<string> {
    const tree = JSON.stringify(await this.#desk.byHand("GET", `/pages/builder?page_id=${id}&include_tree=true`));
    return /"id":"([^"]+)","type":"[^"]+","misc":\{"name":"hero.note"/.exec(tree)?.[1] ?? "";
  }

  async #judged(planned: Command, ran: Command): Promise<Played> {
    const html = await Promise.all(this.#pages.map((page) => this.#visit(page)));
    const cells = this.#pages.map((page, index) => {
      const outcome = this.#outcomeOf(page, html[index] ?? "", planned.report, ran.report);
      const { name: _, id: _id, theirs: _theirs, ...cell } = page;
      return { ...cell, wrong: faultsOf(cell, outcome).map((fault) => `${fault} (${JSON.stringify(outcome)})`) };
    });
    const code = (ran.report.held ?? []).length > 0 ? 1 : 0;
    return { cells, wrong: ran.code === code ? [] : [`the exit code is ${ran.code}: ${ran.printed.slice(-2_000)}`] };
  }

  #outcomeOf(
    { name, id, theirs }: Page,
    html: string,
    planned: JsonReport,
    { held = [], findings }: JsonReport,
  ): Outcome {
    const about = textsOf({ findings }, "warn").filter((text) => text.includes(id));
    return {
      shows: html.includes(`Second ${name}<`) ? "now" : html.includes(`First ${name}<`) ? "before" : "neither",
      theirs: html.includes(`${theirs}<`) || html.includes(`${theirs}"`) || html.includes(`${theirs};`),
      told: [
        ...(held.some((one) => one.name === name) ? (["held"] as const) : []),
        ...(about.some((text) => text.includes("edits go live")) ? (["included"] as const) : []),
        ...(about.some((text) => text.includes("while it was being published")) ? (["slipped in"] as const) : []),
        ...((planned.impact?.alsoLive ?? []).some((one) => one.name === name) ? (["planned"] as const) : []),
      ],
    };
  }

  async #visit({ name }: Page): Promise<string> {
    return (await fetch(`${this.#desk.emulator.url}/_sites/stowaways-example/${name}`)).text();
  }

  /** A person publishes the edits: nothing is held any longer, and nothing is left to do. */
  async #afterwards(): Promise<string[]> {
    for (const page of this.#pages) await this.#publish(page);
    const ran = await this.#desk.run("up", "--yes", "--refresh");
    const faults = ran.code === 0 ? [] : [`the run afterwards ended with ${ran.code}: ${ran.printed.slice(-3_000)}`];
    for (const page of this.#pages)
      if (!(await this.#visit(page)).includes(`Second ${page.name}<`)) faults.push(`${page.name} never got its title`);
    const last = await this.#desk.run("preview", "--detailed-exitcode");
    return last.code === 0 ? faults : [...faults, `the last plan is not empty: ${last.printed.slice(-2_000)}`];
  }
}
