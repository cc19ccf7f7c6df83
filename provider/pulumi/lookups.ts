/**
 * Lookups for programs: each as a plain function that reads at once, and as one that takes and gives outputs. The account
 * is the program's own (environment, then stack configuration), or the one that the options describe.
 */
import * as pulumi from "@pulumi/pulumi";
import { ApiError, LandformApi, resolveConfig } from "../api/index.ts";
import { leadToGuide } from "../guide.ts";
import * as lookups from "../lookups/index.ts";

export interface LookupOptions {
  /** Another account than the program's: what {@link Account} takes, as plain values. */
  readonly account?: {
    readonly baseUrl: string;
    readonly apiKeyEnv: string;
    readonly timeoutMs?: number;
    readonly maxConcurrency?: number;
    readonly requestsPerSecond?: number;
  };
}

const clients = new Map<string, LandformApi>();

/** The client for an account, made once a process. */
export function clientFor({ account }: LookupOptions = {}): LandformApi {
  const name = JSON.stringify(account ?? null);
  const client = clients.get(name) ?? new LandformApi(configFor({ account }));
  clients.set(name, client);
  return client;
}

function configFor({ account }: LookupOptions): ReturnType<typeof resolveConfig> {
  if (account) {
    const { apiKeyEnv, ...settings } = account;
    return resolveConfig({ LANDFORM_API_KEY: process.env[apiKeyEnv] }, settings);
  }
  const config = new pulumi.Config("landform");
  const settings = ["baseUrl", "apiKey", "timeoutMs", "maxConcurrency", "requestsPerSecond"];
  return resolveConfig(process.env, Object.fromEntries(settings.map((setting) => [setting, config.get(setting)])));
}

type Lookup<Args, Result> = (api: LandformApi, args: Args) => Promise<Result>;
/** What gives everything unless it is told otherwise. */
type ListLookup<Args, Result> = (api: LandformApi, args?: Args) => Promise<Result>;
type Wrapped<Args> = Args extends unknown ? { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> } : never;

/** An error that ends the program is printed with its message, and with whatever properties it shows. */
async function guided<Result>(
  work: (api: LandformApi) => Promise<Result>,
  options: LookupOptions | undefined,
): Promise<Result> {
  try {
    return await work(clientFor(options));
  } catch (error) {
    if (error instanceof ApiError || error instanceof lookups.LookupError) {
      leadToGuide(error);
      for (const name of Object.keys(error)) Object.defineProperty(error, name, { enumerable: false });
    }
    throw error;
  }
}

const plain =
  <Args, Result>(lookup: Lookup<Args, Result>) =>
  (args: Args, options?: LookupOptions): Promise<Result> =>
    guided((api) => lookup(api, args), options);

const output =
  <Args, Result>(lookup: Lookup<Args, Result>) =>
  (args: Wrapped<Args>, options?: LookupOptions): pulumi.Output<Result> =>
    (pulumi.output(args) as unknown as pulumi.Output<Args>).apply((known) => plain(lookup)(known, options));

const plainList =
  <Args extends object, Result>(lookup: ListLookup<Args, Result>) =>
  (args?: Args, options?: LookupOptions): Promise<Result> =>
    guided((api) => lookup(api, args), options);

const outputList =
  <Args extends object, Result>(lookup: ListLookup<Args, Result>) =>
  (args?: Wrapped<Args>, options?: LookupOptions): pulumi.Output<Result> =>
    output((api: LandformApi, known?: Args) => lookup(api, known))(args, options);

