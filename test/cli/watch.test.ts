// @module-tag thorough
/** `landform watch`: it applies a save with the guards of an up, reports an error until the next save mends it, and ends at Ctrl-C. */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ProjectFiles } from "../../cli/watch/files.ts";
import { visit } from "../examples/visit.ts";
import { type Begun, Desk } from "./harness.ts";
import { hero, sited } from "./manifests.ts";
import { forAllTests, forEachTest } from "../suite/opened.ts";

class Watching {
  readonly #watch: Begun;
  #from = 0;

  constructor(desk: Desk, args: readonly string[] = []) {
    this.#watch = desk.begin(["watch", ...args]);
  }

  /** The output since the last wait. */
  get news(): string {
    return this.#watch.told().slice(this.#from);
  }

  async until(text: string): Promise<string> {
    await vi.waitFor(() => expect(this.news).toContain(text), { timeout: 60_000, interval: 50 });
    const { news } = this;
    const end = news.indexOf(text) + text.length;
    this.#from += end;
    return news.slice(0, end);
  }

  async end(): Promise<void> {
    this.#watch.child.kill("SIGINT");
    expect(await this.#watch.ended, this.#watch.told()).toBe(0);
  }
}

// Real runs, one after another.
vi.setConfig({ testTimeout: 300_000 });

const desk = forAllTests(() => Desk.open("quickstart-yaml"));

test("saves reach the published page, errors don't end it, Ctrl-C does", async () => {
  const watching = new Watching(desk);
  const url = /http:\S+\/offer/.exec(await watching.until("5 created"))?.[0] ?? "";

  desk.edit("landform.yaml", "slug: offer", "slog: offer");
  await watching.until("landform.yaml can't be used");
  desk.edit("landform.yaml", "slog: offer", "slug: offer");
  desk.edit("landform.yaml", "A mug worth getting up for", "A mug to stay up for");
  await watching.until("1 updated");
  expect((await visit(url)).body).toContain("A mug to stay up for");

  await watching.end();
  expect(watching.news).toContain("Stopped. The changes that were applied stay.");
  await desk.plansNothing();
});

test("an account elsewhere is not written to unasked", async () =>
  expect(await desk.saysWith({ LANDFORM_BASE_URL: "https://api.example.com/v1" }, 4, "watch")).toContain(
    "Add --yes to apply every save",
  ));

test("ignores files that it writes itself, and logs", () => {
  const root = mkdtempSync(join(tmpdir(), "landform-watch-"));
  const told = openSync(join(root, "told.txt"), "w");
  onTestFinished(() => {
    closeSync(told);
    rmSync(root, { recursive: true });
  });
  const files = new ProjectFiles(root, [told]);
  writeSync(told, "landform.yaml changed");
  writeFileSync(join(root, "tee.log"), "landform.yaml changed");
  expect(files.changed()).toEqual([]);
  writeFileSync(join(root, "landform.yaml"), "landform: 1");
  expect(files.changed()).toEqual(["landform.yaml"]);
});

test("a change is a change of content, however a file is saved", async () => {
  const root = mkdtempSync(join(tmpdir(), "landform-watch-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  mkdirSync(join(root, "content"));
  mkdirSync(join(root, "node_modules"));
  write("a.ts", "1");
  const files = new ProjectFiles(root);
  expect(files.changed()).toEqual([]);
  utimesSync(join(root, "a.ts"), 1, 1);
  write("node_modules/b.ts", "1");
  write(".hidden", "1");
  expect(files.changed()).toEqual([]);
  write("a.tmp", "2");
  renameSync(join(root, "a.tmp"), join(root, "a.ts"));
  write("content/new.md", "text");
  expect(files.changed()).toEqual(["a.ts", "content/new.md"]);
  rmSync(join(root, "a.ts"));
  expect(files.changed()).toEqual(["a.ts"]);

  const stop = new AbortController();
  const next = files.nextChange(stop.signal);
  write("content/new.md", "other");
  expect(await next).toEqual(["content/new.md"]);
  const none = files.nextChange(stop.signal);
  stop.abort();
  expect(await none).toBeUndefined();
});

const guarded = forEachTest(() => Desk.open());

/** Pages at /offer and, under this logical name, at /third. */
const declare = (third?: string, more = "") =>
  guarded.declare(sited([hero("offer"), third ? hero(third, { slug: "third", title: "Of third", more }) : ""]));

test("a page whose logical name changed is neither deleted nor made anew, and the watch goes on", async () => {
  declare("third");
  const watching = new Watching(guarded, ["--yes"]);
  await watching.until("3 created");
  guarded.writes();

  declare("third2");
  await watching.until('Page "third" would be deleted, and Page "third2" made anew');
  await watching.until("the plan is incomplete");
  expect(guarded.writes()).toEqual([]);
  expect(await guarded.visited("sited-example/third")).toContain("Of third");

  declare("third2", ", options: { aliases: [third] }");
  await watching.until("1 updated, 2 unchanged");
  expect(guarded.writes().filter((call) => /^DELETE|^POST \/pages$/.test(call))).toEqual([]);
  await watching.end();
});

test("the limit of deletions holds, of a few resources, too", async () => {
  declare("third");
  const watching = new Watching(guarded, ["--yes", "--max-deletes", "0"]);
  await watching.until("3 created");
  guarded.writes();
  declare();
  await watching.until("the limit is 0");
  expect(guarded.writes()).toEqual([]);
  await watching.end();
});
