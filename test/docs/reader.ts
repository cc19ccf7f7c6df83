/** A reader who pastes the blocks of a guide, in the order of the page, into a folder that was empty, and compares each output with the page's. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { CodeHost, type Pull } from "../ci/code-host.ts";
import { neutral, type Desk, type Ended } from "../cli/harness.ts";
import { runHere, type NearDesk } from "../cli/near-desk.ts";
import { blocksOf, repository, type Block } from "./markdown.ts";

/** A person's work right before a command of the guide, and the command's exit code if it is not 0. */
export type Step = readonly [command: string, work: (reader: Reader) => unknown, code?: number];

export interface Guide {
  /** The reader's files. Default: the funnel of the README. */
  readonly files?: Readonly<Record<string, string>>;
  /** True if the reader has deployed before. */
  readonly deployed?: true;
  /** In the order of the guide. */
  readonly steps?: readonly Step[];
  /** Places and keys that a reader has and this machine has not, and their stand-ins. */
  readonly places?: Readonly<Record<string, (desk: Desk) => string>>;
  /** The name under which the reader saves a program of the page. */
  readonly program?: string;
  /** The file that the page shows a part of. */
  readonly shows?: string;
}

type Shell = (line: string, folder: string, env: NodeJS.ProcessEnv, stdin?: string) => Promise<Ended>;

/** Commands that nobody runs here, and the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  npm: "test/package installs the package, and test/ci/files.test.ts runs the jobs that install it",
  pulumi: "Pulumi's own; test/pulumi runs them",
};

export const MANIFEST = "landform.yaml";
const ASKS = /^(up|undo|destroy|adopt|env (up|down|gc)|ci preview|state unlock)\b/;
/** The last commit of the request, and the commit of its merge. */
const [HEAD, MERGE] = ["a".repeat(40), "b".repeat(40)];

export class Reader {
  readonly desk: Desk;
  readonly #shell: Shell;
  readonly #guide: Guide;
  readonly #env: NodeJS.ProcessEnv;
  readonly #pull: Pull = { number: 12, head: HEAD, merged: false, commits: [], branch: "spring" };
  #host: CodeHost | undefined;
  #folder: string;
  /** Everything that the last block of commands printed. */
  #printed = "";

  constructor(desk: Desk, shell: Shell, guide: Guide) {
    this.desk = desk;
    this.#shell = shell;
    this.#guide = guide;
    this.#folder = desk.folder;
    this.#env = { ...desk.env, HEAD, GIT_CONFIG_NOSYSTEM: "1" };
  }

  async follow(page: string): Promise<void> {
    const { files = { [MANIFEST]: FUNNEL }, deployed, steps = [] } = this.#guide;
    for (const [file, body] of Object.entries(files)) this.#save(file, body);
    if (deployed) await this.run("up");
    const left = [...steps];
    const whole = readFileSync(join(repository, page), "utf8");
    try {
      for (const block of blocksOf(whole)) await this.#paste(block, whole, left);
    } finally {
      await this.#host?.close();
    }
    expect(left.map(([command]) => command)).toEqual([]);
  }

  async run(command: string, code = 0): Promise<void> {
    await this.#line(`npx landform ${command}`, code);
  }

  /** The comment of the request, as it is read. */
  get comment(): string {
    return this.#masked(readable(this.#host?.ours(this.#pull.number)[0]?.body ?? ""));
  }

