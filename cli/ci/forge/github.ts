/** GitHub's REST API, and GitHub Enterprise's. */
import type { ForgeAccess } from "../environment.ts";
import type { Annotation, Deployment, Forge, Issue, MergedChange, Note, Proposal } from "./forge.ts";
import { ForgeError, ForgeHttp } from "./http.ts";

interface User {
  login: string;
  type?: string;
}

interface Comment {
  id: number;
  body?: string | null;
  user?: User | null;
}

interface IssueRow extends Comment {
  number: number;
  html_url: string;
  pull_request?: unknown;
}

interface Pull {
  number: number;
  html_url: string;
  merged_at?: string | null;
  merge_commit_sha?: string | null;
  head: { sha: string };
}

/** A check run takes so many annotations a request. */
const ANNOTATIONS = 50;

export class Github implements Forge {
  readonly #http: ForgeHttp;
  readonly #repo: string;
  readonly #owner: string;
  #self: Promise<string | undefined> | undefined;

  constructor({ apiUrl, repository, token }: ForgeAccess & { token: string }) {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    };
    this.#http = new ForgeHttp({ apiUrl, headers });
    this.#repo = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
    this.#owner = repository.split("/")[0] ?? "";
  }

  nameOf(change: number): string {
    return `pull request #${change}`;
  }

  async *notes(change: number): AsyncGenerator<Note> {
    for await (const { id, body, user } of this.#http.rows<Comment>(`${this.#repo}/issues/${change}/comments`))
      yield { id: String(id), body: body ?? "", ours: await this.#isOurs(user) };
  }

  async addNote(change: number, body: string): Promise<void> {
    await this.#http.send("POST", `${this.#repo}/issues/${change}/comments`, { body });
  }

  async editNote(_change: number, { id }: Note, body: string): Promise<void> {
    await this.#http.send("PATCH", `${this.#repo}/issues/comments/${id}`, { body });
  }

  async changesOf(commit: string): Promise<MergedChange[]> {
    const pulls: Pull[] = [];
    for await (const pull of this.#http.rows<Pull>(`${this.#repo}/commits/${encodeURIComponent(commit)}/pulls`))
      if (typeof pull.merged_at === "string") pulls.push(pull);
    // A commit belongs to every request whose branch held it; the one that it merged is the one that was reviewed for it.
    const merging = pulls.filter(({ merge_commit_sha: sha }) => sha === commit);
    return (merging.length > 0 ? merging : pulls).map(({ number, head }) => ({ number, head: head.sha }));
  }

  async *openIssues(label: string): AsyncGenerator<Issue> {
    const path = `${this.#repo}/issues?state=open&labels=${encodeURIComponent(label)}`;
    for await (const row of this.#http.rows<IssueRow>(path)) {
      if (row.pull_request !== undefined) continue;
      yield { number: row.number, url: row.html_url, body: row.body ?? "", ours: await this.#isOurs(row.user) };
    }
  }

  async openIssue(title: string, body: string, label: string): Promise<{ number: number; url: string }> {
    const issue = await this.#http.send<IssueRow>("POST", `${this.#repo}/issues`, { title, body, labels: [label] });
    return { number: issue.number, url: issue.html_url };
  }

  async editIssue({ number }: Issue, body: string): Promise<void> {
    await this.#http.send("PATCH", `${this.#repo}/issues/${number}`, { body });
  }

  async closeIssue({ number }: Issue, why: string): Promise<void> {
    await this.addNote(number, why);
    await this.#http.send("PATCH", `${this.#repo}/issues/${number}`, { state: "closed", state_reason: "completed" });
  }

  async deploy({ environment, commit, state, url, description }: Deployment): Promise<void> {
    const path = `${this.#repo}/deployments`;
    const query = new URLSearchParams({ environment, ...(state === "inactive" ? {} : { sha: commit }) });
    const known: { id: number }[] = [];
    for await (const row of this.#http.rows<{ id: number }>(`${path}?${query.toString()}`)) known.push(row);
    if (state !== "inactive" && known.length === 0) known.push(await this.#newDeployment(environment, commit));
    const status = {
      state,
      description: description.slice(0, 140).toWellFormed(),
      ...(url && { environment_url: url }),
    };
    const told = state === "inactive" ? known : known.slice(0, 1);
    for (const { id } of told) await this.#http.send("POST", `${path}/${id}/statuses`, status);
  }

  /** Without the two settings GitHub would merge the main branch into it, or wait for the very check that this is. */
  #newDeployment(environment: string, ref: string): Promise<{ id: number }> {
    const settings = { auto_merge: false, required_contexts: [], transient_environment: true };
    return this.#http.send("POST", `${this.#repo}/deployments`, { ref, environment, ...settings });
  }

  async check(
    name: string,
    commit: string,
    conclusion: "success" | "failure",
    summary: string,
    on: readonly Annotation[],
  ): Promise<void> {
    const annotations = on.map(({ file, line, message, level }) => ({
      path: file,
      start_line: line,
      end_line: line,
      annotation_level: level,
      message,
    }));
    const output = (from: number) => ({
      title: name,
      summary,
      annotations: annotations.slice(from, from + ANNOTATIONS),
    });
    const path = `${this.#repo}/check-runs`;
    const first = { name, head_sha: commit, status: "completed", conclusion, output: output(0) };
    const { id } = await this.#http.send<{ id: number }>("POST", path, first);
    for (let from = ANNOTATIONS; from < annotations.length; from += ANNOTATIONS)
      await this.#http.send("PATCH", `${path}/${id}`, { output: output(from) });
  }

  async propose({ branch, base, title, body, files }: Proposal): Promise<{ url: string }> {
    const git = `${this.#repo}/git`;
    const parent = await this.#http.send<{ object: { sha: string } }>("GET", `${git}/ref/heads/${base}`);
    const from = await this.#http.send<{ tree: { sha: string } }>("GET", `${git}/commits/${parent.object.sha}`);
    const tree = await this.#http.send<{ sha: string }>("POST", `${git}/trees`, {
      base_tree: from.tree.sha,
      tree: files.map(({ path, content }) => ({ path, content, mode: "100644", type: "blob" })),
    });
    const commit = { message: title, tree: tree.sha, parents: [parent.object.sha] };
    const { sha } = await this.#http.send<{ sha: string }>("POST", `${git}/commits`, commit);
    await this.#moveBranch(branch, sha);
    return { url: await this.#openPull({ branch, base, title, body }) };
  }

  async #moveBranch(branch: string, sha: string): Promise<void> {
    try {
      await this.#http.send("POST", `${this.#repo}/git/refs`, { ref: `refs/heads/${branch}`, sha });
    } catch (error) {
      // 422: it is there from an earlier proposal, which this one replaces.
      if (!(error instanceof ForgeError) || error.status !== 422) throw error;
      await this.#http.send("PATCH", `${this.#repo}/git/refs/heads/${branch}`, { sha, force: true });
    }
  }

  async #openPull({ branch, base, title, body }: Omit<Proposal, "files">): Promise<string> {
    const query = new URLSearchParams({ state: "open", head: `${this.#owner}:${branch}` });
    for await (const pull of this.#http.rows<Pull>(`${this.#repo}/pulls?${query.toString()}`)) {
      await this.#http.send("PATCH", `${this.#repo}/pulls/${pull.number}`, { title, body });
      return pull.html_url;
    }
    const pull = await this.#http.send<Pull>("POST", `${this.#repo}/pulls`, { head: branch, base, title, body });
    return pull.html_url;
  }

  async #isOurs(user: User | null | undefined): Promise<boolean> {
    const self = await (this.#self ??= this.#whoWeAre());
    // Who can't say who he is is an app; people are never taken for one.
    return self === undefined ? user?.type === "Bot" : user?.login === self;
  }

  /** Undefined where the token may not ask: that of a job is one of an app, and an app is no user to the REST API. */
  async #whoWeAre(): Promise<string | undefined> {
    const user = await this.#http.send<User>("GET", "/user").catch(() => undefined);
    return user?.login;
  }
}
