/** What is asked of an environment, put together from the options, from its record, and from its base. */
import { randomBytes } from "node:crypto";
import { configWith } from "../project/account.ts";
import { settingsOf } from "../project/settings.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { LookupError } from "../../provider/definition/collection.ts";
import { baseObjects, namedObjects } from "../../provider/preview/base.ts";
import type { NamedObject, PreviewFacts } from "../../provider/preview/facts.ts";
import { TOKEN_LENGTH, tokenFrom } from "../../provider/preview/names.ts";
import { UsageError } from "../exit/codes.ts";
import type { StackSession } from "../run/session.ts";
import { type ReadStack, refuseOtherAccount } from "./base.ts";
import { choiceIn, refuseOtherRepository } from "./choice.ts";
import { type EnvironmentRecord, recordIn, tokenIn } from "./record.ts";
import type { UpOptions } from "./types.ts";

export const DEFAULT_TTL_DAYS = 14;

interface Around {
  readonly base: ReadStack | undefined;
  readonly commit: string | undefined;
  readonly repository: string | undefined;
}

/** To be called once nobody else can bring it up. */
export async function factsFor(
  session: StackSession,
  options: UpOptions,
  { base, commit, repository }: Around,
): Promise<PreviewFacts> {
  const states = (await session.engine.records()) ?? [];
  const before = recordIn(states);
  if (before === undefined) refuseOthers(session, states.length);
  else {
    refuseOtherSeed(before, options);
    refuseOtherRepository(before, repository);
  }
  const named = await namedIn(session, options, before);
  if (base && (named["site"] === undefined || named["project"] === undefined)) await refuseOtherAccount(session, base);
  const { pr = before?.pr, branch = before?.branch } = choiceIn(options);
  return {
    environment: {
      name: session.folder.stack,
      ...(branch !== undefined && { branch }),
      ...(pr !== undefined && { pr }),
      ...(commit !== undefined && { commit }),
      ...(repository !== undefined && { repository }),
      ...(base && { base: base.name }),
      slugStyle: options.slugStyle ?? before?.slugStyle ?? "path",
      hooks: options.hooks === true,
      drafts: options.drafts === true,
      seed: options.seed ?? before?.seed ?? false,
      ttlDays: options.ttl ?? before?.ttlDays ?? DEFAULT_TTL_DAYS,
    },
    token: tokenIn(states) ?? tokenFrom(randomBytes(TOKEN_LENGTH)),
    named,
    base: baseObjects(base?.resources ?? []),
  };
}

/** The stack itself is there, and perhaps its provider; a resource is somebody's. */
function refuseOthers({ folder }: StackSession, resources: number): void {
  const NOTHING_YET = 2;
  if (resources <= NOTHING_YET) return;
  throw new UsageError(
    `the stack ${folder.stack} has ${resources} resources and is no preview environment, so it is left alone. Give it another name, or take it away with npx landform destroy`,
  );
}

/** What its pages are copies of is fixed when they are made. */
function refuseOtherSeed({ name, seed }: EnvironmentRecord, options: UpOptions): void {
  if (options.seed !== true || seed) return;
  throw new UsageError(
    `${name} was brought up without --seed, and its pages can't become copies of the base's now. Take it down first: npx landform env down ${name}`,
  );
}

async function namedIn(
  session: StackSession,
  options: UpOptions,
  before: EnvironmentRecord | undefined,
): Promise<Record<string, NamedObject>> {
  const { config } = session.folder;
  const setting = (key: string): string | undefined => {
    const value = config.get(key);
    return typeof value === "string" ? value : undefined;
  };
  const {
    site = setting("landform:previewSite") ?? before?.site?.id,
    project = setting("landform:previewProject") ?? before?.project,
  } = options;
  if (site === undefined && project === undefined) return {};
  const api = new LandformApi(configWith(await settingsOf(session.folder)));
  try {
    return await namedObjects(api, { site, project });
  } catch (error) {
    throw error instanceof LookupError ? new UsageError(error.message, { cause: error }) : error;
  } finally {
    await api.close();
  }
}