  /** Checks that the comment has each line that the page quotes, in this order. */
  isQuotedIn(page: string): void {
    const lines = [...readFileSync(join(repository, page), "utf8").matchAll(/^>(.+)$/gm)];
    let from = 0;
    for (const [, line = ""] of lines) {
      const at = this.comment.indexOf(this.#masked(readable(line)), from);
      expect(at, `not in the comment: ${line}\n---\n${this.comment}`).toBeGreaterThan(-1);
      from = at + 1;
    }
    expect(from).toBeGreaterThan(0);
  }

  async #paste({ language, text: body, line }: Block, whole: string, left: Step[]): Promise<void> {
    const [before = "", mark = ""] = whole
      .split("\n")
      .slice(0, line - 1)
      .reverse()
      .filter((one) => one !== "");
    const [, file] = /^`([\w./-]+)`:$/.exec(before) ?? [];
    if (language === "sh") await this.#commands(linesOf(body), left);
    else if (language === "ts") this.#program(body);
    else if (language === "yaml") {
      if (before !== PART && mark !== PART) this.#save(MANIFEST, body);
      else if (this.#guide.shows !== undefined) this.#isIn(body.split("\n"), this.desk.read(this.#guide.shows));
    } else if (file !== undefined) this.#save(file, body);
    else await this.#output(body, left);
  }

  async #commands(lines: readonly string[], left: Step[]): Promise<void> {
    this.#printed = "";
    for (const line of lines) {
      const command = line.replace(/^npx landform /, "");
      const [, work, code = 0] = left[0]?.[0] === command ? (left.shift() ?? []) : [];
      await work?.(this);
      await this.#line(line, code);
    }
  }

  async #output(body: string, left: Step[]): Promise<void> {
    const shown: string[] = [];
    for (const line of body.split("\n"))
      if (line.startsWith("$ ")) await this.#commands([line.slice(2)], left);
      else if (line !== "…") shown.push(line);
    this.#isIn(shown, this.#printed);
  }

  /** Checks that a text has the lines in this order. */
  #isIn(shown: readonly string[], whole: string): void {
    const printed = this.#masked(whole).split("\n");
    let from = 0;
    for (const line of shown.filter((one) => one.trim() !== "").map((one) => this.#masked(one))) {
      const at = printed.indexOf(line, from);
      expect(at, `not there: ${line}\n---\n${printed.slice(from).join("\n")}`).toBeGreaterThan(-1);
      from = at + 1;
    }
  }

  async #line(pasted: string, code: number): Promise<void> {
    const [name = ""] = pasted.split(" ");
    // The tour waits for keys, and has a test of its own.
    if (name in NOT_RUN || pasted.endsWith("emulator --tour")) return;
    const line = await this.#atHome(pasted);
    const [, variable, value = ""] = /^export (\w+)='?(.*?)'?$/.exec(line) ?? [];
    if (variable !== undefined) this.#env[variable] = value;
    else if (name === "cd") this.#folder = join(this.#folder, line.slice(3));
    else {
      const env = /^npx landform (ci (plan|apply|preview)|env gc)(?!.* --head)/.test(line) ? await this.#job(line) : {};
      const stdin = /config set --secret/.test(line) ? `${this.desk.emulator.apiKey}\n` : undefined;
      const { stdout, stderr, ...ended } = await this.#shell(line, this.#folder, { ...this.#env, ...env }, stdin);
      this.#printed += stdout + stderr;
      expect(ended.code, `${line}\n${stdout}\n${stderr}`).toBe(code);
    }
  }

  /** Says yes in advance where the command would ask, and names a run, a port and places of this machine in place of the guide's. */
  async #atHome(pasted: string): Promise<string> {
    const command = pasted.replace(/^npx landform /, "");
    const asks = ASKS.test(command) && !/--(plan|save|yes)\b/.test(command);
    const port = new URL(this.desk.emulator.baseUrl).port;
    let line = pasted.replaceAll(/localhost:\d+/g, `localhost:${port}`).replace("~", this.desk.folder);
    for (const [place, standIn] of Object.entries(this.#guide.places ?? {}))
      line = line.replace(place, standIn(this.desk));
    if (/\d{8}-\d/.test(line)) {
      const { stdout } = await this.#shell("npx landform history", this.#folder, this.#env);
      line = line.replace(/\d{8}-\d+/, /\d{8}-[\d.]+-\w+/.exec(stdout)?.[0] ?? "");
    }
    if (!asks) return line;
    return line.includes(" > ") ? line.replace(" > ", " --yes > ") : `${line} --yes`;
  }

  /** A job of the code host: of the open request for a plan or a preview, else of its merge. */
  async #job(line: string): Promise<NodeJS.ProcessEnv> {
    if (this.#host === undefined) {
      this.#host = await CodeHost.open();
      this.#host.pulls.push(this.#pull);
    }
    const isApply = line.includes("ci apply");
    Object.assign(this.#pull, { merged: isApply, ...(isApply && { mergeCommit: MERGE, commits: [MERGE] }) });
    const pull_request = { number: 12, head: { sha: HEAD, repo: { full_name: "acme/funnels" } } };
    this.desk.write("event.json", JSON.stringify(isApply ? {} : { action: "opened", pull_request }));
    return {
      GITHUB_ACTIONS: "true",
      GITHUB_API_URL: this.#host.url,
      GITHUB_REPOSITORY: "acme/funnels",
      GITHUB_EVENT_PATH: this.desk.path("event.json"),
      GITHUB_HEAD_REF: "spring",
      GITHUB_SHA: isApply ? MERGE : "f".repeat(40),
      GITHUB_TOKEN: "job-token",
    };
  }

  #program(body: string): void {
    const { program } = this.#guide;
    if (program === undefined) return;
    if (program === "index.ts") this.desk.program("");
    this.desk.write(program, body);
  }

  #save(file: string, body: string): void {
    const path = join(this.#folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, body);
  }

  /** Replaces everything that differs from machine to machine and from run to run. */
  #masked(output: string): string {
    return neutral(output)
      .replaceAll(this.desk.folder, "HOME")
      .replaceAll("/home/anna", "HOME")
      .replaceAll(/\b(acct_)?[0-9a-f]{16}\b|\b[0-9a-f]{10}\b|\b[0-9a-f]{40}\b/g, "HASH")
      .replaceAll(/\d{8}-[\d.]+-\w+/g, "RUN")
      .replaceAll(/\d{4}-\d\d-\d\d([T ][\d:.]+(Z| UTC))?/g, "DATE")
      .replaceAll(/\b\w+@[\w.-]+\b/g, "PERSON")
      .replaceAll(/\bpr-(\d+)-\w{10}\b/g, "pr-$1-TOKEN")
      .replaceAll(/ +$/gm, "");
  }
}

