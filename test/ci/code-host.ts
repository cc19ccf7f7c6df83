/**
 * A stand-in for the APIs of GitHub and GitLab. It pages, limits and fails as they do. It also withholds what they withhold: the owner of a job's
 * token.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { HostPictures, sent, type Sent } from "./host-pictures.ts";
import { zipOf } from "./zip.ts";

export type Comment = { id: number; body: string; user: { id: number; login: string; type: "Bot" | "User" } };

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

interface Call extends Sent {
  method: string;
  path: string;
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

type Reply = { status?: number; body?: unknown; bytes?: Buffer | string; headers?: Record<string, string> };

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
  readonly pictures = new HostPictures();
  /** The newest commit of every branch. */
  newest = "e".repeat(40);
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

  /** Adds a request, which is open unless its parts say otherwise. */
  pull(number: number, parts: Partial<Pull> = {}): Pull {
    const made = { number, head: String(number % 10).repeat(40), merged: false, commits: [], ...parts };
    this.pulls.push(made);
    return made;
  }

  merged(number: number, head: string, mergeCommit: string, parts: Partial<Pull> = {}): Pull {
    return this.pull(number, { head, merged: true, mergeCommit, commits: [mergeCommit], ...parts });
  }

  fails(path: string, status: number, { times = 9, message = "no" } = {}): void {
    this.faults.push({ path, times, reply: { status, body: { message } } });
  }

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
    // GitHub Enterprise has its paths below these.
    url.pathname = url.pathname.replace(/^\/api\/v3(?=\/(repos|user))|^\/api(?=\/graphql)/, "");
    const call: Call = { method: request.method ?? "GET", path: url.pathname, ...(await sent(request)) };
    this.calls.push(call);
    const fault = this.faults.find(({ path, times }) => times > 0 && `${call.method} ${url.pathname}`.includes(path));
    if (fault !== undefined) {
      fault.times -= 1;
      return fault.reply;
    }
    const stored = /^\/storage\/(\d+)$/.exec(url.pathname);
    if (stored !== null) return this.#stored(Number(stored[1]), request.headers.authorization);
    if (request.headers.cookie === "session=reader") return this.pictures.seen(url.pathname) ?? { status: 404 };
    const token = request.headers.authorization?.replace("Bearer ", "") ?? request.headers["private-token"];
    if (token !== "job-token") return { status: 401, body: { message: "Bad credentials" } };
    const reply = url.pathname.startsWith("/api/v4") ? this.#gitlab(call, url) : this.#github(call, url);
    return reply ?? { status: 404, body: { message: "Not Found" } };
  }

  #github({ method, path, body }: Call, url: URL): Reply | undefined {
    if (path === "/graphql") return this.pictures.graphql(body["variables"]);
    if (path === "/repos/acme/funnels") return { body: { node_id: "R_1", html_url: `${this.url}/acme/funnels` } };
    if (path === "/user") return { status: 403, body: { message: "Resource not accessible by integration" } };
    const [, rest = ""] = /^\/repos\/acme\/funnels(\/.*)$/.exec(path) ?? [];
    const at = (route: RegExp): string | undefined => route.exec(rest)?.[1];
    const page = (rows: readonly unknown[]): Reply => this.#paged(rows, url);
    const commented = at(/^\/issues\/(\d+)\/comments$/);
    if (commented !== undefined) {
      const list = this.#commentsOf(Number(commented));
      return method === "GET" ? page(list) : { status: 201, body: this.#comment(list, body["body"]) };
    }
    const comment = at(/^\/issues\/comments\/(\d+)$/);
    if (comment !== undefined) return this.#changeComment(Number(comment), method, body["body"]);
    const commit = at(/^\/commits\/(\w+)\/pulls$/);
    if (commit !== undefined) return page(this.#pullsOf(commit).map(githubPull));
    if (rest === "/branches") return page(this.#allBranches());
    const branch = at(/^\/branches\/(.+)$/);
    if (branch !== undefined) return this.#branch(branch);
    const pull = at(/^\/pulls\/(\d+)$/);
    if (pull !== undefined && method === "GET") {
      const found = this.#pullWith(pull);
      return found && { body: githubPull(found) };
    }
    if (rest === "/issues" && method === "POST") {
      const made = this.#newIssue(body["title"], body["body"], body["labels"] as string[]);
      return { status: 201, body: githubIssue(made, this.url) };
    }
    if (rest === "/issues") {
      const open = this.#openIssues(url).map((one) => githubIssue(one, this.url));
      return page([...open, { number: 999, pull_request: {}, html_url: "", body: "" }]);
    }
    const issue = at(/^\/issues\/(\d+)$/);
    if (issue !== undefined) return this.#editIssue(Number(issue), body["body"], body["state"] === "closed");
    if (rest.startsWith("/git/")) return this.pictures.github(method, rest, body);
    if (rest.startsWith("/actions/")) return this.#githubActions(rest, url);
    return rest === "/pulls" && method === "GET" ? page(this.pulls.filter(isOpen).map(githubPull)) : undefined;
  }

  /** Artifacts with their numbers, the latest first. */
  #numbered(): (Upload & { id: number })[] {
    return this.uploads.map((upload, index) => ({ ...upload, id: index + 1 })).reverse();
  }

  #githubActions(rest: string, url: URL): Reply | undefined {
    const numbered = this.#numbered();
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
    const of = (of: RegExp): string | undefined => of.exec(rest)?.[1];
    const pull = of(/^\/merge_requests\/(\d+)\/pipelines$/);
    if (pull !== undefined) {
      const ran = this.#numbered().filter((one) => one.pull === Number(pull));
      return this.#paged(
        ran.map(({ id }) => ({ id })),
        url,
        true,
      );
    }
    const pipeline = Number(of(/^\/pipelines\/(\d+)\/jobs$/));
    const jobs = [{ id: 1_000 }, { id: pipeline, artifacts_file: { filename: "artifacts.zip" } }];
    if (!Number.isNaN(pipeline))
      return this.uploads[pipeline - 1]?.fork === undefined ? this.#paged(jobs, url, true) : undefined;
    const [, job, path = ""] = /^\/jobs\/(\d+)\/artifacts\/plans\/(.+)$/.exec(rest) ?? [];
    const text = job === undefined ? undefined : this.uploads[Number(job) - 1]?.files[decodeURIComponent(path)];
    return text === undefined ? undefined : { bytes: text };
  }

  #comment(list: Comment[], body: unknown): Comment {
    const made = { id: this.#next++, body: String(body), user: JOB };
    list.push(made);
    return made;
  }

  /** Edits or deletes a comment. A job may do that only with its own. */
  #changeComment(id: number, method: string, body: unknown): Reply | undefined {
    const list = [...this.comments.values()].find((all) => all.some((one) => one.id === id)) ?? [];
    const at = list.findIndex((one) => one.id === id);
    const found = list[at];
    if (found === undefined) return undefined;
    if (found.user.id === PERSON.id) return { status: 403, body: { message: "Must have admin rights" } };
    if (method === "DELETE") {
      list.splice(at, 1);
      return { status: 204 };
    }
    found.body = String(body);
    return { body: found };
  }

  #pullsOf(commit: string): Pull[] {
    return this.pulls.filter(({ commits }) => commits.includes(commit));
  }

  #pullWith(asked: string): Pull | undefined {
    return this.pulls.find(({ number }) => number === Number(asked));
  }

  #allBranches(): { name: string }[] {
    return [...this.branches].map((name) => ({ name }));
  }

  #branch(encoded: string): Reply | undefined {
    const name = decodeURIComponent(encoded);
    return this.branches.has(name) ? { body: { name, commit: { sha: this.newest, id: this.newest } } } : undefined;
  }

  #openIssues(url: URL): HostIssue[] {
    const label = url.searchParams.get("labels") ?? "";
    return this.issues.filter(({ labels, state }) => state === "open" && labels.includes(label));
  }

  #newIssue(title: unknown, body: unknown, labels: string[]): HostIssue {
    const texts = { title: String(title), body: String(body) };
    const made: HostIssue = { number: this.#next++, ...texts, labels, state: "open", user: JOB };
    this.issues.push(made);
    return made;
  }

  #editIssue(number: number, body: unknown, closes: boolean): Reply | undefined {
    const found = this.issues.find((one) => one.number === number);
    if (found === undefined) return undefined;
    if (typeof body === "string") found.body = body;
    if (closes) found.state = "closed";
    return { body: githubIssue(found, this.url) };
  }

  #gitlab({ method, path, body, file }: Call, url: URL): Reply | undefined {
    if (path === "/api/v4/user") return { body: { id: JOB.id } };
    const [, rest = ""] = /^\/api\/v4\/projects\/(?:12|acme%2Ffunnels)(\/.*)$/.exec(path) ?? [];
    const at = (route: RegExp): string | undefined => route.exec(rest)?.[1];
    const page = (rows: readonly unknown[]): Reply => this.#paged(rows, url, true);
    const noted = at(/^\/merge_requests\/(\d+)\/notes$/);
    if (noted !== undefined) {
      const list = this.#commentsOf(Number(noted));
      if (method === "GET") return page(list.map(gitlabNote));
      return { status: 201, body: gitlabNote(this.#comment(list, body["body"])) };
    }
    const note = at(/^\/merge_requests\/\d+\/notes\/(\d+)$/);
    if (note !== undefined) return this.#changeComment(Number(note), method, body["body"]);
    const commit = at(/^\/repository\/commits\/(\w+)\/merge_requests$/);
    if (commit !== undefined) return page(this.#pullsOf(commit).map(gitlabRequest));
    if (rest === "/issues" && method === "POST") {
      const made = this.#newIssue(body["title"], body["description"], String(body["labels"]).split(","));
      return { status: 201, body: gitlabIssue(made) };
    }
    if (rest === "/issues") return page(this.#openIssues(url).map(gitlabIssue));
    if (/^\/issues\/\d+\/notes$/.test(rest)) return { status: 201, body: {} };
    const issue = at(/^\/issues\/(\d+)$/);
    if (issue !== undefined)
      return this.#editIssue(Number(issue), body["description"], body["state_event"] === "close");
    if (rest === "/repository/branches") return page(this.#allBranches());
    const branch = at(/^\/repository\/branches\/(.+)$/);
    if (branch !== undefined) return this.#branch(branch);
    if (rest === "/uploads" && method === "GET" && this.pictures.listsUploads)
      return page(this.pictures.uploads.toReversed());
    if (rest.startsWith("/uploads")) return this.pictures.gitlab(method, rest, file);
    const left = this.#gitlabJobs(rest, url);
    if (left !== undefined) return left;
    const request = at(/^\/merge_requests\/(\d+)$/);
    if (request !== undefined) {
      const found = this.#pullWith(request);
      return found && { body: { ...(gitlabRequest(found) as object), labels: found.labels ?? [] } };
    }
    return rest === "/merge_requests" && method === "GET"
      ? page(this.pulls.filter(isOpen).map(gitlabRequest))
      : undefined;
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
