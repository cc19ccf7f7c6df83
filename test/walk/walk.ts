/** One walk: rounds of changes, each with its plan, its apply, and a second plan that must be empty. */
import fc from "fast-check";
import type { Fault } from "../../emulator/index.ts";
import { asked, rounds } from "../suite/parts.ts";
import { type Command, WalkDesk } from "./desk.ts";
import { accountOf, brokenPromises, unlikeProgram } from "./oracle.ts";
import { OPERATION_COUNT, operate } from "./operations/index.ts";
import { type Choice, fillIn, GONE, type Stack, type World } from "./operations/world.ts";
import { emptyProgram, entriesOf, manifestOf, type Section, TYPES, urnOf } from "./program.ts";

export interface Round {
  readonly choices: readonly Choice[];
  readonly refresh: boolean;
  /** The first failing write of the apply, and its failure. */
  readonly fault: { skip: number; method: number; how: number } | null;
  /** The only entry that the run is limited to. */
  readonly target: number | null;
  /** True if the round is about the second stack, once something has moved there. */
  readonly second: boolean;
}

const number = fc.nat(10_000);
const choice: fc.Arbitrary<Choice> = fc.record({ what: fc.nat(OPERATION_COUNT - 1), a: number, b: number, c: number });
/** Makes the value once in so many times, and else null. */
const rarely = <Value>(often: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: often - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

export const round: fc.Arbitrary<Round> = fc.record({
  choices: fc.array(choice, { minLength: 1, maxLength: 3 }),
  refresh: fc.boolean(),
  fault: rarely(4, fc.record({ skip: fc.nat(6), method: fc.nat(2), how: fc.nat(3) })),
  target: rarely(8, number),
  second: fc.boolean(),
});

export const ROUNDS = 12;
export const walks = (length = ROUNDS): fc.Arbitrary<Round[]> =>
  fc.array(round, { minLength: length, maxLength: length });

/** Returns the number of walks. LANDFORM_WALKS overrides it. */
export function walkCount(times: Parameters<typeof rounds>[0]): number {
  const { LANDFORM_WALKS } = process.env;
  return LANDFORM_WALKS === undefined ? rounds(times) : Number(LANDFORM_WALKS);
}

/**
 * Runs new walks before a release or with LANDFORM_SEED, and the same walks otherwise. LANDFORM_WALK names some of them by their numbers, and
 * LANDFORM_MINUTES ends them after some time. All walks run to their end, whatever they find.
 */
export async function walkAll(of: fc.Arbitrary<Round[]>, numRuns: number, engine: Engine): Promise<void> {
  const { LANDFORM_SEED, LANDFORM_WALK, LANDFORM_MINUTES } = process.env;
  const until = Date.now() + Number(LANDFORM_MINUTES ?? Infinity) * 60_000;
  const fresh = asked === "soak" ? Date.now() % 2 ** 31 : 20;
  const seed = LANDFORM_SEED === undefined ? fresh : Number(LANDFORM_SEED);
  const chosen = LANDFORM_WALK?.split(",").map(Number);
  const found: string[] = [];
  for (const [index, rounds] of fc.sample(of, { numRuns, seed }).entries()) {
    if (chosen?.includes(index) === false) continue;
    if (Date.now() > until) {
      process.stderr.write(`${index} of ${numRuns} walks in ${LANDFORM_MINUTES ?? ""} minutes\n`);
      break;
    }
    try {
      await Walk.run(rounds, engine);
    } catch (error) {
      const story = `LANDFORM_SEED=${seed} LANDFORM_WALK=${index}:\n${error instanceof Error ? error.message : String(error)}`;
      // The last of many walks is far away.
      process.stderr.write(`${story}\n\n`);
      found.push(story);
    }
  }
  if (found.length > 0) throw new Error(`${found.length} of ${numRuns} walks:\n${found.join("\n\n")}`);
}

type Engine = WalkDesk["engine"];

class Walk {
  readonly #desk: WalkDesk;
  readonly #dev: World;
  readonly #two: World;
  readonly #story: string[] = [];

  private constructor(desk: WalkDesk) {
    this.#desk = desk;
    const names = { made: 0 };
    const world = (stack: Stack) => ({
      ...{ desk, stack, names, program: emptyProgram(), applied: undefined },
      ...{ byHand: new Set<string>(), drafted: new Set<string>(), excuses: [], advised: new Set<string>() },
    });
    this.#two = world("two");
    this.#dev = { ...world("dev"), second: this.#two };
  }

  static async run(rounds: readonly Round[], engine: Engine): Promise<void> {
    const walk = new Walk(await WalkDesk.open(engine));
    const { program } = walk.#dev;
    program.sites["main"] = { name: "main.example" };
    program.pages["home"] = {
      template: "tpl-hero",
      content: { "hero.title": "Hello {{brand}}" },
      variables: { brand: "Acme", support_email: "help@acme.example" },
      publish: { site: "main", slug: "" },
    };
    try {
      await walk.#apply(walk.#dev, [], null);
      for (const next of rounds) await walk.#round(next);
    } catch (error) {
      throw new Error(`${walk.#story.join("\n")}\n${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    } finally {
      await walk.#desk.close();
    }
  }

  async #round(round: Round): Promise<void> {
    const before = this.#second;
    await this.#roundOf(round.second && before > 0 ? this.#two : this.#dev, round);
    // The moved entries are in the other stack, and nothing is left to do.
    if (this.#second !== before && !round.second) await this.#apply(this.#two, [], null);
  }

  /** Returns the number of entries in the second stack. */
  get #second(): number {
    return entriesOf(this.#two.program).length;
  }

  async #roundOf(world: World, { choices, refresh, fault, target }: Round): Promise<void> {
    const lastGood = structuredClone(world.program);
    // Work that targets left keeps the reasons of its own step.
    if (world.applied !== undefined) world.excuses.length = 0;
    // Variables may be gone since the page was made.
    world.excuses.push(/without a value(?: \(in [^)]*\))?, so that it can't be published/);
    // Somebody deleted one before, and no refresh has been applied since.
    if (world.byHand.size > 0) world.excuses.push(...GONE);
    for (const one of choices) this.#tell(await operate(world, one));
    const options = [...(refresh ? ["--refresh"] : []), ...targetOf(world, target)];
    const where = world.stack === "dev" ? "" : ` of ${world.stack}`;
    this.#tell(
      `— ${options.join(" ") || "up"}${where}${fault === null ? "" : ` with a fault ${JSON.stringify(fault)}`}`,
    );
    const hasTargets = options.includes("--target");
    world.excuses.push(...this.#pathsLeftOut(world, hasTargets));
    if (hasTargets) world.excuses.push(/Target it too/, /of this stack already/);
    if (await this.#apply(world, options, fault)) return;
    if (world.advised.delete("--refresh")) {
      this.#tell("— with --refresh, as advised");
      if (await this.#apply(world, ["--refresh"], null)) return;
    }
    // The walk takes refused changes back, and adopts no missing object. Then it goes on.
    this.#tell("— taken back");
    world.program = lastGood;
    const there = new Set(accountOf(this.#desk).keys());
    const lost = new Set(this.#desk.state(world.stack).flatMap(({ urn, id }) => (there.has(id) ? [] : [urn])));
    for (const { section, key, entry } of entriesOf(lastGood)) {
      // A page that is made anew from its template keeps no value of the deleted page.
      if (lost.has(urnOf(world.stack, section, key))) fillIn(entry);
      if (entry.adoptId === undefined || there.has(entry.adoptId)) continue;
      // A blank page has none of the texts of its original.
      if (entry.template === undefined) delete entry.content;
      delete entry.adoptId;
    }
    // The state has moved, whatever happened to the plan.
    for (const { section, key } of entriesOf(this.#two.program))
      if (world !== this.#two) Reflect.deleteProperty(lastGood[section], key);
    await this.#apply(
      world,
      options.filter((option) => option === "--refresh"),
      null,
    );
  }

  /** Returns false if the plan was refused, and rightly so. */
  async #apply(world: World, options: readonly string[], fault: Round["fault"]): Promise<boolean> {
    const desk = this.#desk;
    const stack = ["--stack", world.stack];
    desk.declare(manifestOf(world.program));
    world.applied = undefined;
    const before = accountOf(desk);
    const decided = ["--foreign-edits", "include", ...stack, ...options];
    const plan = await desk.run("preview", ...decided);
    if (plan.code !== 0) {
      this.#expectNothing(
        "a refused plan changed something",
        brokenPromises(before, accountOf(desk), { ...plan.report, changes: [] }, new Map()),
      );
      return this.#excused(world, plan, "preview");
    }
    const up = ["up", "--yes", "--force", ...decided];
    if (fault !== null) {
      for (const one of faultsOf(fault)) desk.emulator.faults.add(one);
      await desk.run(...up);
      desk.emulator.faults.clear();
    }
    const applied = await desk.run(...up);
    if (applied.code !== 0 && isForetold(plan, applied)) {
      this.#tell("— refused on the way, as the plan says that it may be");
      return false;
    }
    if (applied.code !== 0)
      throw new Error(`up was refused after a plan that was not:\n${told(plan)}\n${told(applied)}`);
    const after = accountOf(desk);
    const ids = new Map(desk.state(world.stack).map(({ urn, id }) => [urn, id]));
    if (fault === null)
      this.#expectNothing("the plan was not kept", brokenPromises(before, after, plan.report, ids), plan, applied);
    if (options.includes("--refresh") && options.length === 1) seen(world, new Set(ids.values()));
    await this.#expectNoMore([...stack, ...options], plan, applied);
    this.#expectNothing("the account is unlike the program", this.#unlike(world, after, options), plan, applied);
    if (!options.includes("--target")) world.applied = structuredClone(world.program);
    return true;
  }

  async #expectNoMore(options: readonly string[], ...earlier: Command[]): Promise<void> {
    const again = await this.#desk.run("preview", ...options, "--detailed-exitcode");
    const { failures } = again.report;
    // Only now the dependents of a renamed target are found by its new name, and they have to be targets, too.
    const isLeft =
      failures.length > 0 && failures.every(({ message }) => /is not targeted. Target it too/.test(message));
    if (options.includes("--target") && isLeft) return;
    if (again.code !== 0)
      throw new Error(`a second plan is not empty:\n${earlier.map(told).join("\n")}\n${told(again)}`);
  }

  #unlike(
    { program, byHand, drafted, stack }: World,
    account: ReturnType<typeof accountOf>,
    options: readonly string[],
  ): string[] {
    const state = this.#desk.state(stack);
    const idOf = (section: Section, key: string): string | undefined =>
      state.find(({ urn }) => urn.endsWith(`landform:${TYPES[section]}::${key}`))?.id;
    const target = options.at(-1);
    const isLeftOut = (section: Section, key: string, id: string | undefined): boolean =>
      (id !== undefined && byHand.has(id)) || (options.includes("--target") && target !== `${TYPES[section]}/${key}`);
    return unlikeProgram(account, { program, idOf, isLeftOut, isDraft: (id) => drafted.has(id) });
  }

  #excused({ excuses, advised }: World, command: Command, what: string): boolean {
    const { failures } = command.report;
    const unexplained = failures.filter(({ message }) => !excuses.some((excuse) => excuse.test(message)));
    if (failures.some(({ message }) => ADVISED.test(message))) advised.add("--refresh");
    if (failures.length > 0 && unexplained.length === 0) {
      this.#tell(`— refused: ${failures.map(({ message }) => message.slice(0, 120)).join("; ")}`);
      return false;
    }
    throw new Error(`${what} failed without a reason that was given to it:\n${told(command)}`);
  }

  /** A page outside of this stack or of its targets keeps its path. */
  #pathsLeftOut({ stack }: World, hasTargets: boolean): RegExp[] {
    const own = new Set(hasTargets ? [] : this.#desk.state(stack).map(({ id }) => id));
    const pages = this.#desk.emulator.records()["pages"] ?? [];
    return pages
      .filter(({ id }) => !own.has(id))
      .map(({ id }) => new RegExp(`is taken on this site by ".*" \\(${id}\\)`));
  }

  #expectNothing(what: string, found: readonly string[], ...commands: Command[]): void {
    if (found.length > 0) throw new Error(`${what}:\n${found.join("\n")}\n${commands.map(told).join("\n")}`);
  }

  #tell(line: string | undefined): void {
    if (line !== undefined) this.#story.push(line);
  }
}

function targetOf({ program }: World, target: number | null): string[] {
  const entries = entriesOf(program);
  const entry = target === null ? undefined : entries[target % Math.max(entries.length, 1)];
  return entry === undefined ? [] : ["--target", `${TYPES[entry.section]}/${entry.key}`];
}

/** Notes a refresh: it has seen people's edits, except on objects that aren't managed. Those stay in the draft, and are adopted with the object. */
function seen({ byHand, drafted }: World, managed: ReadonlySet<string>): void {
  for (const id of byHand) if (!managed.has(id)) drafted.add(id);
  byHand.clear();
}

/** A possible refusal is certain only once the referenced object exists. */
function isForetold({ report }: Command, { report: { failures } }: Command): boolean {
  const names = report.changes.flatMap(({ perhaps, name }) => (perhaps === "refuse" ? [`"${name}"`] : []));
  return failures.length > 0 && failures.every(({ message }) => names.some((name) => message.includes(name)));
}

const ADVISED = /With --refresh \(preview and up\) it is made anew|There is no \w+ with the id/;

/** Returns the faults: a refused call, one that the service can't do now, or one whose answer is lost. */
function faultsOf({ skip, method, how }: NonNullable<Round["fault"]>): Fault[] {
  const calls = { method: ["POST", "PATCH", "DELETE"][method] ?? "POST", skip };
  if (how === 3) return [{ ...calls, phase: "after", times: 1 }];
  return [{ ...calls, phase: "status", status: how === 2 ? 500 : 403, times: how === 1 ? 3 : 1 }];
}

function told({ code, printed }: Command): string {
  return `[exit ${code}]\n${printed.replace(/\n{2,}/g, "\n")}`;
}
