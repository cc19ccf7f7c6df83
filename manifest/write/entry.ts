/**
 * Brings an entry of a manifest to what the account holds, in the text that it is written in: comments, order and
 * everything that the API doesn't show stay. Values that stand for others ({ env: }, { config: }, { ref: }) are left as
 * declared, a text with variables keeps them, and a text in a file of its own is written to that file.
 */
import { isMap as isMapNode, isScalar, Scalar, YAMLMap, YAMLSeq, type Node } from "yaml";
import { isMap } from "../../provider/values/json.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { Deferred, deferredIn, type Entry, type Tree } from "../declare/model.ts";
import { EditRefused, refusalOf, refusalText, type Refusal } from "./splices.ts";
import type { YamlEdit } from "./yaml/edit.ts";
import { manifestName, targetsOf } from "../language/fields.ts";
import { layerFormOf } from "../language/forms.ts";
import { propertyPath, valueAt } from "../../provider/values/paths.ts";
import type { SourceFile } from "../source/file.ts";
import { EntryValues, isJson, type AroundEntry } from "../match/values.ts";
import { isDefault, isPlainMap, StandIn, type Resource, type Value, plain } from "../match/model.ts";
import type { NodeWriter } from "./nodes.ts";
import { mayBeRendered, renderedText, withPlaceholders, spelledAs } from "../match/spelling.ts";
import { cellOf } from "../declare/texts.ts";
import type { DataTexts, SharedTexts } from "./shared.ts";
import { fitsFile, isLong } from "./files.ts";
import type { Path } from "../source/reader.ts";

interface MergePlace extends AroundEntry {
  readonly edit: YamlEdit;
  /** Of the entry in its file; undefined for one that stands elsewhere, and that an alias brings here. */
  readonly path: Path | undefined;
  readonly file: SourceFile;
  readonly texts: SharedTexts;
  readonly data: DataTexts;
}

export class EntryMerge {
  readonly #writer: NodeWriter;
  readonly #entry: Entry;
  readonly #resource: Resource;
  readonly #place: MergePlace;
  readonly #values: EntryValues;
  /** Paths of what was brought up to date, and of what differs but is left as declared. */
  readonly updated: string[] = [];
  readonly kept: string[] = [];
  /** Paths of what the code has changed since the last run, and the account has not. */
  readonly ahead: string[] = [];

  constructor(entry: Entry, resource: Resource, writer: NodeWriter, place: MergePlace) {
    this.#entry = entry;
    this.#resource = resource;
    this.#writer = writer;
    this.#place = place;
    this.#values = new EntryValues(place);
  }

  apply(): void {
    const { kind, id, name, inputs } = this.#resource;
    const { edit, path } = this.#place;
    const declared = this.#entry.inputs;
    // What the last run has made is known by its state, and rows of one entry have no place for an id of their own.
    const isKnown = this.#place.applied !== undefined && path === undefined;
    if (id !== undefined && declared["adoptId"] === undefined && !isKnown) {
      this.#write("adoptId", ["adoptId"], () =>
        edit.insert(path ?? [], this.#writer.pair("adoptId", id), { after: "nothing", apart: false }),
      );
    }
    if (registry[kind].named && name !== undefined) this.#field("name", declared["name"], name);
    for (const [field, value] of Object.entries(inputs)) this.#field(field, declared[field], value);
  }

