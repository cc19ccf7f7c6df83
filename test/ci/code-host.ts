/**
 * A stand-in for the APIs of GitHub and GitLab. It pages, limits and fails as they do. It also withholds what they withhold: the owner of a job's
 * token.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { zipOf } from "./zip.ts";

export interface Comment {
  id: number;
  body: string;
  user: { id: number; login: string; type: "Bot" | "User" };
}

export interface Pull {
  number: number;
  head: string;
  merged: boolean;
  /** Closed without a merge. */
  closed?: boolean;
  /** The fork that it comes from, if it is not from the repository itself. */
  fork?: string;
  mergeCommit?: string;
  /** Commits of the main branch that came from the request. */
  commits: string[];
  branch?: string;
  /** The base branch. Default: main. */
  base?: string;
  labels?: string[];
}

export interface HostIssue {
  number: number;
  title: string;
  body: string;
  labels: string[];
  state: "open" | "closed";
  user: Comment["user"];
}

interface Call {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

/** An artifact of a job, from a run of its own. */
interface Upload {
  head: string;
  /** The request of the run. */
  pull: number;
  name: string;
  files: Record<string, string>;
  fork?: string;
  expired?: boolean;
}

interface Reply {
  status?: number;
  body?: unknown;
  bytes?: Buffer | string;
  headers?: Record<string, string>;
}

const JOB: Comment["user"] = { id: 41898282, login: "github-actions[bot]", type: "Bot" };
const PERSON: Comment["user"] = { id: 7, login: "ada", type: "User" };

export class CodeHost {
  readonly calls: Call[] = [];
  readonly comments = new Map<number, Comment[]>();
  readonly pulls: Pull[] = [];
  readonly issues: HostIssue[] = [];
  /** By the number of the run, the job and the artifact, from 1 on. */
  readonly uploads: Upload[] = [];
  readonly branches = new Set(["main"]);
  /** Answers for the next calls whose path contains the text. */
  readonly faults: { path: string; reply: Reply; times: number }[] = [];
  /** The rows of a page, whatever the caller asks for. */
  pageSize = 2;
  #server: Server | undefined;
  #next = 1;

