/** No shown text contains a secret: alone, in other texts, in URLs and JSON, in keys and values. */
import { explain } from "../../stack/exit/report.ts";
import { secretTextsIn } from "../../stack/engines/secret-texts.ts";
import { expect, test } from "vitest";
import { SECRET } from "../../stack/report/model.ts";
import { Redactor } from "../../stack/report/redact.ts";
import { SECRET_SIG, SIG_KEY } from "../../engine/index.ts";

const secret = (value: unknown) => ({ [SIG_KEY]: SECRET_SIG, plaintext: JSON.stringify(value) });

test("a secret goes wherever it stands, and as often", () => {
  const { text } = new Redactor(["hush-hush"]);
  expect(text("hush-hush, and (hush-hush)")).toBe(`${SECRET}, and (${SECRET})`);
  expect(text("nothing of it")).toBe("nothing of it");
});

test("also as it stands in a URL and in JSON", () => {
  const secret = 'a b/"c"\\\n';
  const redactor = new Redactor([secret]);
  expect(redactor.text(`https://x.example/?q=${encodeURIComponent(secret)}`)).toBe(`https://x.example/?q=${SECRET}`);
  expect(redactor.text(JSON.stringify({ secret }))).toBe(`{"secret":"${SECRET}"}`);
});

test("also as base64 and hexadecimal, with whatever was encoded along", () => {
  const secret = "lf_live_0a?>1b~2c";
  const { text } = new Redactor([secret]);
  for (const before of ["", "B", "a:", "Bearer ", "name:"])
    for (const after of ["", "!", "!!", "!!!"])
      for (const encoding of ["base64", "base64url", "hex"] as const) {
        const told = text(`[${Buffer.from(`${before}${secret}${after}`).toString(encoding)}]`);
        expect(told).toContain(SECRET);
        const left = told.split(SECRET).map((part) => part.replaceAll(/[[\]=]/g, ""));
        // Six bits that a neighbour shares stay: they are less than two letters of the secret.
        expect(left.map((part) => Buffer.from(part, encoding).toString("latin1")).join("")).not.toMatch(
          /lf_|live|0a|1b|2c/,
        );
      }
});

test("what is learned later counts from then on, with what was known", () => {
  const redactor = new Redactor(["first-one"]);
  expect(redactor.text("first-one second-one")).toBe(`${SECRET} second-one`);
  redactor.learn(["second-one", undefined, "longer-second-one"]);
  expect(redactor.text("first-one longer-second-one second-one")).toBe(`${SECRET} ${SECRET} ${SECRET}`);
});

test("every text of a value, its keys included; all else stays", () => {
  const redactor = new Redactor(["hush-hush"]);
  const value = { "the hush-hush": ["hush-hush", 1, null, true, { deep: "a hush-hush b" }], none: [] };
  expect(redactor.value(value)).toEqual({
    [`the ${SECRET}`]: [SECRET, 1, null, true, { deep: `a ${SECRET} b` }],
    none: [],
  });
  expect(redactor.value("hush-hush")).toBe(SECRET);
  const others: unknown[] = [7, undefined];
  expect(others.map((other) => redactor.value(other))).toEqual(others);
  expect(redactor.value({ "hush-hush": 1 })).toEqual({ [SECRET]: 1 });
});

test("what says which resource it is about stays, also where a secret has the same text", () => {
  const redactor = new Redactor(["page_1", "bundle"]);
  const about = { urn: "urn:pulumi:dev::shop::x:Page::bundle", type: "Page", name: "bundle", id: "page_1" };
  expect(redactor.value([{ ...about, url: "https://x/bundle" }, { id: "page_1" }])).toEqual([
    { ...about, url: `https://x/${SECRET}` },
    { id: SECRET },
  ]);
});

test("the id of a resource is no secret, also where a secret list refers to it", () => {
  const page = { urn: "urn:pulumi:dev::shop::x:Page::offer", id: "page_1", inputs: {}, outputs: {} };
  const steps = secret([{ pageId: "page_1" }, { url: "https://pay.example/hush" }]);
  const funnel = { urn: "urn:pulumi:dev::shop::x:Funnel::f", id: "funnel_1", inputs: { steps }, outputs: { steps } };
  const texts = ["https://pay.example/hush", "https://pay.example/hush"];
  expect(secretTextsIn([page, funnel], undefined)).toEqual(texts);
  expect(secretTextsIn([[page, funnel], undefined], undefined)).toEqual(texts);
});

test("an error says the same without it, also one of the platform, and can be added to and looked at again", () => {
  const own = new TypeError("it holds hush-hush");
  const platform = new DOMException("it took too long with hush-hush", "TimeoutError");
  const redactor = new Redactor(["hush-hush"]);
  for (const error of [own, platform]) redactor.error(error);
  expect(own.message).toBe(`it holds ${SECRET}`);
  expect([platform.name, platform.message]).toEqual(["TimeoutError", `it took too long with ${SECRET}`]);
  expect(own).toBeInstanceOf(TypeError);
  const errors: readonly Error[] = [own, platform];
  redactor.learn(["too long", "it holds"]);
  for (const error of errors) {
    error.message += ", too";
    redactor.error(error);
  }
  expect(errors.map(({ message }) => message)).toEqual([
    `${SECRET} ${SECRET}, too`,
    `it took ${SECRET} with ${SECRET}, too`,
  ]);
});

test("of what a failed run has sent, its inputs tell nothing: what the program has openly elsewhere is no secret", () => {
  const page = (inputs: object, fields: object, outputs: object = {}) => ({
    urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/landform:Page::offer",
    inputs,
    outputs: { ...outputs, __declared: secret({ fields }) },
  });
  const release = { urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/landform:Release::launch", inputs: {} };
  const failed = page(
    { content: { "hero.title": "Old", "hero.token": secret("hush-hush") } },
    {
      content: { "hero.title": "Old", "hero.token": "hush-hush", "hero.key": "quiet" },
      publish: { release: "launch" },
    },
    { content: { "hero.key": "quiet" } },
  );
  expect(secretTextsIn([failed, release], undefined).sort()).toEqual(["hush-hush", "hush-hush", "quiet"]);
  expect(secretTextsIn([failed], undefined)).toContain("launch");
  expect(secretTextsIn([failed, page({ content: { a: "quiet" } }, {})], undefined)).not.toContain("quiet");
});

test.each([
  [
    "unable to open bucket postgres://u:hush@db.example:5432/state: refused",
    "postgres://db.example:5432/state: refused",
  ],
  ["can't reach `https://u:p@ss:w@state.example/x?a=b`", "`https://state.example/x?a=b`"],
  ["no postgres://db.example/state?password=hush&sslmode=off", "?password=…&sslmode=off"],
  ["git@github.com:acme/funnels, https://acme.example:8443/@ada: at 10:00", "https://acme.example:8443/@ada: at 10:00"],
])("who signs in at an address is in no error: %s", (message, told) => {
  const { message: explained } = explain(new Error(message), { verbose: false });
  expect(explained).toContain(told);
  expect(explained).not.toMatch(/hush|p@ss/);
});
