/** A branch with files changed, and a request to merge it, by GitHub's REST API. */
import { z } from "zod";
import { isProposed, type Proposal, type ProposalName, refuseOthers } from "./forge.ts";
import type { ForgeHttp } from "./http.ts";

const sha = z.object({ sha: z.string() });
const ref = z.object({ object: sha });
const commit = z.object({ message: z.string(), tree: sha, parents: z.array(sha) });
const page = z.object({ number: z.number(), html_url: z.string() });

/** Slashes part names of branches as they part paths. */
export function inPath(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}

export class GithubProposals {
  readonly #http: ForgeHttp;
  readonly #repo: string;
  readonly #owner: string;

  /** `repo`: its path in the API. `owner`: whose branches they are. */
  constructor(http: ForgeHttp, repo: string, owner: string) {
    this.#http = http;
    this.#repo = repo;
    this.#owner = owner;
  }

  async propose({ branch, base, title, body, files }: Proposal): Promise<{ url: string }> {
    const git = `${this.#repo}/git`;
    const last = await this.#lastOf(branch);
    if (last !== undefined) refuseOthers({ branch, title }, last);
    const { object: parent } = await this.#http.ask(ref, "GET", `${git}/ref/heads/${inPath(base)}`);
    const from = await this.#commit(parent.sha);
    const tree = await this.#http.ask(sha, "POST", `${git}/trees`, {
      base_tree: from.tree.sha,
      tree: files.map(({ path, content }) => ({ path, content, mode: "100644", type: "blob" })),
    });
    // A commit that says nothing new would start every check again, and take back what was approved.
    const isThere = last?.tree.sha === tree.sha && last.parents.some((one) => one.sha === parent.sha);
    if (!isThere) {
      const made = { message: title, tree: tree.sha, parents: [parent.sha] };
      const { sha: next } = await this.#http.ask(sha, "POST", `${git}/commits`, made);
      await this.#moveBranch(branch, next, last !== undefined);
    }
    return { url: await this.#openPull({ branch, base, title, body }) };
  }

  async withdraw({ branch, title }: ProposalName, why: string): Promise<void> {
    const last = await this.#lastOf(branch);
    if (last === undefined || !isProposed({ title }, last)) return;
    for await (const { number } of this.#pulls(branch)) {
      await this.#http.send("POST", `${this.#repo}/issues/${number}/comments`, { body: why });
      await this.#http.send("PATCH", `${this.#repo}/pulls/${number}`, { state: "closed" });
    }
  }

  async #lastOf(branch: string): Promise<(z.infer<typeof commit> & z.infer<typeof sha>) | undefined> {
    const there = await this.#http.find(`${this.#repo}/git/ref/heads/${inPath(branch)}`, ref);
    return there && { ...(await this.#commit(there.object.sha)), sha: there.object.sha };
  }

  #commit(hash: string): Promise<z.infer<typeof commit>> {
    return this.#http.ask(commit, "GET", `${this.#repo}/git/commits/${hash}`);
  }

  async #moveBranch(branch: string, next: string, exists: boolean): Promise<void> {
    const refs = `${this.#repo}/git/refs`;
    if (exists) await this.#http.send("PATCH", `${refs}/heads/${inPath(branch)}`, { sha: next, force: true });
    else await this.#http.send("POST", refs, { ref: `refs/heads/${branch}`, sha: next });
  }

  async #openPull({ branch, base, title, body }: Omit<Proposal, "files">): Promise<string> {
    for await (const open of this.#pulls(branch)) {
      await this.#http.send("PATCH", `${this.#repo}/pulls/${open.number}`, { title, body });
      return open.html_url;
    }
    const made = await this.#http.ask(page, "POST", `${this.#repo}/pulls`, { head: branch, base, title, body });
    return made.html_url;
  }

  /** The open ones of a branch. */
  #pulls(branch: string): AsyncIterable<z.infer<typeof page>> {
    const query = new URLSearchParams({ state: "open", head: `${this.#owner}:${branch}` });
    return this.#http.rows(`${this.#repo}/pulls?${query.toString()}`, page);
  }
}