/** The account that the API key belongs to. */
export const getAccount = (options?: LookupOptions) => guided(lookups.getAccount, options);
/** The account that the API key belongs to. */
export const getAccountOutput = (options?: LookupOptions) => pulumi.output(getAccount(options));
/** Counts of what is in the account. */
export const getCounts = (options?: LookupOptions) => guided(lookups.getCounts, options);
/** Counts of what is in the account. */
export const getCountsOutput = (options?: LookupOptions) => pulumi.output(getCounts(options));
/** One project, by its id or its exact name. */
export const getProject = plain(lookups.getProject);
/** One project, by its id or its exact name. */
export const getProjectOutput = output(lookups.getProject);
/** All projects, or the first `limit`. */
export const listProjects = plainList(lookups.listProjects);
/** All projects, or the first `limit`. */
export const listProjectsOutput = outputList(lookups.listProjects);
/** One site, by its id or its exact name. */
export const getSite = plain(lookups.getSite);
/** One site, by its id or its exact name. */
export const getSiteOutput = output(lookups.getSite);
/** All sites, or those that the filter lets through. */
export const listSites = plainList(lookups.listSites);
/** All sites, or those that the filter lets through. */
export const listSitesOutput = outputList(lookups.listSites);
/** One page, by its id or its exact name. */
export const getPage = plain(lookups.getPage);
/** One page, by its id or its exact name. */
export const getPageOutput = output(lookups.getPage);
/** All pages, or those that the filter lets through. */
export const listPages = plainList(lookups.listPages);
/** All pages, or those that the filter lets through. */
export const listPagesOutput = outputList(lookups.listPages);
/** The content keys of a page, with their values. */
export const getContentMap = plain(lookups.getContentMap);
/** The content keys of a page, with their values. */
export const getContentMapOutput = output(lookups.getContentMap);
/** The builder's tree of a page. */
export const getBuilderTree = plain(lookups.getBuilderTree);
/** The builder's tree of a page. */
export const getBuilderTreeOutput = output(lookups.getBuilderTree);
/** One node of a page's builder. */
export const getBuilderNode = plain(lookups.getBuilderNode);
/** One node of a page's builder. */
export const getBuilderNodeOutput = output(lookups.getBuilderNode);
/** One template, by its id or its exact name. */
export const getTemplate = plain(lookups.getTemplate);
/** One template, by its id or its exact name. */
export const getTemplateOutput = output(lookups.getTemplate);
/** Templates; the service gives 100 at most. */
export const listTemplates = plainList(lookups.listTemplates);
/** Templates; the service gives 100 at most. */
export const listTemplatesOutput = outputList(lookups.listTemplates);
/** One quiz, by its id or its exact name. */
export const getQuiz = plain(lookups.getQuiz);
/** One quiz, by its id or its exact name. */
export const getQuizOutput = output(lookups.getQuiz);
/** All quizzes, or those that the filter lets through. */
export const listQuizzes = plainList(lookups.listQuizzes);
/** All quizzes, or those that the filter lets through. */
export const listQuizzesOutput = outputList(lookups.listQuizzes);
/** One funnel, by its id or its exact name. */
export const getFunnel = plain(lookups.getFunnel);
/** One funnel, by its id or its exact name. */
export const getFunnelOutput = output(lookups.getFunnel);
/** All funnels, or those of a project. */
export const listFunnels = plainList(lookups.listFunnels);
/** All funnels, or those of a project. */
export const listFunnelsOutput = outputList(lookups.listFunnels);
/** One video, by its id or its exact name. */
export const getVideo = plain(lookups.getVideo);
/** One video, by its id or its exact name. */
export const getVideoOutput = output(lookups.getVideo);
/** All videos, or the first `limit`. */
export const listVideos = plainList(lookups.listVideos);
/** All videos, or the first `limit`. */
export const listVideosOutput = outputList(lookups.listVideos);
/** One product, by its id or its exact name. */
export const getProduct = plain(lookups.getProduct);
/** One product, by its id or its exact name. */
export const getProductOutput = output(lookups.getProduct);
/** All products, or those that the filter lets through. */
export const listProducts = plainList(lookups.listProducts);
/** All products, or those that the filter lets through. */
export const listProductsOutput = outputList(lookups.listProducts);
/** Leads; the service gives 50 at most. */
export const listLeads = plainList(lookups.listLeads);
/** Leads; the service gives 50 at most. */
export const listLeadsOutput = outputList(lookups.listLeads);
/** An example of what is delivered for an event. */
export const getHookSample = plain(lookups.getHookSample);
/** An example of what is delivered for an event. */
export const getHookSampleOutput = output(lookups.getHookSample);
