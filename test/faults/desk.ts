/** A stack and its account, which the test can put back to any point of a life. It records the calls of a life, and the state before each phase. */
import { startEmulator, type Emulator, type NotShown } from "../../emulator/index.ts";
import { contents, type Account } from "./oracle.ts";
import { prepare, type Ground, type Scenario } from "./scenarios.ts";
import { Stack, type KeptStack, type Ran, type Service } from "./stack.ts";

/** A call that changes something, in one phase of a scenario. */
export interface Call {
  readonly phase: number;
  readonly method: string;
  readonly route: string;
  /** The calls of the same method and route before it, in its phase. */
  readonly skip: number;
  /** The calls of any kind before it, in its phase. */
  readonly before: number;
}

/** The calls and the result of a scenario without faults. */
export type Reference = Readonly<{ scenario: Scenario; calls: readonly Call[]; desk: Desk; phases: readonly Phase[] }>;

export interface Phase {
  readonly start: Moment;
  /** The content of the account after it. */
  readonly expected: Record<string, string[]>;
}

/** The content of the account and the stack at some point. */
type Moment = Readonly<{ account: Account; stack: KeptStack }>;

export class Desk {
  readonly emulator: Emulator;
  readonly ground: Ground;
  readonly before: Account;
  stack = new Stack("dev");
  readonly service: Service;

  private constructor(emulator: Emulator, ground: Ground) {
    this.emulator = emulator;
    this.ground = ground;
    this.before = emulator.records();
    this.service = { baseUrl: emulator.baseUrl, apiKey: emulator.apiKey };
  }

  /** `notShown`: the service's choices where the specification is open. */
  static async open(notShown: Partial<NotShown> = {}): Promise<Desk> {
    const emulator = await startEmulator({ notShown });
    return new Desk(emulator, await prepare(emulator));
  }

  async close(): Promise<void> {
    this.stack.close();
    await this.emulator.close();
  }

  keep(): Moment {
    return { account: this.emulator.records(), stack: this.stack.keep() };
  }

  /** Puts both back to a moment, with a healthy service. */
  putBack({ account, stack }: Moment): void {
    const { emulator } = this;
    emulator.faults.clear();
    emulator.notShown.listLagMs = 0;
    emulator.requests.length = 0;
    Reflect.deleteProperty(emulator.requests, "push");
    emulator.restore(account);
    this.stack.putBack(stack);
  }

  /** Runs a phase. The last phase of a life is its destruction. */
  run(scenario: Scenario, phase: number, service: Partial<Service> = {}): Promise<Ran> {
    return this.stack.up({ ...this.service, ...service }, scenario.programs(this.ground)[phase] ?? []);
  }
}

/** A POST that changes nothing. */
export const CHECK = "/pages/validate-before-publish";

/** Returns the changing calls among the recorded ones. */
export const changesIn = ({ requests }: Emulator, phase: number): Call[] =>
  requests.flatMap(({ method, route }, before): Call[] => {
    if (method === "GET" || route === CHECK) return [];
    const skip = requests.slice(0, before).filter((one) => one.method === method && one.route === route).length;
    return [{ phase, method, route, skip, before }];
  });

/** Returns the reference of a scenario. The caller closes its desk. */
export async function referenceOf(scenario: Scenario, notShown: Partial<NotShown> = {}): Promise<Reference> {
  const desk = await Desk.open(notShown);
  const calls: Call[] = [];
  const phases: Phase[] = [];
  for (let phase = 0; phase <= scenario.programs(desk.ground).length; phase++) {
    const start = desk.keep();
    desk.emulator.requests.length = 0;
    const { error } = await desk.run(scenario, phase);
    if (error !== undefined) throw error;
    phases.push({ start, expected: contents(desk.emulator.records()) });
    calls.push(...changesIn(desk.emulator, phase));
  }
  return { scenario, calls, desk, phases };
}