  #field(field: string, declared: Tree | undefined, shown: Value): void {
    const name = manifestName(field);
    const { outside, applied } = this.#place;
    const live = spelledAs(field, shown, [declared, applied?.inputs[field]], outside);
    if (live instanceof StandIn) {
      if (declared === undefined)
        this.#add(name, () => this.#set([name], this.#writer.field(this.#resource, field, live.value).value as Node));
      return;
    }
    this.kept.push(...this.#values.edited(declared, live, [field]));
    if (!isChosen(field, declared) && this.#values.agrees(declared, live)) return;
    if (declared === undefined && (this.#isNobodys([field]) || isDefault(this.#resource.kind, field, live))) return;
    if (field === "publish" && declared === undefined && isPlainMap(live) && this.#isTakenBack(live)) return;
    const isWhole = !["content", "publish"].includes(field);
    if (isWhole && this.#isOfTheCode([field], declared, live, name)) return;
    if (this.#intoData([field], live, name)) return;
    const node = this.#node([name]);
    if (live === null) this.kept.push(name);
    else if (field === "content" && isPlainMap(live)) this.#content(declared, live);
    else if (field === "publish" && isPlainMap(live) && (isMapNode(node) || this.#isRow(declared)))
      this.#publish(declared, live);
    else if (field === "steps" && Array.isArray(live) && node instanceof YAMLSeq) this.#steps(declared, live);
    else if (declared === undefined) this.#add(name, () => this.#value(field, live));
    else this.#write(name, [field], () => this.#value(field, live));
  }

  /** Of what a run has made, the fields that nobody declares are the service's own, or somebody's who works in the app. */
  #isNobodys(path: readonly string[]): boolean {
    const { applied } = this.#place;
    return applied !== undefined && valueAt(applied.inputs, path) === undefined;
  }

  /** Stands in no place of its own: what it says is told apart all the same. */
  #isRow(declared: Tree | undefined): boolean {
    return this.#place.path === undefined && isMap(declared);
  }

  #value(field: string, live: Value): void {
    const name = manifestName(field);
    if (typeof live === "string" && targetsOf(field).length === 0 && this.#setText([name], live, field)) return;
    const own = this.#entry.inputs[field];
    const value = isMap(own) && isPlainMap(live) ? this.#withElsewhere(own, live, [name]) : undefined;
    this.#set([name], value ?? (this.#writer.field(this.#resource, field, live).value as Node));
  }

  /** Undefined where nothing in it comes from elsewhere; what does stays as it is written. */
  #withElsewhere(declared: Record<string, Tree>, live: Record<string, Value>, path: Path): Node | undefined {
    if ([...deferredIn(declared)].length === 0 || !isMapNode(this.#node(path))) return undefined;
    const map = new YAMLMap();
    for (const [key, value] of Object.entries(live)) {
      const [own, inner] = [declared[key], [...path, key]];
      const isKept = own instanceof Deferred && this.#values.agrees(own, value);
      const below = isMap(own) && isPlainMap(value) ? this.#withElsewhere(own, value, inner) : undefined;
      const node = isKept
        ? this.#writer.asWritten(this.#place.edit.plainAt([...(this.#place.path ?? []), ...inner]))
        : below;
      map.items.push(this.#writer.pair(key, node ?? this.#writer.json(plain(value))));
    }
    return map;
  }

  #content(declared: Tree | undefined, live: Record<string, Value>): void {
    const texts = isMap(declared) ? (declared as Record<string, Tree>) : {};
    const { variables } = this.#entry.inputs;
    for (const [key, value] of Object.entries(live)) {
      const before = texts[key];
      if (this.#values.agrees(before, value) || renderedText(before, variables) === value) continue;
      if (isJson(value) && this.#isOfTheCode(["content", key], before, value, `content.${key}`)) continue;
      if (before === undefined && (this.#isNobodys(["content", key]) || this.#isTemplates(value))) continue;
      const text = typeof value === "string" ? withPlaceholders(before, value, variables) : value;
      if (this.#intoData(["content", key], text, `content.${key}`)) continue;
      const write = (): void => {
        const path = this.#contentPath(key);
        if (typeof text === "string" && this.#setText(path, text, key)) return;
        this.#set(path, this.#writer.contentValue(this.#resource, key, plain(text)));
      };
      if (before === undefined) this.#add(`content.${key}`, write);
      else this.#write(`content.${key}`, ["content", key], write);
    }
  }

  /** Where a key stands; of several maps in order, in the last that has it, or in one more. */
  #contentPath(key: string): Path {
    const node = this.#node(["content"]);
    if (isMapNode(node) && isLayer(node)) throw new EditRefused("layered", []);
    if (!(node instanceof YAMLSeq)) return ["content", key];
    const maps = node.items.map((item) => (isMapNode(item) && !isLayer(item) ? item : undefined));
    const having = maps.findLastIndex((map) => map?.has(key));
    const index = having === -1 ? maps.findLastIndex((map) => map !== undefined) : having;
    if (index === -1) throw new EditRefused("layered", []);
    return ["content", index, key];
  }

  /** Notes a value for the cell that it came from; false where it came from none. */
  #intoData(input: readonly string[], live: Value, what: string): boolean {
    const spot = this.#entry.places.get(propertyPath(input));
    const { data } = this.#place;
    const cell = spot && cellOf(spot);
    if (!cell) return false;
    if (typeof live === "string" || typeof live === "number" || typeof live === "boolean")
      data.change(cell, live, `${this.#entry.address}.${what}`);
    else this.kept.push(`${what} (${refusalText({ code: "one text", place: cell })})`);
    return true;
  }

  /**
   * Texts that nobody declared are the template's, and the next template's. Written down, one that was made of a variable
   * would no longer change with it.
   */
  #isTemplates(value: Value): boolean {
    const { templateId, duplicateOf, variables } = this.#entry.inputs;
    const isMade = templateId !== undefined || duplicateOf !== undefined;
    return (isMade && this.#resource.id !== undefined) || mayBeRendered(plain(value), variables);
  }

  #publish(declared: Tree | undefined, live: Record<string, Value>): void {
    const before = isMap(declared) ? (declared as Record<string, Tree>) : {};
    const { siteId, slug: shown = "" } = live;
    const { slug: said = "" } = before;
    // The page of the root needs no slug: none says the same as an empty one, then as now.
    const applied = this.#place.applied?.inputs["publish"];
    const unsaid = said === "" && !(isMap(applied) && "slug" in applied);
    const isAhead =
      !this.#values.agrees(said, shown) &&
      isJson(shown) &&
      this.#isOfTheCode(["publish", "slug"], unsaid ? undefined : said, shown, "publish.slug");
    const given = isAhead ? (said as Value) : shown;
    const isCell = !this.#values.agrees(said, given) && this.#intoData(["publish", "slug"], given, "publish.slug");
    const slug = isCell ? (said as Value) : given;
    const isMoved = siteId !== undefined && !this.#values.agrees(before["siteId"], siteId);
    if (!isMoved && this.#values.agrees(said, slug)) return;
    this.#write("publish", ["publish"], () => {
      if (isMoved) this.#set(["publish", manifestName("siteId")], this.#writer.reference("siteId", siteId));
      if (!this.#values.agrees(said, slug)) this.#set(["publish", "slug"], this.#writer.scalar(plain(slug)));
    });
  }

  /** The code no longer publishes it, and the next up takes it back. */
  #isTakenBack({ slug = "" }: Record<string, Value>): boolean {
    const before = this.#place.applied?.inputs["publish"];
    if (!isMap(before)) return false;
    const { slug: then = "" } = before;
    if (then === slug) this.ahead.push("publish");
    else
      this.kept.push(
        `publish (changed in both: the code says nothing now, the account has it at ${JSON.stringify(slug)})`,
      );
    return true;
  }

  /** Steps that agree stay as they are written, with what stands beside them. */
  #steps(declared: Tree | undefined, live: readonly Value[]): void {
    const before = Array.isArray(declared) ? declared : [];
    const written = new YAMLSeq();
    written.items = live.map((step) => this.#writer.step(step));
    for (const { from, to } of this.#values.unchanged(before, live))
      written.items[to] = this.#writer.asWritten(
        this.#place.edit.plainAt([...(this.#place.path ?? []), "steps", from]),
      );
    this.#write("steps", ["steps"], () => this.#set(["steps"], written));
  }

  /** Sets a text where one stands, in the file or in its own; false where something else stands there. */
  #setText(path: Path, text: string, field: string): boolean {
    const node = this.#node(path);
    const { texts, file } = this.#place;
    const fresh = (): Node => this.#writer.text(this.#resource, field, text);
    if (isMapNode(node) && node.items.length === 1 && node.has("file") && fitsFile(text)) {
      texts.change(file.path, String(node.get("file")), { text, apart: () => this.#set(path, fresh()) });
      return true;
    }
    if (!(node instanceof Scalar) || (isLong(text) && !isLong(String(node.value)))) return false;
    const scalar = this.#writer.scalar(text);
    const wasQuoted = node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE;
    if (wasQuoted && !text.includes("\n")) scalar.type ??= node.type;
    this.#set(path, scalar);
    return true;
  }

  /** What the code has changed since the last run is not written over; where the account has changed it, too, both sides are told. */
  #isOfTheCode(path: readonly string[], declared: Tree | undefined, live: Value, what: string): boolean {
    const change = this.#values.changeOf(path, declared, live);
    if (change === undefined) return false;
    const { by, code, account } = change;
    if (by === "code") this.ahead.push(what);
    if (by === "both") {
      const said = code === undefined ? "nothing" : JSON.stringify(code);
      this.kept.push(`${what} (changed in both: the code says ${said} now, the account ${JSON.stringify(account)})`);
    }
    return by !== "account";
  }

  #node(path: Path): Node | undefined {
    const own = this.#place.path;
    return own && this.#place.edit.nodeAt([...own, ...path]);
  }

  #set(path: Path, value: Node): void {
    this.#place.edit.set([...(this.#place.path ?? []), ...path], value);
  }

  /** Notes what was written; what can't be without touching another place is left, and why. */
  readonly #write = (what: string, input: readonly string[], work: () => void): void => {
    const refusal = this.#place.path === undefined ? this.#elsewhere(input) : this.#refusedBy(work);
    if (refusal === undefined) this.updated.push(what);
    else this.kept.push(`${what} (${refusalText(refusal)})`);
  };

  /** What nobody declared differs from nothing: where it can't be written down, it stays as it is. */
  readonly #add = (what: string, work: () => void): void => {
    if (this.#place.path !== undefined && this.#refusedBy(work) === undefined) this.updated.push(what);
  };

  #elsewhere(input: readonly string[]): Refusal {
    const { one, place, places } = this.#entry;
    if (one === undefined) return { code: "alias" };
    const spot = places.get(propertyPath(input));
    const row = spot?.from?.[0] ?? (one.row.isProduct === true ? undefined : one.row.place);
    return {
      code: "said for all",
      place: spot?.place ?? place,
      of: one.of,
      row: row?.file === place.file ? undefined : row,
    };
  }

  #refusedBy(work: () => void): Refusal | undefined {
    try {
      this.#writer.undoing(work);
      return undefined;
    } catch (error) {
      if (!(error instanceof EditRefused) || error.reason === "unsafe") throw error;
      return refusalOf(error, this.#place.file);
    }
  }
}

/** A template is never shown: the one that an export knows was named by the user, for a setting that an earlier one left. */
function isChosen(field: string, declared: Tree | undefined): boolean {
  return field === "templateId" && declared instanceof Deferred && declared.origin.from === "config";
}

/** Keys and values that stand elsewhere. */
function isLayer(map: YAMLMap): boolean {
  const keys = map.items.flatMap(({ key }) =>
    isScalar(key) ? [{ name: String(key.value), plain: key.type === "PLAIN" }] : [],
  );
  return layerFormOf(keys) !== undefined;
}
