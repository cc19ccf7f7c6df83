/** A party that works on the account. All its calls go through a proxy of its own, which knows the objects that it made and changed. */
import type { Scheduler } from "fast-check";
import type { Emulator } from "../../emulator/index.ts";
import { Between, type Asked } from "./between.ts";
import type { Service } from "./stack.ts";

/** Paths of calls that create: the object in the answer belongs to the caller. */
const MAKES = /^\/(projects|sites|funnels|products|hooks|quizzes|pages)(\/from-template|\/duplicate)?$/;
const ID = /(page|proj|site|funnel|prod|hook)_\w+/g;

export class Party {
  readonly name: string;
  readonly service: Service;
  readonly made = new Set<string>();
  readonly trespasses: string[] = [];
  readonly #between: Between;

  private constructor(name: string, between: Between, service: Service) {
    this.name = name;
    this.#between = between;
    this.service = service;
    between.change = (answered, asked) => {
      if (answered.status < 300) this.#note(asked, answered.text);
      return answered;
    };
  }

  static async open(name: string, emulator: Emulator): Promise<Party> {
    const between = new Between(emulator);
    return new Party(name, between, { baseUrl: await between.listen(), apiKey: emulator.apiKey, timeoutMs: 30_000 });
  }

  /** The scheduler decides from now on when a call of this party goes on. */
  waitFor(scheduler: Scheduler): void {
    this.#between.turn = ({ method, path }) =>
      scheduler.schedule(Promise.resolve(), `${this.name}: ${method} ${path}`).then(() => undefined);
  }

  goOn(): void {
    this.#between.turn = () => Promise.resolve();
  }

  close(): void {
    this.#between.close();
  }

  #note({ method, path, body }: Asked, answer: string): void {
    if (method === "GET" || path === "/pages/validate-before-publish") return;
    if (method === "POST" && MAKES.test(path)) {
      this.made.add((JSON.parse(answer) as { id: string }).id);
      return;
    }
    const own = targetOf(path, body);
    if (own !== undefined && !this.made.has(own)) this.trespasses.push(`${method} ${path} ${own}`);
  }
}

/** Returns the only object that a call changes. Pages and sites that it only refers to don't count. */
function targetOf(path: string, body: string): string | undefined {
  const [inPath] = path.match(ID) ?? [];
  if (inPath !== undefined) return inPath;
  const fields = (body === "" ? {} : JSON.parse(body)) as Record<string, unknown>;
  const target = fields["page_id"] ?? fields["funnel_id"] ?? fields["product_id"];
  return typeof target === "string" ? target : undefined;
}

const NEXT_MS = 15;

/** Runs the parties one call at a time. The scheduler chooses among the waiting calls. */
export async function inTurns(scheduler: Scheduler, work: readonly Promise<unknown>[]): Promise<void> {
  let live = work.length;
  for (const one of work) {
    const ended = (): void => {
      live--;
    };
    void one.then(ended, ended);
  }
  while (live > 0) {
    // Until everybody waits. It doesn't wait for a party that thinks or sleeps.
    const since = Date.now();
    while (live > 0 && scheduler.count() < live && Date.now() - since < NEXT_MS)
      await new Promise((resolve) => setImmediate(resolve));
    if (scheduler.count() > 0) await scheduler.waitNext(1);
  }
  await Promise.all(work);
}
