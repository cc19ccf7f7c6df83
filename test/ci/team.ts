/**
 * A team on one stack, played for real: requests with their plans, merges, hand edits in the app, and jobs that apply late, twice or never. Beside it
 * stands the right result of each job, from values alone: the values in the plan, the code now, the last run's values and the live ones.
 */
import { expect } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { getContentMap } from "../../provider/lookups/index.ts";
import type { Command, WalkDesk } from "../walk/desk.ts";
import type { CodeHost } from "./code-host.ts";
import { conflictsOf, edited, goneIn, isIdle, type Code, type Edit, type Plan, type World } from "./team-oracle.ts";

const CONTENT = /^content\["(.+)"\]$/;

interface Request {
  readonly number: number;
  readonly edits: Edit[];
  head: string;
  /** Undefined if there can be no plan. */
  plan?: Plan | undefined;
  merged?: { readonly code: Code; readonly commit: string };
}

interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

export class Team {
  /** Every step so far, for a failing test's message. */
  readonly story: string[] = [];
  readonly requests: Request[] = [];
  main: Code;
  readonly world: World;
  readonly #desk: WalkDesk;
  readonly #host: CodeHost;
  readonly #api: LandformApi;
  #commits = 0;
  /** The requests whose plans have changed something, in order. */
  readonly #ran: Request[] = [];

  private constructor(desk: WalkDesk, host: CodeHost, refreshes: boolean, code: Code) {
    this.#desk = desk;
    this.#host = host;
    this.#api = new LandformApi(desk.emulator);
    this.main = code;
    this.world = { refreshes, state: structuredClone(code), live: structuredClone(code) };
  }

  static async begin(desk: WalkDesk, host: CodeHost, refreshes: boolean, code: Code): Promise<Team> {
    const team = new Team(desk, host, refreshes, code);
    team.#checkOut(code);
    const { code: ended, printed } = await team.#ci(["apply", "--replan"], {});
    expect(ended, printed).toBe(0);
    return team;
  }

  async open(edits: Edit[]): Promise<void> {
    const made = { number: this.requests.length + 1, edits: [], head: "" };
    this.requests.push(made);
    await this.push(made, edits);
  }

