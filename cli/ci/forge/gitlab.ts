/** GitLab's REST API. */
import type { ForgeAccess } from "../environment.ts";
import type { ChangeNow, Forge, Issue, MergedChange, Note, Proposal } from "./forge.ts";
import { ForgeError, ForgeHttp } from "./http.ts";

interface Author {
  id: number;
}

interface NoteRow {
  id: number;
  body: string;
  author?: Author;
}

interface IssueRow {
  iid: number;
  web_url: string;
  description?: string | null;
  author?: Author;
}

interface MergeRequest {
  iid: number;
  web_url: string;
  state: string;
  sha: string;
  source_branch: string;
  source_project_id?: number | null;
  target_project_id?: number | null;
  merge_commit_sha?: string | null;
  squash_commit_sha?: string | null;
}

export class Gitlab implements Forge {
  readonly #http: ForgeHttp;
  readonly #project: string;
  #self: Promise<number | undefined> | undefined;

  constructor({ apiUrl, repository, token }: ForgeAccess & { token: string }) {
    this.#http = new ForgeHttp({ apiUrl, headers: { "private-token": token } });
    this.#project = `/projects/${encodeURIComponent(repository)}`;
  }

  nameOf(change: number): string {
    return `merge request !${change}`;
  }

  async *notes(change: number): AsyncGenerator<Note> {
    const path = `${this.#project}/merge_requests/${change}/notes?sort=asc`;
    for await (const { id, body, author } of this.#http.rows<NoteRow>(path))
      yield { id: String(id), body, ours: await this.#isOurs(author) };
  }

  async addNote(change: number, body: string): Promise<Note> {
    const made = await this.#http.send<NoteRow>("POST", `${this.#project}/merge_requests/${change}/notes`, { body });
    return { id: String(made.id), body, ours: true };
  }

  async editNote(change: number, { id }: Note, body: string): Promise<void> {
    await this.#http.send("PUT", `${this.#project}/merge_requests/${change}/notes/${id}`, { body });
  }

  async deleteNote(change: number, { id }: Note): Promise<void> {
    await this.#http.send("DELETE", `${this.#project}/merge_requests/${change}/notes/${id}`);
  }

  async change(number: number): Promise<ChangeNow | undefined> {
    const request = await this.#http.find<MergeRequest>(`${this.#project}/merge_requests/${number}`);
    if (request === undefined) return undefined;
    const { state, sha: head, source_branch: branch, source_project_id: source, target_project_id: target } = request;
    // One that is being merged is locked meanwhile.
    const open = state === "opened" || state === "locked";
    return { open, head, branch, ...(source === target ? {} : { fork: `project ${source ?? "that is gone"}` }) };
  }

  async *openChanges(): AsyncGenerator<number> {
    const path = `${this.#project}/merge_requests?state=opened`;
    for await (const { iid } of this.#http.rows<MergeRequest>(path)) yield iid;
  }

  async *branches(): AsyncGenerator<string> {
    for await (const { name } of this.#http.rows<{ name: string }>(`${this.#project}/repository/branches`)) yield name;
  }

  async hasBranch(name: string): Promise<boolean> {
    const path = `${this.#project}/repository/branches/${encodeURIComponent(name)}`;
    return (await this.#http.find(path)) !== undefined;
  }

  /** Jobs make the environments; what is taken away by another hand is stopped, without the job that would do it again. */
  async retire(environment: string): Promise<void> {
    const query = new URLSearchParams({ name: environment, states: "available" });
    const path = `${this.#project}/environments`;
    for await (const { id } of this.#http.rows<{ id: number }>(`${path}?${query.toString()}`))
      await this.#http.send("POST", `${path}/${id}/stop`, { force: true });
  }

  async changesOf(commit: string): Promise<MergedChange[]> {
    const merged: MergeRequest[] = [];
    const path = `${this.#project}/repository/commits/${encodeURIComponent(commit)}/merge_requests`;
    for await (const one of this.#http.rows<MergeRequest>(path)) if (one.state === "merged") merged.push(one);
    const merging = merged.filter((one) => [one.merge_commit_sha, one.squash_commit_sha, one.sha].includes(commit));
    return (merging.length > 0 ? merging : merged).map(({ iid, sha }) => ({ number: iid, head: sha }));
  }

  async *openIssues(label: string): AsyncGenerator<Issue> {
    const path = `${this.#project}/issues?state=opened&labels=${encodeURIComponent(label)}`;
    for await (const { iid, web_url: url, description, author } of this.#http.rows<IssueRow>(path))
      yield { number: iid, url, body: description ?? "", ours: await this.#isOurs(author) };
  }

  async openIssue(title: string, description: string, labels: string): Promise<{ number: number; url: string }> {
    const issue = await this.#http.send<IssueRow>("POST", `${this.#project}/issues`, { title, description, labels });
    return { number: issue.iid, url: issue.web_url };
  }

  async editIssue({ number }: Issue, description: string): Promise<void> {
    await this.#http.send("PUT", `${this.#project}/issues/${number}`, { description });
  }

  async closeIssue({ number }: Issue, why: string): Promise<void> {
    await this.#http.send("POST", `${this.#project}/issues/${number}/notes`, { body: why });
    await this.#http.send("PUT", `${this.#project}/issues/${number}`, { state_event: "close" });
  }

  async propose({ branch, base, title, body, files }: Proposal): Promise<{ url: string }> {
    await this.#http.send("POST", `${this.#project}/repository/commits`, {
      branch,
      start_branch: base,
      force: true,
      commit_message: title,
      actions: files.map(({ path, content }) => ({ action: "update", file_path: path, content })),
    });
    const request = { source_branch: branch, target_branch: base, title, description: body };
    try {
      const made = await this.#http.send<MergeRequest>("POST", `${this.#project}/merge_requests`, request);
      return { url: made.web_url };
    } catch (error) {
      // 409: there is one for this branch.
      if (!(error instanceof ForgeError) || error.status !== 409) throw error;
      return { url: await this.#existing(branch, error) };
    }
  }

  async #existing(branch: string, conflict: ForgeError): Promise<string> {
    const query = new URLSearchParams({ state: "opened", source_branch: branch });
    for await (const one of this.#http.rows<MergeRequest>(`${this.#project}/merge_requests?${query.toString()}`))
      return one.web_url;
    throw conflict;
  }

  async #isOurs(author: Author | undefined): Promise<boolean> {
    const self = await (this.#self ??= this.#whoWeAre());
    return self !== undefined && author?.id === self;
  }

  async #whoWeAre(): Promise<number | undefined> {
    const user = await this.#http.send<Author>("GET", "/user").catch(() => undefined);
    return user?.id;
  }
}
