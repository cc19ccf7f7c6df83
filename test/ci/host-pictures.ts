/** The part of a code host that keeps pictures: GitHub's objects and branch of them, and GitLab's uploads. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

type Entry = { path: string; mode: string; type: string; sha: string };

export type HostReply = { status?: number; body?: unknown; bytes?: Buffer; headers?: Record<string, string> };

export type HostUpload = { id: number; secret: string; filename: string; created_at: string; bytes: Buffer };

export type Sent = { body: Record<string, unknown>; file?: { name: string; bytes: Buffer } };

export async function sent(request: IncomingMessage): Promise<Sent> {
  const content = await buffer(request);
  const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(request.headers["content-type"] ?? "") ?? [];
  if (boundary !== undefined) return { body: {}, ...fileIn(content, boundary) };
  try {
    return { body: JSON.parse(content.toString()) as Record<string, unknown> };
  } catch {
    return { body: {} };
  }
}

/** Reads the form's only part. */
function fileIn(content: Buffer, boundary: string): Pick<Sent, "file"> {
  const start = content.indexOf("\r\n\r\n");
  const head = content.toString("latin1", 0, start);
  const name = /name="file"; filename="([^"]+)"/.exec(head)?.[1];
  if (!head.startsWith(`--${boundary}`) || name === undefined) return {};
  return { file: { name, bytes: content.subarray(start + 4, content.indexOf(`\r\n--${boundary}`, start)) } };
}

const NONE = "0".repeat(40);
const REF = "refs/heads/landform/pictures";
const PNG = { "content-type": "image/png" };

const hashOf = (value: Buffer | string): string => createHash("sha1").update(value).digest("hex");

export class HostPictures {
  readonly #blobs = new Map<string, Buffer>();
  readonly #trees = new Map<string, Entry[]>();
  readonly commits = new Map<string, { tree: string; parents: string[]; message: string }>();
  readonly uploads: HostUpload[] = [];
  head: string | undefined;
  /** Moves the branch as another job does, before the next call that moves it. */
  meanwhile: (() => void) | undefined;
  /** False for a GitLab before 17.2, or for a token that is no maintainer's. */
  listsUploads = true;

  /** Answers GitHub's calls below the repository. */
  github(method: string, rest: string, body: Record<string, unknown>): HostReply | undefined {
    if (method === "GET" && rest === "/git/ref/heads/landform/pictures")
      return this.head === undefined ? undefined : { body: { ref: REF, object: { type: "commit", sha: this.head } } };
    const asked = /^\/git\/trees\/(\w+)$/.exec(rest)?.[1] ?? "";
    const tree = this.#trees.get(this.commits.get(asked)?.tree ?? asked);
    if (method === "GET") return tree && { body: { sha: asked, tree, truncated: false } };
    if (rest === "/git/blobs") return this.#made(this.#blob(Buffer.from(String(body["content"]), "base64")));
    if (rest === "/git/trees") return this.#made(this.#tree(body["tree"] as Entry[]));
    if (rest !== "/git/commits") return undefined;
    return this.#made(this.commit(String(body["tree"]), body["parents"] as string[], String(body["message"])));
  }

  /** Answers `updateRefs`: the branch moves only from the commit that the caller knows. */
  graphql(variables: unknown): HostReply {
    const { input } = variables as {
      input: { repositoryId: string; refUpdates: { name: string; beforeOid: string; afterOid: string }[] };
    };
    const [update] = input.refUpdates;
    this.meanwhile?.();
    this.meanwhile = undefined;
    const isExpected = update?.name === REF && update.beforeOid === (this.head ?? NONE);
    const isKnown = update !== undefined && (update.afterOid === NONE || this.commits.has(update.afterOid));
    if (input.repositoryId !== "R_1" || !isExpected || !isKnown)
      return {
        body: { data: { updateRefs: null }, errors: [{ message: "the reference is not at the expected commit" }] },
      };
    this.head = update.afterOid === NONE ? undefined : update.afterOid;
    return { body: { data: { updateRefs: { clientMutationId: null } } } };
  }

  commit(tree: string, parents: string[], message: string): string {
    const sha = hashOf(JSON.stringify([tree, parents, message, this.commits.size]));
    this.commits.set(sha, { tree, parents, message });
    return sha;
  }

