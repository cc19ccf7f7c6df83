/** What a plan asks of the account before anything is sent: whose it is, what is in the way, what the key may do. */
import { identityFor, ownIn } from "../../provider/reconcile/identity.ts";
import type { Engine } from "../engines/types.ts";
import type { StackFolder } from "../project/open.ts";
import { settingsOf, type StackSettings } from "../project/settings.ts";
import { UsageError } from "../exit/codes.ts";
import type { ForeignEditsWords, PlannedChanges } from "./planned.ts";
import { accountOfKey, lackingFor, preflight, stayingIn } from "./preflight.ts";
import { makesWhatStays } from "./scopes.ts";
import { hasChanges } from "../../story/words.ts";
import { withAdopted } from "../report/adopted-urls.ts";
import type { Planned } from "../report/build.ts";
import type { Report } from "../report/model.ts";
import type { Redactor } from "../report/redact.ts";
import { withStays } from "../report/stays.ts";
import type { Opened } from "../run/opened.ts";
import type { Unsaved } from "../run/unsaved.ts";

/** What is asked about: a report shows the same without its secrets. */
type Asked = Pick<Planned, "changes" | "told">;

interface Foreseen {
  report: Report;
  /** The accounts that the plan is for. */
  accounts: Readonly<Record<string, string>>;
  /** The warnings that an account could not be asked at all. */
  unasked: readonly string[];
}

export class AccountLook {
  readonly #folder: StackFolder;
  readonly #engine: Pick<Engine, "creations">;
  readonly #redactor: Redactor;
  readonly #unsaved: Unsaved;

  constructor({ folder, engine, redactor, unsaved }: Opened) {
    this.#folder = folder;
    this.#engine = engine;
    this.#redactor = redactor;
    this.#unsaved = unsaved;
  }

  /** What was found; nothing where nothing had to be asked. */
  async foresee(report: Report, asked: Asked, words: ForeignEditsWords): Promise<Foreseen | undefined> {
    const { impact } = report;
    if (!isToBeDone(report) || impact === undefined) return undefined;
    const found = await preflight(await this.#settings(), this.#toPlan(report, asked), words);
    const { failures, warnings, unasked, unproven, staying, adopted } = this.#redactor.value(found);
    const whole: Report = {
      ...withStays(report, staying),
      result: failures.length > 0 ? "failed" : report.result,
      failures,
      warnings: [...report.warnings, ...unasked, ...warnings],
      impact: { ...impact, urls: withAdopted(impact.urls, adopted), unproven },
    };
    return { report: whole, accounts: found.accounts, unasked };
  }

  /** What a planned destruction has to leave in the account. */
  async withStaying(report: Report, asked: Asked): Promise<Report> {
    if (!isToBeDone(report)) return report;
    return withStays(report, await stayingIn(await this.#settings(), this.#toPlan(report, asked)));
  }

  /** Whose key the environment has. */
  async account(): ReturnType<typeof accountOfKey> {
    return accountOfKey(await this.#settings());
  }

  /** The calls that ask are about objects that cannot exist. */
  async proveScopes(report: Report, asked: Asked): Promise<void> {
    if ((report.impact?.unproven ?? []).length === 0 || !makesWhatStays(asked.changes)) return;
    const refused = await lackingFor(await this.#settings(), this.#toPlan(report, asked));
    if (refused.length > 0) throw new UsageError(refused.join("\n"));
  }

  #toPlan({ pending }: Report, { changes, told }: Asked): PlannedChanges {
    const begun = new Set(pending.flatMap(({ operation, urn }) => (operation === "creating" ? [urn] : [])));
    let made: Promise<ReadonlySet<string>> | undefined;
    const isBegun = async (urn: string): Promise<boolean> =>
      begun.has(urn) || this.#unsaved.begun(urn) || (await (made ??= this.#made())).has(ownIn(identityFor(urn)));
    return { changes, told, isBegun };
  }

  /** What our record has, and no state: a killed run of plain `pulumi up` may have left nothing else. */
  async #made(): Promise<ReadonlySet<string>> {
    return new Set((await this.#engine.creations()).made.map(({ own }) => own));
  }

  /** Of the account; secrets among them are never shown from then on. */
  async #settings(): Promise<StackSettings> {
    const settings = await settingsOf(this.#folder);
    this.#redactor.learn(settings.secrets);
    return settings;
  }
}

function isToBeDone(report: Report): boolean {
  return report.result === "succeeded" && hasChanges(report);
}
