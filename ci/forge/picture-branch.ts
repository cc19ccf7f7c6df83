/**
 * Keeps pictures on a branch of the repository, so that its readers see them in comments, and nobody else. The branch has nothing of the code,
 * and only one commit, so that deleted pictures take no room. It has a folder for each preview.
 */
import { z } from "zod";
import { type PictureFile, PICTURE_DAYS } from "./forge.ts";
import { ForgeError, type ForgeHttp } from "./http.ts";

const BRANCH = "landform/pictures";
const MESSAGE = `Pictures for the comments of previews\n\nLandform deletes them with their preview, or after ${PICTURE_DAYS} days.`;
/** The commit of a branch that does not exist. */
const NONE = "0".repeat(40);
const ATTEMPTS = 4;

const sha = z.object({ sha: z.string() });
const ref = z.object({ object: sha });
const entry = sha.extend({ path: z.string(), mode: z.string(), type: z.string() });
type Entry = z.infer<typeof entry>;
const tree = z.object({ tree: z.array(entry) });
const about = z.object({ node_id: z.string(), html_url: z.string() });
const answer = z.object({ errors: z.array(z.object({ message: z.string() })).optional() });

interface Host {
  readonly http: ForgeHttp;
  /** Its address is beside that of the other calls. */
  readonly graphql: ForgeHttp;
  readonly repo: string;
}

/** Returns the addresses of the pictures. They are the only ones of the preview then. */
export async function putOnBranch(
  { http, graphql, repo }: Host,
  preview: string,
  pictures: readonly PictureFile[],
  now: Date,
): Promise<string[]> {
  const folder = `${dayOf(now)}.${preview}`;
  const oldest = dayOf(new Date(now.getTime() - PICTURE_DAYS * 86_400_000));
  const made: Entry[] = [];
  for (const { name, png } of pictures) {
    const blob = await http.ask(sha, "POST", `${repo}/git/blobs`, {
      content: png.toString("base64"),
      encoding: "base64",
    });
    made.push({ path: `${folder}/${name}`, mode: "100644", type: "blob", sha: blob.sha });
  }
  for (let attempt = 1; ; attempt += 1) {
    const head = await http.find(`${repo}/git/ref/heads/${BRANCH}`, ref);
    const folders =
      head === undefined ? [] : (await http.ask(tree, "GET", `${repo}/git/trees/${head.object.sha}`)).tree;
    const kept = folders.filter(({ path }) => path.slice(DAY) !== `.${preview}` && path.slice(0, DAY) >= oldest);
    if (made.length === 0 && kept.length === folders.length) return [];
    const all = [...kept, ...made];
    const { node_id: repositoryId, html_url: web } = await http.ask(about, "GET", repo);
    const afterOid = all.length === 0 ? NONE : await committed(http, repo, all);
    const update = { name: `refs/heads/${BRANCH}`, beforeOid: head?.object.sha ?? NONE, afterOid, force: true };
    const variables = { input: { repositoryId, refUpdates: [update] } };
    const { errors = [] } = await graphql.ask(answer, "POST", "/graphql", { query: MOVE, variables });
    if (errors[0] === undefined) return made.map(({ path }) => `${web}/blob/${BRANCH}/${path}?raw=true`);
    // Another job may have moved the branch meanwhile.
    const moved = await http.find(`${repo}/git/ref/heads/${BRANCH}`, ref);
    if (attempt === ATTEMPTS || moved?.object.sha === head?.object.sha)
      throw new ForgeError("POST", graphql.urlOf("/graphql"), errors[0].message);
  }
}

/** Only this call moves a branch on the condition that nobody else has moved it. */
const MOVE = "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }";

async function committed(http: ForgeHttp, repo: string, entries: readonly Entry[]): Promise<string> {
  const made = await http.ask(sha, "POST", `${repo}/git/trees`, { tree: entries });
  const commit = { message: MESSAGE, tree: made.sha, parents: [] };
  return (await http.ask(sha, "POST", `${repo}/git/commits`, commit)).sha;
}

/** The length of a day, such as 2026-11-28. */
const DAY = 10;

function dayOf(date: Date): string {
  return date.toISOString().slice(0, DAY);
}