  /** Adds a folder with one picture to the branch, without the client. */
  adds(folder: string): void {
    const all = this.#trees.get(this.commits.get(this.head ?? "")?.tree ?? "") ?? [];
    const png = { path: `${folder}/a.png`, mode: "100644", type: "blob", sha: this.#blob(Buffer.from(folder)) };
    this.head = this.commit(this.#tree([...all, png]) ?? "", [], "by another job");
  }

  /** Returns the files of the branch by their paths. */
  files(): Map<string, Buffer> {
    return this.head === undefined
      ? new Map<string, Buffer>()
      : this.#filesIn(this.commits.get(this.head)?.tree ?? "", "");
  }

  folders(): string[] {
    return [...new Set([...this.files().keys()].map((path) => path.split("/")[0] ?? ""))].sort();
  }

  /** Answers GitLab's calls below the project. */
  gitlab(method: string, rest: string, file: Sent["file"]): HostReply | undefined {
    if (method === "POST" && rest === "/uploads" && file !== undefined) return this.#upload(file);
    if (!this.listsUploads) return { status: 403, body: { message: "403 Forbidden" } };
    const id = Number(/^\/uploads\/(\d+)$/.exec(rest)?.[1]);
    const at = this.uploads.findIndex((one) => one.id === id);
    if (method !== "DELETE" || at === -1) return undefined;
    this.uploads.splice(at, 1);
    return { status: 204 };
  }

  /** Answers a browser. `path`: of a file of the branch, or of an upload. */
  seen(path: string): HostReply | undefined {
    const onBranch = /^\/acme\/funnels\/blob\/landform\/pictures\/(.+)$/.exec(path)?.[1];
    const file = onBranch === undefined ? undefined : this.files().get(onBranch);
    const upload = this.uploads.find(({ secret, filename }) => path === `/uploads/${secret}/${filename}`);
    const bytes = file ?? upload?.bytes;
    return bytes && { bytes, headers: PNG };
  }

  #made(sha: string | undefined): HostReply {
    return sha === undefined ? { status: 422, body: { message: "Invalid tree" } } : { status: 201, body: { sha } };
  }

  #blob(content: Buffer): string {
    const sha = hashOf(content);
    this.#blobs.set(sha, content);
    return sha;
  }

  /** Puts the entries of one folder into a tree of their own, as GitHub does. */
  #tree(entries: readonly Entry[]): string | undefined {
    if (entries.length === 0) return undefined;
    const folders = Map.groupBy(entries, ({ path }) => (path.includes("/") ? (path.split("/")[0] ?? "") : ""));
    const own = folders.get("") ?? [];
    if (own.some(({ type, sha }) => !(type === "tree" ? this.#trees : this.#blobs).has(sha))) return undefined;
    const nested = [...folders].flatMap(([folder, inside]): Entry[] => {
      if (folder === "") return [];
      const sha = this.#tree(inside.map((one) => ({ ...one, path: one.path.slice(folder.length + 1) }))) ?? "";
      return [{ path: folder, mode: "040000", type: "tree", sha }];
    });
    const all = [...own, ...nested];
    const sha = hashOf(JSON.stringify(all));
    this.#trees.set(sha, all);
    return sha;
  }

  #filesIn(tree: string, within: string): Map<string, Buffer> {
    const entries = this.#trees.get(tree) ?? [];
    return new Map(
      entries.flatMap(({ path, type, sha }) =>
        type === "tree"
          ? [...this.#filesIn(sha, `${within}${path}/`)]
          : [[`${within}${path}`, this.#blobs.get(sha) ?? Buffer.alloc(0)]],
      ),
    );
  }

  #upload({ name: filename, bytes }: NonNullable<Sent["file"]>): HostReply {
    const id = (this.uploads.at(-1)?.id ?? 0) + 1;
    const secret = hashOf(`${id}${filename}`).slice(0, 32);
    this.uploads.push({ id, secret, filename, created_at: new Date().toISOString(), bytes });
    const url = `/uploads/${secret}/${filename}`;
    return { status: 201, body: { id, alt: filename, url, markdown: `![${filename}](${url})` } };
  }
}