  static async open(): Promise<CodeHost> {
    const host = new CodeHost();
    const server = createServer((request, response) => {
      void host.#handle(request).then(({ status = 200, body, bytes, headers }) => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(bytes ?? (body === undefined ? "" : JSON.stringify(body)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    host.#server = server;
    return host;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server?.closeAllConnections();
      this.#server?.close(() => resolve());
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server?.address() as AddressInfo).port}`;
  }

  /** Edits the text as a person does. */
  paste(pull: number, body: string): void {
    this.#commentsOf(pull).push({ id: this.#next++, body, user: PERSON });
  }

  ours(pull: number): Comment[] {
    return this.#commentsOf(pull).filter(({ user }) => user.id !== PERSON.id);
  }

  #commentsOf(pull: number): Comment[] {
    const list = this.comments.get(pull) ?? [];
    this.comments.set(pull, list);
    return list;
  }

  async #handle(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? "/", this.url);
    const body = request.method === "GET" ? {} : ((await json(request).catch(() => ({}))) as Record<string, unknown>);
    const call: Call = { method: request.method ?? "GET", path: url.pathname, body };
    this.calls.push(call);
    const fault = this.faults.find(({ path, times }) => times > 0 && `${call.method} ${url.pathname}`.includes(path));
    if (fault !== undefined) {
      fault.times -= 1;
      return fault.reply;
    }
    const stored = /^\/storage\/(\d+)$/.exec(url.pathname);
    if (stored !== null) return this.#stored(Number(stored[1]), request.headers.authorization);
    const token = request.headers.authorization?.replace("Bearer ", "") ?? request.headers["private-token"];
    if (token !== "job-token") return { status: 401, body: { message: "Bad credentials" } };
    const reply = url.pathname.startsWith("/api/v4") ? this.#gitlab(call, url) : this.#github(call, url);
    return reply ?? { status: 404, body: { message: "Not Found" } };
  }

  #github({ method, path, body }: Call, url: URL): Reply | undefined {
    if (path === "/user") return { status: 403, body: { message: "Resource not accessible by integration" } };
    const [, rest = ""] = /^\/repos\/acme\/funnels(\/.*)$/.exec(path) ?? [];
    const comments = /^\/issues\/(\d+)\/comments$/.exec(rest);
    if (comments !== null) {
      const list = this.#commentsOf(Number(comments[1]));
      if (method === "GET") return this.#paged(list, url);
      const made = { id: this.#next++, body: String(body["body"]), user: JOB };
      list.push(made);
      return { status: 201, body: made };
    }
    const comment = /^\/issues\/comments\/(\d+)$/.exec(rest);
    if (comment !== null && method === "DELETE") return this.#dropComment(Number(comment[1]));
    if (comment !== null) {
      const found = [...this.comments.values()].flat().find(({ id }) => id === Number(comment[1]));
      if (found === undefined) return undefined;
      if (found.user.login !== JOB.login) return { status: 403, body: { message: "Must have admin rights" } };
      found.body = String(body["body"]);
      return { body: found };
    }
    const commit = /^\/commits\/(\w+)\/pulls$/.exec(rest);
    if (commit !== null) {
      const of = this.pulls.filter(({ commits }) => commits.includes(commit[1] ?? ""));
      return this.#paged(of.map(githubPull), url);
    }
    if (rest === "/branches")
      return this.#paged(
        [...this.branches].map((name) => ({ name })),
        url,
      );
    const branch = /^\/branches\/(.+)$/.exec(rest);
    if (branch !== null) return this.#branch(branch[1] ?? "");
    const pull = /^\/pulls\/(\d+)$/.exec(rest);
    if (pull !== null && method === "GET") {
      const found = this.pulls.find(({ number }) => number === Number(pull[1]));
      return found && { body: githubPull(found) };
    }
    if (rest === "/issues") return this.#githubIssues(method, body, url);
    const issue = /^\/issues\/(\d+)$/.exec(rest);
    if (issue !== null) return this.#editIssue(Number(issue[1]), body);
    if (rest.startsWith("/actions/")) return this.#githubActions(rest, url);
    return rest === "/pulls" && method === "GET"
      ? this.#paged(this.pulls.filter(isOpen).map(githubPull), url)
      : undefined;
  }

  #githubActions(rest: string, url: URL): Reply | undefined {
    const numbered = this.uploads.map((upload, index) => ({ ...upload, id: index + 1 })).reverse();
    if (rest === "/actions/runs") {
      const of = numbered.filter(({ head }) => head === url.searchParams.get("head_sha"));
      const runs = of.map(({ id, fork = "acme/funnels" }) => ({ id, head_repository: { full_name: fork } }));
      return { body: { total_count: runs.length, workflow_runs: runs } };
    }
    const run = /^\/actions\/runs\/(\d+)\/artifacts$/.exec(rest);
    const left = numbered.filter(({ id }) => id === Number(run?.[1]));
    if (run !== null)
      return { body: { artifacts: left.map(({ id, name, expired = false }) => ({ id, name, expired })) } };
    const [, zip] = /^\/actions\/artifacts\/(\d+)\/zip$/.exec(rest) ?? [];
    return zip === undefined ? undefined : { status: 302, headers: { location: `${this.url}/storage/${zip}` } };
  }

  /** Another service, which refuses a token that is not for it. */
  #stored(id: number, authorization: string | undefined): Reply {
    const upload = this.uploads[id - 1];
    if (authorization !== undefined || upload === undefined) return { status: 400 };
    return { bytes: zipOf(upload.files) };
  }

  #gitlabJobs(rest: string, url: URL): Reply | undefined {
    const numbered = this.uploads.map((upload, index) => ({ ...upload, id: index + 1 })).reverse();
    const of = (of: RegExp): string | undefined => of.exec(rest)?.[1];
    const pull = of(/^\/merge_requests\/(\d+)\/pipelines$/);
    if (pull !== undefined)
      return this.#paged(
        numbered.filter((one) => one.pull === Number(pull)).map(({ id }) => ({ id })),
        url,
        true,
      );
    const pipeline = Number(of(/^\/pipelines\/(\d+)\/jobs$/));
    const jobs = [{ id: 1_000 }, { id: pipeline, artifacts_file: { filename: "artifacts.zip" } }];
    if (!Number.isNaN(pipeline))
      return this.uploads[pipeline - 1]?.fork === undefined ? this.#paged(jobs, url, true) : undefined;
    const [, job, path = ""] = /^\/jobs\/(\d+)\/artifacts\/plans\/(.+)$/.exec(rest) ?? [];
    const text = job === undefined ? undefined : this.uploads[Number(job) - 1]?.files[decodeURIComponent(path)];
    return text === undefined ? undefined : { bytes: text };
  }

  #dropComment(id: number): Reply | undefined {
    for (const list of this.comments.values()) {
      const at = list.findIndex((one) => one.id === id);
      if (at === -1) continue;
      if (list[at]?.user.id === PERSON.id) return { status: 403, body: { message: "Must have admin rights" } };
      list.splice(at, 1);
      return { status: 204 };
    }
    return undefined;
  }

  #branch(encoded: string): Reply | undefined {
    const name = decodeURIComponent(encoded);
    return this.branches.has(name) ? { body: { name } } : undefined;
  }

  #githubIssues(method: string, body: Record<string, unknown>, url: URL): Reply {
    if (method === "POST") {
      const made = this.#newIssue(String(body["title"]), String(body["body"]), body["labels"] as string[]);
      return { status: 201, body: githubIssue(made, this.url) };
    }
    const label = url.searchParams.get("labels") ?? "";
    const open = this.issues.filter(({ labels, state }) => state === "open" && labels.includes(label));
    return this.#paged(
      [...open.map((one) => githubIssue(one, this.url)), { number: 999, pull_request: {}, html_url: "", body: "" }],
      url,
    );
  }

  #newIssue(title: string, body: string, labels: string[]): HostIssue {
    const made: HostIssue = { number: this.#next++, title, body, labels, state: "open", user: JOB };
    this.issues.push(made);
    return made;
  }

  #editIssue(number: number, body: Record<string, unknown>): Reply | undefined {
    const found = this.issues.find((one) => one.number === number);
    if (found === undefined) return undefined;
    if (typeof body["body"] === "string") found.body = body["body"];
    if (body["state"] === "closed") found.state = "closed";
    return { body: githubIssue(found, this.url) };
  }

  #gitlab({ method, path, body }: Call, url: URL): Reply | undefined {
    if (path === "/api/v4/user") return { body: { id: JOB.id } };
    const [, rest = ""] = /^\/api\/v4\/projects\/(?:12|acme%2Ffunnels)(\/.*)$/.exec(path) ?? [];
    const notes = /^\/merge_requests\/(\d+)\/notes(?:\/(\d+))?$/.exec(rest);
    if (notes !== null) {
      const list = this.#commentsOf(Number(notes[1]));
      if (method === "GET") return this.#paged(list.map(gitlabNote), url, true);
      if (method === "DELETE") return this.#dropComment(Number(notes[2]));
      const known = list.find(({ id }) => id === Number(notes[2]));
      if (method === "PUT" && known === undefined) return undefined;
      const note = known ?? { id: this.#next++, body: "", user: JOB };
      if (known === undefined) list.push(note);
      note.body = String(body["body"]);
      return { status: method === "PUT" ? 200 : 201, body: gitlabNote(note) };
    }
    const commit = /^\/repository\/commits\/(\w+)\/merge_requests$/.exec(rest);
    if (commit !== null) {
      const of = this.pulls.filter(({ commits }) => commits.includes(commit[1] ?? ""));
      return this.#paged(of.map(gitlabRequest), url, true);
    }
    if (rest === "/issues" && method === "POST") {
      const made = this.#newIssue(
        String(body["title"]),
        String(body["description"]),
        String(body["labels"]).split(","),
      );
      return { status: 201, body: gitlabIssue(made) };
    }
    if (rest === "/issues") {
      const label = url.searchParams.get("labels") ?? "";
      const open = this.issues.filter(({ labels, state }) => state === "open" && labels.includes(label));
      return this.#paged(open.map(gitlabIssue), url, true);
    }
    const issue = /^\/issues\/(\d+)(\/notes)?$/.exec(rest);
    if (issue?.[2] !== undefined) return { status: 201, body: {} };
    if (issue !== null)
      return this.#editIssue(Number(issue[1]), {
        ...(typeof body["description"] === "string" ? { body: body["description"] } : {}),
        ...(body["state_event"] === "close" ? { state: "closed" } : {}),
      });
    if (rest === "/repository/branches")
      return this.#paged(
        [...this.branches].map((name) => ({ name })),
        url,
        true,
      );
    const branch = /^\/repository\/branches\/(.+)$/.exec(rest);
    if (branch !== null) return this.#branch(branch[1] ?? "");
    const left = this.#gitlabJobs(rest, url);
    if (left !== undefined) return left;
    const request = /^\/merge_requests\/(\d+)$/.exec(rest);
    if (request !== null) {
      const found = this.pulls.find(({ number }) => number === Number(request[1]));
      return found && { body: { ...(gitlabRequest(found) as object), labels: found.labels ?? [] } };
    }
    if (rest !== "/merge_requests" || method !== "GET") return undefined;
    return this.#paged(this.pulls.filter(isOpen).map(gitlabRequest), url, true);
  }

  #paged(rows: readonly unknown[], url: URL, byNumber = false): Reply {
    const page = Number(url.searchParams.get("page") ?? "1");
    const body = rows.slice((page - 1) * this.pageSize, page * this.pageSize);
    if (page * this.pageSize >= rows.length) return { body, headers: byNumber ? { "x-next-page": "" } : {} };
    if (byNumber) return { body, headers: { "x-next-page": String(page + 1) } };
    const next = new URL(url);
    next.searchParams.set("page", String(page + 1));
    return { body, headers: { link: `<${next.href}>; rel="next", <${url.href}>; rel="last"` } };
  }
}

function isOpen({ merged, closed = false }: Pull): boolean {
  return !merged && !closed;
}

function githubPull(pull: Pull): unknown {
  const { number, head: sha, merged, mergeCommit, branch = `branch-${pull.number}`, fork = "acme/funnels" } = pull;
  const merging = merged
    ? { merged_at: "2026-01-05T10:00:00Z", merge_commit_sha: mergeCommit ?? null }
    : { merged_at: null };
  const base = { ref: pull.base ?? "main" };
  const head = { sha, ref: branch, repo: { full_name: fork } };
  const web = `https://github.example/acme/funnels/pull/${number}`;
  return {
    labels: (pull.labels ?? []).map((name) => ({ name })),
    number,
    state: isOpen(pull) ? "open" : "closed",
    head,
    base,
    html_url: web,
    ...merging,
  };
}

function githubIssue({ number, title, body, state, user }: HostIssue, url: string): unknown {
  return { number, title, body, state, user, html_url: `${url}/acme/funnels/issues/${number}` };
}

function gitlabNote({ id, body, user }: Comment): unknown {
  return { id, body, author: { id: user.id } };
}

function gitlabRequest(pull: Pull): unknown {
  const { number, head, merged, mergeCommit, branch = `branch-${pull.number}`, fork } = pull;
  const web = `https://gitlab.example/acme/funnels/-/merge_requests/${number}`;
  return {
    iid: number,
    sha: head,
    state: merged ? "merged" : isOpen(pull) ? "opened" : "closed",
    source_branch: branch,
    target_branch: pull.base ?? "main",
    source_project_id: fork === undefined ? 12 : 99,
    target_project_id: 12,
    merge_commit_sha: mergeCommit ?? null,
    web_url: web,
  };
}

function gitlabIssue({ number, body, user }: HostIssue): unknown {
  return {
    iid: number,
    web_url: `https://gitlab.example/acme/funnels/-/issues/${number}`,
    description: body,
    author: { id: user.id },
  };
}
