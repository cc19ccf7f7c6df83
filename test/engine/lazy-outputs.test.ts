/** Programs find the SDK's outputs as they are without the hook, although each is made at its first use. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { rewriteOf, REWRITES } from "../../engine/sdk/rewrites.ts";
import { sampledTable } from "../suite/parts.ts";

const repository = join(import.meta.dirname, "../..");
const hook = pathToFileURL(join(repository, "engine/sdk/child-hook.ts")).href;

const BEFORE = `
const pulumi = require("@pulumi/pulumi");
pulumi.runtime.setMocks({
  newResource: ({ name, inputs }) => {
    if (inputs.refused) throw new Error("refused " + name);
    return { id: name + "-id", state: { ...inputs, extra: "more" } };
  },
  call: ({ inputs }) => inputs,
});
class Thing extends pulumi.CustomResource {
  constructor(name, props, later) {
    super("test:index:Thing", name, { title: "T", extra: undefined, secret: pulumi.secret("s"), ...props });
    later?.(this);
  }
}
const value = (output) => new Promise((resolve) => pulumi.output(output).apply(resolve));
const tell = (what) => console.log(JSON.stringify(what));
`;

type Said = { out: string; error: string; status: number };

function said(program: string, ...args: string[]): Said {
  const all = [...args, "-e", `${BEFORE}(async () => {${program}})();`];
  try {
    const out = execFileSync(process.execPath, all, { cwd: repository, encoding: "utf8", stdio: "pipe" });
    return { out, error: "", status: 0 };
  } catch (error) {
    const { stdout, stderr, status } = error as { stdout: string; stderr: string; status: number };
    return { out: stdout, error: stderr.split("\n").find((line) => line.includes("Error")) ?? "", status };
  }
}

const PROGRAMS: Readonly<Record<string, string>> = {
  "values, before and after they are there": `const one = new Thing("one");
    const [before] = [one.title];
    tell(await Promise.all([value(before), value(one.extra), value(one.secret), value(one.id)]));
    tell([await value(one.title), one.title === before, one.title === one.title, pulumi.Output.isInstance(one.extra)]);`,
  "whether one is secret, known, and what it depends on": `const one = new Thing("one");
    tell([await pulumi.isSecret(one.secret), await pulumi.isSecret(one.title), await one.title.isKnown, [...await one.title.allResources()].map((r) => r === one)]);`,
  "what is handed on to another resource": `const one = new Thing("one");
    const two = new Thing("two", { title: one.extra, nested: { deep: [one.title] } });
    tell([await value(two.title), await value(two.nested), [...await two.title.allResources()].length]);`,
  "an output that a class puts something else in place of": `const one = new Thing("one", {}, (self) => { self.title = "mine"; });
    await value(one.extra);
    tell([one.title, await value(one.extra)]);`,
  "the names, and a copy": `const one = new Thing("one");
    const copy = { ...one };
    tell([Object.keys(one).filter((name) => !name.startsWith("__")).sort(), await value(copy.title), "extra" in one, Object.hasOwn(one, "secret")]);`,
  "an accessor of a class, of that name": `class Odd extends Thing {
      set title(given) { this._title = given; } get title() { return this._title?.apply((title) => "made of " + title); } }
    const odd = new Odd("odd");
    tell([Object.hasOwn(odd, "title"), await value(odd.title), await value(odd.extra)]);`,
  "a function with a resource in it": `const one = new Thing("one"), two = new Thing("two");
    await value(one.title);
    const { text } = await pulumi.runtime.serializeFunction(() => [one, two.extra.get()]);
    tell([text.length, text.includes('"more"'), await value(new Thing("three").extra)]);`,
  "a function that can't be serialized, with its file": `
    await require("@pulumi/pulumi/runtime/closure/v8Hooks").isInitializedAsync();
    const make = require("node:vm").runInThisContext("(bad) => () => bad()", { filename: "/some/place.js" });
    const outer = make(require("node:v8").getHeapStatistics);
    try { await pulumi.runtime.serializeFunction(outer); } catch (error) { tell([error.message, /place\\.js\\(1,/.test(error.message)]); }`,
  "a resource that is refused": `const one = new Thing("one", { refused: true }); await value(one.title);`,
  "a resource that is refused, of which nobody asks anything": `new Thing("one", { refused: true });`,
  "a failure that is caught": `const one = new Thing("one", { refused: true });
    tell(await one.title.promise().then(() => "fine", (error) => error.message));`,
};

/** These programs end their process with what they throw. One process runs all others. */
const THROWN = /refused: true|try \{ new|serializeFunction\(\(/;
const endsProcess = (program: string): boolean => THROWN.test(program);
const together = Object.entries(PROGRAMS)
  .filter(([, program]) => !endsProcess(program))
  .map(([name, program]) => `await (async () => { tell(${JSON.stringify(name)}); ${program} })();`)
  .join("\n");

test("programs say the same with and without", () => {
  const plain = said(together);
  expect(plain).toMatchObject({ error: "", status: 0 });
  expect(said(together, "--import", hook)).toEqual(plain);
});

sampledTable(
  Object.entries(PROGRAMS).filter(([, program]) => endsProcess(program)),
  1,
  ([name]) => `and so it is: ${name}`,
  ([, program]) => expect(said(program, "--import", hook)).toEqual(said(program)),
);

test("most outputs are never made", () => {
  const program = `const all = Array.from({ length: 50 }, (_, index) => new Thing("t" + index));
    await Promise.all(all.map((one) => value(one.urn)));
    tell(all.filter((one) => Object.getOwnPropertyDescriptor(one, "title").get !== undefined).length);`;
  expect([said(program).out, said(program, "--import", hook).out]).toEqual(["0\n", "50\n"]);
});

const modules = globSync("node_modules/{@pulumi/pulumi,google-protobuf}/**/*.js", { cwd: repository })
  .filter((file) => !/node_modules.*node_modules/.test(file))
  .map((file) => ({
    url: pathToFileURL(join(repository, file)).href,
    source: readFileSync(join(repository, file), "utf8"),
  }));

test.each(REWRITES.map(([path, rewrite]) => ({ path, rewrite, what: `${rewrite.name} ${path.source}` })))(
  "what is changed is there in the SDK that is installed: $what",
  ({ path, rewrite }) => {
    const meant = modules.filter(({ url, source }) => path.test(url) && !source.includes("NO SERVICES IN PROTO"));
    expect(meant).not.toEqual([]);
    for (const { url, source } of meant) expect(rewrite(source), url).not.toBe(source);
    // A rewrite leaves text alone if its pattern is missing.
    if (rewrite.name !== "deferred") expect(rewrite("something else")).toBe("something else");
  },
);

test("all that is to be changed in a module is", () => {
  const [run] = modules.filter(({ url }) => url.endsWith("/cmd/run/run.js"));
  const text = rewriteOf(run?.url ?? "")?.(run?.source ?? "") ?? "";
  for (const word of [".thrownError(", ".isNeverCalled("]) expect(text).toContain(word);
});
