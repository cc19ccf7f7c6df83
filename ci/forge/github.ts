/** Uses the REST API of GitHub and GitHub Enterprise. */
import { reasonOf } from "../../provider/values/wording.ts";
import { z } from "zod";
import { DamagedError } from "../../stack/places/place.ts";
import type { ForgeAccess } from "../environment.ts";
import type { ChangeNow, Forge, Issue, KeptPictures, MergedChange, Note, PictureFile, PlannedChange } from "./forge.ts";
import { fileInZip, ForgeHttp } from "./http.ts";
import { putOnBranch } from "./picture-branch.ts";

/** Only the fields that Landform uses. Every answer has more. */
const user = z.object({ login: z.string(), type: z.string().optional() });
type User = z.infer<typeof user>;
const comment = z.object({ id: z.number(), body: z.string().nullish(), user: user.nullish() });
const issue = comment.omit({ id: true }).extend({
  number: z.number(),
  html_url: z.string(),
  pull_request: z.unknown().optional(),
});
const page = z.object({ number: z.number(), html_url: z.string() });
const sha = z.object({ sha: z.string() });
const headed = z.object({ commit: sha });
const merged = z.object({
  number: z.number(),
  head: sha,
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  base: z.object({ ref: z.string() }),
});
const pull = z.object({
  state: z.string(),
  head: sha.extend({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
  labels: z.array(z.object({ name: z.string() })).nullish(),
});
const numbered = z.object({ number: z.number() });
const runs = z.object({
  workflow_runs: z.array(z.object({ id: z.number(), head_repository: z.object({ full_name: z.string() }).nullish() })),
});
const artifacts = z.object({
  artifacts: z.array(z.object({ id: z.number(), name: z.string(), expired: z.boolean() })),
});
const named = z.object({ name: z.string() });
const identified = z.object({ id: z.number() });

const ARTIFACT = "landform-plans";

/** An error here comes from the upload or the download. */
function unpacked(zip: Buffer, file: string, { url, name }: { url: string; name: string }): Buffer | undefined {
  try {
    return fileInZip(zip, file);
  } catch (error) {
    const reason = reasonOf(error);
    throw new DamagedError(
      `the artifact ${name} (${url}) can't be unpacked: ${reason}. Run this job again, in case it was damaged on its way`,
      { cause: error },
    );
  }
}

export class Github implements Forge {
  readonly kind = "github";
  readonly #http: ForgeHttp;
  /** GitHub Enterprise has it beside the versions of the other calls. */
  readonly #graphql: ForgeHttp;
  readonly #name: string;
  readonly #repo: string;
  #self: Promise<string | undefined> | undefined;

  constructor({ apiUrl, repository, token }: ForgeAccess & { token: string }) {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    };
    this.#http = new ForgeHttp({ apiUrl, headers });
    this.#graphql = new ForgeHttp({ apiUrl: apiUrl.replace(/\/v3$/, ""), headers });
    this.#name = repository;
    this.#repo = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
  }

  nameOf(change: number): string {
    return `pull request #${change}`;
  }

  async *notes(change: number): AsyncGenerator<Note> {
    for await (const { id, body, user: author } of this.#http.rows(`${this.#repo}/issues/${change}/comments`, comment))
      yield { id: String(id), body: body ?? "", ours: await this.#isOurs(author) };
  }

  async addNote(change: number, body: string): Promise<Note> {
    const made = await this.#http.ask(identified, "POST", `${this.#repo}/issues/${change}/comments`, { body });
    return { id: String(made.id), body, ours: true };
  }

  async editNote(_change: number, { id }: Note, body: string): Promise<void> {
    await this.#http.send("PATCH", `${this.#repo}/issues/comments/${id}`, { body });
  }

  async deleteNote(_change: number, { id }: Note): Promise<void> {
    await this.#http.send("DELETE", `${this.#repo}/issues/comments/${id}`);
  }

  async change(number: number): Promise<ChangeNow | undefined> {
    const found = await this.#http.find(`${this.#repo}/pulls/${number}`, pull);
    if (found === undefined) return undefined;
    const { sha: head, ref: branch, repo } = found.head;
    // A deleted fork has no name.
    const from = repo?.full_name ?? "a repository that is gone";
    const own = from.toLowerCase() === this.#name.toLowerCase();
    const labels = (found.labels ?? []).map(({ name }) => name);
    return { open: found.state === "open", head, branch, labels, ...(own ? {} : { fork: from }) };
  }

  async *openChanges(): AsyncGenerator<number> {
    for await (const { number } of this.#http.rows(`${this.#repo}/pulls?state=open`, numbered)) yield number;
  }

  async *branches(): AsyncGenerator<string> {
    for await (const { name } of this.#http.rows(`${this.#repo}/branches`, named)) yield name;
  }

  async headOf(branch: string): Promise<string | undefined> {
    return (await this.#http.find(`${this.#repo}/branches/${encodeURIComponent(branch)}`, headed))?.commit.sha;
  }

  async changesOf(commit: string): Promise<MergedChange[]> {
    const pulls = await this.#http.list(`${this.#repo}/commits/${encodeURIComponent(commit)}/pulls`, merged);
    return pulls.flatMap(({ number, head, base, merged_at: at, merge_commit_sha: made }) =>
      typeof at === "string" ? [{ number, head: head.sha, into: base.ref, merging: made === commit }] : [],
    );
  }

  async keepPictures(preview: string, pictures: readonly PictureFile[], now: Date): Promise<KeptPictures> {
    const host = { http: this.#http, graphql: this.#graphql, repo: this.#repo };
    return { urls: await putOnBranch(host, preview, pictures, now) };
  }

  async *openIssues(label: string): AsyncGenerator<Issue> {
    const path = `${this.#repo}/issues?state=open&labels=${encodeURIComponent(label)}`;
    for await (const row of this.#http.rows(path, issue)) {
      if (row.pull_request !== undefined) continue;
      yield { number: row.number, url: row.html_url, body: row.body ?? "", ours: await this.#isOurs(row.user) };
    }
  }

  async openIssue(title: string, body: string, label: string): Promise<{ number: number; url: string }> {
    const made = await this.#http.ask(page, "POST", `${this.#repo}/issues`, { title, body, labels: [label] });
    return { number: made.number, url: made.html_url };
  }

  async editIssue({ number }: Issue, body: string): Promise<void> {
    await this.#http.send("PATCH", `${this.#repo}/issues/${number}`, { body });
  }

  async closeIssue({ number }: Issue, why: string): Promise<void> {
    await this.addNote(number, why);
    await this.#http.send("PATCH", `${this.#repo}/issues/${number}`, { state: "closed", state_reason: "completed" });
  }

  /** Returns a file of the latest artifact. An artifact has the content of the folder. GitHub lists runs and artifacts latest first. */
  async artifact({ head }: PlannedChange, _folder: string, file: string): Promise<Uint8Array | undefined> {
    const actions = `${this.#repo}/actions`;
    const asked = `${actions}/runs?head_sha=${encodeURIComponent(head)}&per_page=100`;
    const { workflow_runs: all } = await this.#http.ask(runs, "GET", asked);
    const own = all.filter((run) => run.head_repository?.full_name.toLowerCase() === this.#name.toLowerCase());
    for (const { id: run } of own) {
      const left = await this.#http.ask(artifacts, "GET", `${actions}/runs/${run}/artifacts?per_page=100`);
      const plans = left.artifacts.filter(({ name, expired }) => !expired && name.startsWith(ARTIFACT));
      for (const { id, name } of plans.sort((a, b) => b.id - a.id)) {
        const path = `${actions}/artifacts/${id}/zip`;
        const zip = await this.#http.file(path);
        const found = zip && unpacked(zip, file, { url: this.#http.urlOf(path), name });
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  async #isOurs(author: User | null | undefined): Promise<boolean> {
    // A job's token belongs to an app, and an app is no user for the REST API.
    this.#self ??= this.#http.ask(user, "GET", "/user").then(
      ({ login }) => login,
      () => undefined,
    );
    const self = await this.#self;
    // A token without a user is an app's. The author has to be an app then, never a person.
    return self === undefined ? author?.type === "Bot" : author?.login === self;
  }
}