  /** Checks out the branch merged with the present main branch, as code hosts do. */
  async push(request: Request, edits: readonly Edit[]): Promise<void> {
    request.edits.push(...edits);
    request.head = this.#commit();
    const code = edited(this.main, request.edits);
    this.story.push(`request ${request.number}: ${JSON.stringify(edits)}`);
    this.#checkOut(code);
    const pull_request = { number: request.number, head: { sha: request.head, repo: { full_name: "acme/funnels" } } };
    this.#writes();
    const { code: ended, printed } = await this.#ci(["plan", "--plans", "plans"], { pull_request });
    const gone = goneIn(this.world, code);
    for (const resource of gone) expect(printed, this.#told(resource)).toContain(resource);
    expect(ended !== 0, this.#told(printed)).toBe(gone.length > 0);
    expect(this.#writes(), this.#told(printed)).toEqual([]);
    request.plan =
      gone.length > 0
        ? undefined
        : { code, state: structuredClone(this.world.state), live: structuredClone(this.world.live) };
  }

  merge(request: Request): void {
    this.main = edited(this.main, request.edits);
    request.merged = { code: this.main, commit: this.#commit() };
    const {
      number,
      head,
      merged: { commit },
    } = { ...request, merged: request.merged };
    this.#host.pulls.push({ number, head, merged: true, mergeCommit: commit, commits: [commit] });
    this.story.push(`merge of ${number}`);
  }

  async byHand(resource: string, path: string | undefined, value: string | number): Promise<void> {
    const fields = this.world.live[resource];
    if (fields === undefined) return;
    const [kind = "", name = ""] = resource.split(" ");
    const id = await this.#idOf(kind, name);
    if (path === undefined) {
      if (kind === "Page") await this.#api.pages.delete(id);
      else await this.#api.products.delete(id);
      Reflect.deleteProperty(this.world.live, resource);
      this.story.push(`by hand: ${resource} is deleted`);
      return;
    }
    const [, key] = CONTENT.exec(path) ?? [];
    // Nobody edits a product by hand.
    if (key === undefined) return;
    await this.#api.pages.updateContent({ page_id: id, updates: { [key]: String(value) } });
    fields[path] = value;
    this.story.push(`by hand: ${resource} ${path} = ${value}`);
  }

  /** Runs the job of a merge, for the first time or again. */
  async apply(request: Request): Promise<void> {
    const { number, plan, merged } = request;
    if (merged === undefined) throw new Error(`request ${number} is not merged`);
    const conflicts = plan === undefined ? ["no plan is kept"] : conflictsOf(this.world, plan, merged.code);
    const isOvertaken = this.#ran.includes(request) && this.#ran.at(-1) !== request;
    if (conflicts.length === 0 && isOvertaken && !isIdle(this.world, merged.code))
      conflicts.push("has been applied already");
    this.story.push(`apply of ${number}: ${conflicts.length === 0 ? "holds" : conflicts.join(", ")}`);
    this.#checkOut(merged.code);
    this.#writes();
    const { code, printed } = await this.#ci(["apply", "--plans", "plans"], {}, merged.commit);
    if (conflicts.length > 0) {
      expect(code, this.#told(printed)).toBe(3);
      for (const conflict of conflicts) expect(printed, this.#told(conflict)).toContain(conflict);
      expect(this.#writes(), this.#told(printed)).toEqual([]);
    } else {
      expect(code, this.#told(printed)).toBe(0);
      if (this.#writes().length > 0) this.#ran.push(request);
      this.#applied(merged.code);
    }
    await this.#lookAround(printed);
  }

  /** With a person's word, the last run brings everything to the code, and the plan after it is empty. */
  async end(): Promise<void> {
    this.story.push("the end");
    this.#checkOut(this.main);
    const last = await this.#ci(["apply", "--replan", "--refresh"], {});
    expect(last.code, this.#told(last.printed)).toBe(0);
    this.world.live = structuredClone(this.main);
    await this.#lookAround(last.printed);
    const next = await this.#desk.run("preview", "--refresh", "--detailed-exitcode");
    expect(next.code, this.#told(next.printed)).toBe(0);
    await this.#api.close();
  }

  /** Checks that the reviewed changes are there, and that other people's changes stay. */
  #applied(code: Code): void {
    const { world } = this;
    const before = world.refreshes ? world.live : world.state;
    for (const [resource, fields] of Object.entries(code)) {
      const was = before[resource];
      const changed = Object.entries(fields).filter(([path, value]) => was?.[path] !== value);
      if (changed.length > 0) world.live[resource] = { ...world.live[resource], ...Object.fromEntries(changed) };
    }
    for (const resource of Object.keys(world.state))
      if (code[resource] === undefined) Reflect.deleteProperty(world.live, resource);
    world.state = structuredClone(code);
  }

  async #lookAround(printed: string): Promise<void> {
    const live: Code = {};
    for (const { id, page_name: name } of await this.#api.pages.list()) {
      const { content } = await getContentMap(this.#api, { pageId: id });
      const declared = Object.keys(this.world.live[`Page ${name}`] ?? { "": "" });
      live[`Page ${name}`] = Object.fromEntries(
        declared.map((path) => [path, textOf(content[CONTENT.exec(path)?.[1] ?? ""])]),
      );
    }
    for (const { name, price } of this.#products()) live[`Product ${name}`] = { price };
    expect(live, this.#told(printed)).toEqual(this.world.live);
  }

  #products(): Product[] {
    return (this.#desk.emulator.records()["products"] ?? []) as unknown as Product[];
  }

  async #idOf(kind: string, name: string): Promise<string> {
    const found =
      kind === "Page"
        ? (await this.#api.pages.list()).find((page) => page.page_name === name)
        : this.#products().find((product) => product.name === name);
    return found?.id ?? "";
  }

  #checkOut(code: Code): void {
    const of = (kind: string) =>
      Object.entries(code).flatMap(([resource, fields]) =>
        resource.startsWith(`${kind} `) ? [[resource.slice(kind.length + 1), fields] as const] : [],
      );
    const pages = of("Page").map(([name, fields]) => [name, pageOf(name, fields)]);
    this.#desk.declare({
      landform: 1,
      name: "team",
      sites: { main: { name: "team.example" } },
      pages: Object.fromEntries(pages) as object,
      products: Object.fromEntries(of("Product")) as object,
    });
  }

  async #ci(args: readonly string[], event: object, commit = "f".repeat(40)): Promise<Command> {
    this.#desk.write("event.json", JSON.stringify(event));
    const variables = {
      GITHUB_ACTIONS: "true",
      GITHUB_API_URL: this.#host.url,
      GITHUB_REPOSITORY: "acme/funnels",
      GITHUB_EVENT_PATH: `${this.#desk.folder}/event.json`,
      GITHUB_SHA: commit,
      GITHUB_TOKEN: "job-token",
      LANDFORM_VERIFY: "false",
    };
    Object.assign(process.env, variables);
    const words = [
      "--foreign-edits",
      "include",
      ...(this.world.refreshes && !args.includes("--refresh") ? ["--refresh"] : []),
    ];
    try {
      return await this.#desk.run("ci", ...args, ...words);
    } finally {
      for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
    }
  }

  #writes(): string[] {
    const { requests } = this.#desk.emulator;
    const calls = requests.filter(
      ({ method, route }) => method !== "GET" && route !== "/pages/validate-before-publish",
    );
    requests.length = 0;
    return calls.map(({ method, path }) => `${method} ${path}`);
  }

  #commit(): string {
    this.#commits += 1;
    return this.#commits.toString(16).padStart(40, "0");
  }

  #told(printed: string): string {
    return `${this.story.join("\n")}\n---\n${printed}`;
  }
}

function pageOf(name: string, fields: Readonly<Record<string, string | number>>): object {
  const content = Object.fromEntries(
    Object.entries(fields).map(([path, value]) => [CONTENT.exec(path)?.[1] ?? path, value]),
  );
  const isPublic = name.startsWith("public");
  const own = { name, template: { id: "tpl-hero" }, content };
  return isPublic ? { ...own, variables: { brand: "Acme" }, publish: { site: "main", slug: name } } : own;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
