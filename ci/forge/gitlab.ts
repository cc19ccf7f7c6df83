/** Uses GitLab's REST API. */
import { z } from "zod";
import type { ForgeAccess } from "../environment.ts";
import {
  type ChangeNow,
  type Forge,
  type Issue,
  type KeptPictures,
  type MergedChange,
  type Note,
  PICTURE_DAYS,
  type PictureFile,
  type PlannedChange,
} from "./forge.ts";
import { asked, ForgeError, ForgeHttp } from "./http.ts";

/** Only the fields that Landform uses. Every answer has more. */
const identified = z.object({ id: z.number() });
const headed = z.object({ commit: z.object({ id: z.string() }) });
type Author = z.infer<typeof identified>;
const note = z.object({ id: z.number(), body: z.string(), author: identified.nullish() });
const issue = z.object({
  iid: z.number(),
  web_url: z.string(),
  description: z.string().nullish(),
  author: identified.nullish(),
});
const request = z.object({
  state: z.string(),
  sha: z.string(),
  source_branch: z.string(),
  source_project_id: z.number().nullish(),
  target_project_id: z.number().nullish(),
  labels: z.array(z.string()).nullish(),
});
const merged = z.object({
  iid: z.number(),
  state: z.string(),
  sha: z.string(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  target_branch: z.string(),
});
const job = identified.extend({ artifacts_file: z.unknown().optional() });
const numbered = z.object({ iid: z.number() });
const named = z.object({ name: z.string() });
const page = z.object({ web_url: z.string() });
const upload = z.object({ url: z.string() });
const uploaded = identified.extend({ filename: z.string(), created_at: z.string() });

/** The start of the names of all our uploads. People upload files, too. */
const UPLOADS = "landform.";

export class Gitlab implements Forge {
  readonly kind = "gitlab";
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
    for await (const { id, body, author } of this.#http.rows(path, note))
      yield { id: String(id), body, ours: await this.#isOurs(author) };
  }

  async addNote(change: number, body: string): Promise<Note> {
    const made = await this.#http.ask(identified, "POST", `${this.#project}/merge_requests/${change}/notes`, { body });
    return { id: String(made.id), body, ours: true };
  }

  async editNote(change: number, { id }: Note, body: string): Promise<void> {
    await this.#http.send("PUT", `${this.#project}/merge_requests/${change}/notes/${id}`, { body });
  }

  async deleteNote(change: number, { id }: Note): Promise<void> {
    await this.#http.send("DELETE", `${this.#project}/merge_requests/${change}/notes/${id}`);
  }

  async change(number: number): Promise<ChangeNow | undefined> {
    const path = `${this.#project}/merge_requests/${number}`;
    const found = await this.#http.find(path, request);
    if (found === undefined) return undefined;
    const { state, sha: head, source_branch: branch, source_project_id: source, target_project_id: target } = found;
    // A request that is being merged is locked meanwhile.
    const open = state === "opened" || state === "locked";
    const fork = source === target ? {} : { fork: `project ${source ?? "that is gone"}` };
    return { open, head, branch, labels: found.labels ?? [], ...fork };
  }

  async *openChanges(): AsyncGenerator<number> {
    const path = `${this.#project}/merge_requests?state=opened`;
    for await (const { iid } of this.#http.rows(path, numbered)) yield iid;
  }

  async *branches(): AsyncGenerator<string> {
    for await (const { name } of this.#http.rows(`${this.#project}/repository/branches`, named)) yield name;
  }

  async headOf(branch: string): Promise<string | undefined> {
    const path = `${this.#project}/repository/branches/${encodeURIComponent(branch)}`;
    return (await this.#http.find(path, headed))?.commit.id;
  }

  async changesOf(commit: string): Promise<MergedChange[]> {
    const path = `${this.#project}/repository/commits/${encodeURIComponent(commit)}/merge_requests`;
    const all = (await this.#http.list(path, merged)).filter(({ state }) => state === "merged");
    return all.map(({ iid: number, sha: head, target_branch: into, ...made }) => {
      const merging = [made.merge_commit_sha, made.squash_commit_sha, head].includes(commit);
      return { number, head, into, merging };
    });
  }

  async keepPictures(preview: string, pictures: readonly PictureFile[], now: Date): Promise<KeptPictures> {
    const start = `${UPLOADS}${preview}.`;
    const earlier = await asked(() => this.#uploadsOf(start, now.getTime() - PICTURE_DAYS * 86_400_000));
    const urls: string[] = [];
    for (const { name, png } of pictures) {
      const form = new FormData();
      form.append("file", new Blob([new Uint8Array(png)], { type: "image/png" }), `${start}${name}`);
      urls.push((await this.#http.ask(upload, "POST", `${this.#project}/uploads`, form)).url);
    }
    const swept = await asked(async () => {
      if ("unasked" in earlier) return;
      for (const id of earlier.answer) await this.#http.send("DELETE", `${this.#project}/uploads/${id}`);
    });
    const unswept = [earlier, swept].flatMap((one) => ("unasked" in one ? [one.unasked] : []))[0];
    return { urls, ...(unswept !== undefined && { unswept }) };
  }

  /** Only maintainers of the project may list uploads, and no GitLab before 17.2 does. */
  async #uploadsOf(start: string, oldest: number): Promise<number[]> {
    const isDue = ({ filename, created_at: at }: z.infer<typeof uploaded>): boolean =>
      filename.startsWith(start) || (filename.startsWith(UPLOADS) && Date.parse(at) < oldest);
    return (await this.#http.list(`${this.#project}/uploads`, uploaded)).filter(isDue).map(({ id }) => id);
  }

  async *openIssues(label: string): AsyncGenerator<Issue> {
    const path = `${this.#project}/issues?state=opened&labels=${encodeURIComponent(label)}`;
    for await (const { iid, web_url: url, description, author } of this.#http.rows(path, issue))
      yield { number: iid, url, body: description ?? "", ours: await this.#isOurs(author) };
  }

  async openIssue(title: string, description: string, labels: string): Promise<{ number: number; url: string }> {
    const path = `${this.#project}/issues`;
    const made = await this.#http.ask(page.extend(numbered.shape), "POST", path, { title, description, labels });
    return { number: made.iid, url: made.web_url };
  }

  async editIssue({ number }: Issue, description: string): Promise<void> {
    await this.#http.send("PUT", `${this.#project}/issues/${number}`, { description });
  }

  async closeIssue({ number }: Issue, why: string): Promise<void> {
    await this.#http.send("POST", `${this.#project}/issues/${number}/notes`, { body: why });
    await this.#http.send("PUT", `${this.#project}/issues/${number}`, { state_event: "close" });
  }

  /** GitLab lists the latest first. */
  async artifact({ number }: PlannedChange, folder: string, file: string): Promise<Uint8Array | undefined> {
    if (number === undefined) return undefined;
    const path = [...folder.split("/"), ...file.split("/")].map(encodeURIComponent).join("/");
    for await (const { id } of this.#http.rows(`${this.#project}/merge_requests/${number}/pipelines`, identified))
      for (const one of await this.#withArtifacts(id)) {
        const found = await this.#http.file(`${this.#project}/jobs/${one}/artifacts/${path}`);
        if (found !== undefined) return found;
      }
    return undefined;
  }

  /** Returns jobs of this project's own pipeline. A fork's pipeline is not found here. */
  async #withArtifacts(pipeline: number): Promise<number[]> {
    try {
      const jobs = await this.#http.list(`${this.#project}/pipelines/${pipeline}/jobs`, job);
      return jobs.flatMap(({ id, artifacts_file: file }) => (file == null ? [] : [id]));
    } catch (error) {
      if (error instanceof ForgeError && error.status === 404) return [];
      throw error;
    }
  }

  async #isOurs(author: Author | null | undefined): Promise<boolean> {
    const self = await (this.#self ??= this.#whoWeAre());
    return self !== undefined && author?.id === self;
  }

  async #whoWeAre(): Promise<number | undefined> {
    return (await this.#http.ask(identified, "GET", "/user").catch(() => undefined))?.id;
  }
}