export function nearShell(desk: NearDesk): Shell {
  return async (line, folder, env, stdin) => {
    const [command = "", file] = line.split(" > ");
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = ""]) => quoted ?? word);
    expect(words.slice(0, 2)).toEqual(["npx", "landform"]);
    const args = words.slice(2).map((word) => word.replace("$HEAD", env["HEAD"] ?? ""));
    if (stdin !== undefined) return desk.apart([...args, "-C", folder], { env, stdin });
    const ended = await runHere(args, folder, env);
    if (file === undefined) return ended;
    writeFileSync(join(folder, file), ended.stdout);
    return { ...ended, stdout: "" };
  };
}

/** Runs the line as it stands in a shell, with the programs of a folder first on the PATH. */
export function shellWith(programs: string): Shell {
  return async (line, folder, env, stdin = "") => {
    const child = spawn("bash", ["-c", line], {
      cwd: folder,
      env: { ...env, PATH: `${programs}:${env["PATH"] ?? ""}` },
    });
    child.stdin.end(stdin);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close") as Promise<[number | null]>,
    ]);
    return { code, stdout, stderr };
  };
}

export function blockIn(file: string, language: string): string {
  const blocks = blocksOf(readFileSync(join(repository, file), "utf8"));
  return blocks.find((block) => block.language === language)?.text ?? "";
}

const PART = "<!-- part -->";
export const FUNNEL = blockIn("README.md", "yaml");

function readable(markdown: string): string {
  return markdown
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/<!--.*?-->|\[!\w+\]|⚠️ \*\*Warning\*\*|[*`#>\\•\u200b-]|<\/?\w+>/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function linesOf(body: string): string[] {
  return body.split("\n").flatMap((line) => line.replace(/(?:^| +)#.*/, "").trim() || []);
}
