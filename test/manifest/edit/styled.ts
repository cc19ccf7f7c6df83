/** YAML as people write it, with everything that its value doesn't show: indentation, quotes, comments, line ends. */
import fc from "fast-check";

export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

interface Part {
  /** The text behind "key:" or "-". It begins with a blank or a line end, and ends with a line end. */
  readonly block: (column: number) => string;
  /** Undefined for a text that can't stand inside of brackets. */
  readonly flow: string | undefined;
}

const word = fc.stringMatching(/^[a-z][a-z]{0,5}$/).filter((text) => !/^(null|true|false)$/.test(text));
export const key = fc.oneof({ weight: 4, arbitrary: word }, fc.constantFrom("a.b", "hero.title", "x-1"));
const comment = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  word.map((text) => ` # ${text}`),
  word.map((text) => `   # ${text}: "x"`),
);

const inLine = ([flow, note]: [string, string]): Part => ({ block: () => ` ${flow}${note}\n`, flow });

const unquoted = fc.oneof(word, fc.constantFrom("two words", "a b  c", "it's", "ü 🎉"));
const plain = fc.tuple(unquoted, comment).map(inLine);

const text = fc.constantFrom("", "a: b", "# no", "{{x}}", 'say "x"', "tab\there", "two\nlines");
const quoted = fc
  .tuple(
    text.map((content) => JSON.stringify(content)),
    comment,
  )
  .map(inLine);

const bare = fc.tuple(fc.constantFrom(1, 2.5, true, false, null).map(String), comment).map(inLine);

const nothing = comment.map((note): Part => ({ block: () => `${note}\n`, flow: undefined }));

const lines = fc.array(fc.oneof(word, fc.constant("two words")), { minLength: 1, maxLength: 3 });

const literal = fc
  .tuple(lines, fc.constantFrom("", "-", "+"), fc.integer({ min: 0, max: 2 }), fc.constantFrom(1, 2, 4), comment)
  .map(([texts, chomp, blanks, step, note]): Part => ({
    block: (column) =>
      ` |${chomp}${note}\n${texts.map((text) => `${" ".repeat(column + step)}${text}\n`).join("")}${"\n".repeat(blanks)}`,
    flow: undefined,
  }));

const folded = fc.tuple(lines, fc.constantFrom("", "-"), comment).map(([texts, chomp, note]): Part => ({
  block: (column) => ` >${chomp}${note}\n${texts.map((text) => `${" ".repeat(column + 2)}${text}\n`).join("")}`,
  flow: undefined,
}));

const between = fc.oneof({ weight: 4, arbitrary: fc.constant("") }, fc.constantFrom("\n", "#", "\n#"));

const linesBetween = (what: string, column: number): string => what.replace("#", `${" ".repeat(column)}# between\n`);

function entriesOf(part: fc.Arbitrary<Part>) {
  const size = { minLength: 1, maxLength: 4 };
  return fc.uniqueArray(fc.tuple(key, part, between), { selector: ([name]) => name, ...size });
}

const mapOf = (part: fc.Arbitrary<Part>): fc.Arbitrary<Part> =>
  fc.tuple(entriesOf(part), fc.constantFrom(1, 2, 2, 3, 4), comment).map(([pairs, step, note]): Part => ({
    block: (column) => `${note}\n${mapLines(pairs, column + step)}`,
    flow: undefined,
  }));

function mapLines(pairs: readonly (readonly [string, Part, string])[], column: number): string {
  return pairs
    .map(([name, { block }, above]) => `${linesBetween(above, column)}${" ".repeat(column)}${name}:${block(column)}`)
    .join("");
}

function listOf(part: fc.Arbitrary<Part>): fc.Arbitrary<Part> {
  const items = fc.array(fc.tuple(part, between), { minLength: 1, maxLength: 4 });
  const item = ({ block }: Part, above: string, column: number): string =>
    `${linesBetween(above, column)}${" ".repeat(column)}-${block(column)}`;
  return fc.tuple(items, fc.constantFrom(0, 2, 4), comment).map(([parts, step, note]): Part => ({
    block: (column) => `${note}\n${parts.map(([one, above]) => item(one, above, column + step)).join("")}`,
    flow: undefined,
  }));
}

function inBrackets(part: fc.Arbitrary<Part>): fc.Arbitrary<Part> {
  const inside = part.filter(({ flow }) => flow !== undefined);
  const pairs = fc.uniqueArray(fc.tuple(key, inside), { selector: ([name]) => name, maxLength: 3 });
  const written = (all: [string, Part][]): string => all.map(([name, { flow }]) => `${name}: ${flow ?? ""}`).join(", ");
  const map = pairs.map((all) => (all.length === 0 ? "{}" : `{ ${written(all)} }`));
  const list = fc.array(inside, { maxLength: 3 }).map((all) => `[${all.map(({ flow }) => flow ?? "").join(", ")}]`);
  return fc.tuple(fc.oneof(map, list), comment).map(inLine);
}

const leaf = fc.oneof(plain, quoted, bare, literal, folded, nothing);
const small = fc.oneof(leaf, inBrackets(fc.oneof(plain, quoted, bare)));
const middle = fc.oneof({ weight: 2, arbitrary: small }, mapOf(small), listOf(small));
const large = fc.oneof(small, mapOf(middle), listOf(small), inBrackets(inBrackets(plain)));

export const document: fc.Arbitrary<string> = fc
  .tuple(entriesOf(large), fc.boolean(), fc.boolean())
  .map(([pairs, crlf, open]) => {
    const text = `# head\n${mapLines(pairs, 0)}`;
    const ended = open && !/\n\n$/.test(text) ? text.replace(/\n$/, "") : text;
    return crlf ? ended.replaceAll("\n", "\r\n") : ended;
  });

const ODD_TEXTS = ["a\nb", " x", "a: b", "- a", "", "#", "yes", "1", "a\n\n", "\n", "é\r\n", "tail \nx", "  in\nout"];
const given = fc.oneof(fc.string(), fc.constantFrom(...ODD_TEXTS));

/** Values from an account. */
export const fresh: fc.Arbitrary<Plain> = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    given.filter((one) => one.isWellFormed() && !one.includes("${")),
    fc.integer(),
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
