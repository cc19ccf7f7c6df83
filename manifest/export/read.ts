/** Reads an account with few calls: lists of 100, and one content map a page. Nothing is written. */
import { ForbiddenError, NotFoundError, type LandformApi } from "../../provider/api/index.ts";
import type { Account, Funnel, Page, Product, Project, Site, Video } from "../../provider/api/index.ts";
import type { Kind } from "../../provider/registry.ts";
import { ContentFields } from "../../provider/resources/pages/content-map.ts";

export interface Progress {
  readonly what: string;
  readonly done: number;
  /** Not known while lists are read. */
  readonly total: number | undefined;
}

export interface ReadOptions {
  /** Only what belongs to this project, and the project itself. */
  readonly project?: string;
  readonly include?: readonly Kind[];
  readonly onProgress?: (progress: Progress) => void;
}

export interface AccountRecords {
  /** Undefined where the key may not ask for it. */
  readonly account: Account | undefined;
  readonly projects: readonly Project[];
  readonly sites: readonly Site[];
  /** Quizzes, too: they are pages. */
  readonly pages: readonly Page[];
  readonly funnels: readonly Funnel[];
  readonly products: readonly Product[];
  readonly videos: readonly Video[];
  /** By page id. */
  readonly contents: ReadonlyMap<string, ContentFields>;
  /** Everything of the kinds that were read, not of one project alone. */
  readonly whole: boolean;
  readonly warnings: readonly string[];
}

/** Hooks are never listed. Of a video most settings can't be read, so videos come only when they are asked for. */
export const defaultKinds: readonly Kind[] = ["project", "site", "page", "quiz", "product", "funnel"];

const MAPS_AT_ONCE = 8;

export async function readAccount(api: LandformApi, options: ReadOptions = {}): Promise<AccountRecords> {
  const { project: project_id, include = defaultKinds, onProgress = () => undefined } = options;
  const wanted = (kind: Kind): boolean => include.includes(kind);
  const filter = { project_id };
  const list = <T>(what: string, kinds: readonly Kind[], rows: () => AsyncIterable<T>): Promise<T[]> =>
    kinds.some(wanted) ? gather(rows(), (done) => onProgress({ what, done, total: undefined })) : Promise.resolve([]);
  const account = await api.account.me().catch(whenForbidden);
  const projects = await list("projects", ["project"], () =>
    project_id === undefined ? api.projects.iterate() : once(api.projects.read(project_id)),
  );
  const sites = await list("sites", ["site"], () => api.sites.iterate(filter));
  const listed = await list("pages", ["page", "quiz"], () => api.pages.iterate(filter));
  const products = await list("products", ["product"], () => api.products.iterate(filter));
  const videos = await list("videos", ["videoPlayer"], () => api.videos.iterate());
  const funnels = wanted("funnel") ? await api.funnels.listAll(filter) : { records: [], complete: true };
  const chosen = listed.filter((page) => wanted(page.is_quiz ? "quiz" : "page"));
  const contents = await readContents(api, chosen, onProgress);
  return {
    account,
    projects,
    sites,
    pages: chosen.filter(({ id }) => contents.has(id)),
    funnels: funnels.records,
    products,
    videos: videos.filter((video) => project_id === undefined || video.project_id === project_id),
    contents,
    whole: project_id === undefined,
    warnings: funnels.complete ? [] : [INCOMPLETE],
  };
}

const INCOMPLETE =
  "The API lists at most 100 funnels and has no further pages of them: funnels without a project, and those of a project with more than 100, may be missing.";

/** A page that is deleted meanwhile has no content map, and is left out. */
async function readContents(
  api: LandformApi,
  pages: readonly Page[],
  onProgress: (progress: Progress) => void,
): Promise<Map<string, ContentFields>> {
  const contents = new Map<string, ContentFields>();
  const waiting = pages.values();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const { id } of waiting) {
      const map = await api.builder.contentMap(id).catch(whenGone);
      if (map) contents.set(id, new ContentFields(map.fields));
      onProgress({ what: "content maps", done: ++done, total: pages.length });
    }
  };
  await Promise.all(Array.from({ length: MAPS_AT_ONCE }, work));
  return contents;
}

function whenGone(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}

function whenForbidden(error: unknown): undefined {
  if (!(error instanceof ForbiddenError)) throw error;
}

async function gather<T>(rows: AsyncIterable<T>, onProgress: (done: number) => void): Promise<T[]> {
  const gathered: T[] = [];
  for await (const row of rows) {
    gathered.push(row);
    if (gathered.length % 100 === 0) onProgress(gathered.length);
  }
  return gathered;
}

async function* once<T>(value: Promise<T>): AsyncGenerator<T> {
  yield await value;
}
