/** Proposes changed files with a branch and a request to merge it, through GitHub's REST API. */
import { z } from "zod";
import { isProposed, type Proposal, type ProposalName, refuseOthers } from "./forge.ts";
import type { ForgeHttp } from "./http.ts";

const sha = z.object({ sha: z.string() });
const ref = z.object({ object: sha });
const commit = z.object({ message: z.string(), tree: sha, parents: z.array(sha) });
const page = z.object({ number: z.number(), html_url: z.string() });

/** Encodes a branch name for a path and keeps its slashes. */
export function inPath(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}

interface Repository {
  readonly http: ForgeHttp;
  /** The repository's path in the API. */
  readonly repo: string;
  /** The owner of the branches. */
  readonly owner: string;
}

export async function propose(
  at: Repository,
  { branch, base, title, body, files }: Proposal,
): Promise<{ url: string }> {
  const git = `${at.repo}/git`;
  const last = await lastOf(at, branch);
  if (last !== undefined) refuseOthers({ branch, title }, last);
  const { object: parent } = await at.http.ask(ref, "GET", `${git}/ref/heads/${inPath(base)}`);
  const from = await commitAt(at, parent.sha);
  const tree = await at.http.ask(sha, "POST", `${git}/trees`, {
    base_tree: from.tree.sha,
    tree: files.map(({ path, content }) => ({ path, content, mode: "100644", type: "blob" })),
  });
  // A commit that changes nothing would start every check again and cancel approvals.
  const isThere = last?.tree.sha === tree.sha && last.parents.some((one) => one.sha === parent.sha);
  if (!isThere) {
    const made = { message: title, tree: tree.sha, parents: [parent.sha] };
    const { sha: next } = await at.http.ask(sha, "POST", `${git}/commits`, made);
    await moveBranch(at, branch, next, last !== undefined);
  }
  return { url: await openPull(at, { branch, base, title, body }) };
}

export async function withdraw(at: Repository, { branch, title }: ProposalName, why: string): Promise<void> {
  const last = await lastOf(at, branch);
  if (last === undefined || !isProposed({ title }, last)) return;
  for await (const { number } of pulls(at, branch)) {
    await at.http.send("POST", `${at.repo}/issues/${number}/comments`, { body: why });
    await at.http.send("PATCH", `${at.repo}/pulls/${number}`, { state: "closed" });
  }
}

async function lastOf(
  at: Repository,
  branch: string,
): Promise<(z.infer<typeof commit> & z.infer<typeof sha>) | undefined> {
  const there = await at.http.find(`${at.repo}/git/ref/heads/${inPath(branch)}`, ref);
  return there && { ...(await commitAt(at, there.object.sha)), sha: there.object.sha };
}

function commitAt(at: Repository, hash: string): Promise<z.infer<typeof commit>> {
  return at.http.ask(commit, "GET", `${at.repo}/git/commits/${hash}`);
}

async function moveBranch(at: Repository, branch: string, next: string, exists: boolean): Promise<void> {
  const refs = `${at.repo}/git/refs`;
  if (exists) await at.http.send("PATCH", `${refs}/heads/${inPath(branch)}`, { sha: next, force: true });
  else await at.http.send("POST", refs, { ref: `refs/heads/${branch}`, sha: next });
}

async function openPull(at: Repository, { branch, base, title, body }: Omit<Proposal, "files">): Promise<string> {
  for await (const open of pulls(at, branch)) {
    await at.http.send("PATCH", `${at.repo}/pulls/${open.number}`, { title, body });
    return open.html_url;
  }
  const made = await at.http.ask(page, "POST", `${at.repo}/pulls`, { head: branch, base, title, body });
  return made.html_url;
}

/** The open requests of a branch. */
function pulls(at: Repository, branch: string): AsyncIterable<z.infer<typeof page>> {
  const query = new URLSearchParams({ state: "open", head: `${at.owner}:${branch}` });
  return at.http.rows(`${at.repo}/pulls?${query.toString()}`, page);
}
