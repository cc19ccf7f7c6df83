/**
 * Updates an entry of a manifest to the account's values, inside its text: comments, order and everything that the API doesn't show stay.
 * Forms ({ env: }, { config: }, { ref: }) stay as declared, a text with variables keeps them, and a text in a file of its own goes to that file.
 */
import { isMap as isMapNode, isScalar, isSeq, type Node, Scalar, type YAMLMap } from "yaml";
import { isMap, type Json } from "../../provider/values/json.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { Deferred, deferredIn, type Entry, type Tree } from "../declare/model.ts";
import { EditRefused, ofRow, refusalOf, refusalText, type Refusal } from "./splices.ts";
import type { YamlEdit } from "./yaml/edit.ts";
import { manifestName, targetsOf } from "../language/fields.ts";
import { layerFormOf } from "../language/forms.ts";
import { propertyPath, valueAt } from "../../provider/values/paths.ts";
import type { SourceFile } from "../source/file.ts";
import { EntryValues, isJson, type AroundEntry } from "../match/values.ts";
import { isDefault, isPlainMap, StandIn, type Resource, type Value, plain } from "../match/model.ts";
import { listOf, mapOf, type NodeWriter } from "./nodes.ts";
import { mayBeRendered, renderedText, withPlaceholders, spelledAs } from "../match/spelling.ts";
import { cellOf, changedCell } from "../declare/texts.ts";
import type { MissingText } from "../declare/texts.ts";
import { valueBefore, type DataTexts, type OwnWriter, type Told } from "./shared.ts";
import { fitsFile, isLong } from "./files.ts";
import { keysOf, type Path } from "../source/reader.ts";

interface MergePlace extends AroundEntry {
  readonly edit: YamlEdit;
  /** The path of the entry in its file. Undefined for a row of an `each`, and for an entry that comes from elsewhere by an alias. */
  readonly path: Path | undefined;
  /** The path of the values that a row of an `each` has of its own. */
  readonly row: Path | undefined;
  readonly file: SourceFile;
  readonly data: DataTexts;
  readonly told: Told;
}

export class EntryMerge {
  readonly #writer: NodeWriter;
  readonly #entry: Entry;
  readonly #resource: Resource;
  readonly #place: MergePlace;
  readonly #values: EntryValues;
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
    // The state knows the objects of the last run. Entries of one object keep the id, because another state may not.
    const isKnown = this.#place.applied !== undefined && path === undefined;
    if (id !== undefined && declared["adoptId"] === undefined && !isKnown && !this.#adoptsRow(id)) {
      this.#write("adoptId", ["adoptId"], () =>
        edit.insert(path ?? [], this.#writer.pair("adoptId", id), { after: "nothing", apart: false }),
      );
    }
    if (registry[kind].named && name !== undefined) this.#field("name", declared["name"], name);
    for (const [field, value] of Object.entries(inputs)) this.#field(field, declared[field], value);
  }

  /** Writes the id of a row into its cell, or into the map of the entry that declares it. Returns false if there is no place for it. */
  #adoptsRow(id: string): boolean {
    if (this.#intoData(["adoptId"], id, "adoptId")) return true;
    const { kind, one } = this.#entry;
    const { edit } = this.#place;
    const of = [registry[kind].section, one?.of ?? ""];
    if (one === undefined || !isMapNode(edit.nodeAt(of))) return false;
    const path = [...of, "adoptId"];
    const ids = edit.nodeAt(path);
    if (ids !== undefined && !isMapNode(ids)) return false;
    const pair = this.#writer.pair(one.row.key, id);
    if (ids !== undefined) edit.insert(path, pair, { apart: false });
    else edit.insert(of, this.#writer.pair("adoptId", mapOf([pair])), { after: "nothing", apart: false });
    this.#tell("updated", "adoptId");
    return true;
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
    for (const what of this.#values.edited(declared, live, [field])) this.#tell("kept", what);
    if (!isChosen(field, declared) && this.#values.agrees(declared, live)) return;
    if (declared === undefined && (this.#isNobodys([field]) || isDefault(this.#resource.kind, field, live))) return;
    if (field === "publish" && declared === undefined && isPlainMap(live) && this.#isTakenBack(live)) return;
    const isWhole = !["content", "publish"].includes(field);
    if (isWhole && this.#isOfTheCode([field], declared, live, name)) return;
    if (this.#intoData([field], live, name)) return;
    const node = this.#node([name]);
    // A row has no place of its own. Its fields are compared one by one all the same.
    const isRow = this.#place.path === undefined && isMap(declared);
    if (live === null) this.#tell("kept", name);
    else if (field === "content" && isPlainMap(live)) this.#content(declared, live);
    else if (field === "publish" && isPlainMap(live) && (isMapNode(node) || isRow)) this.#publish(declared, live);
    else if (field === "steps" && Array.isArray(live) && isSeq(node)) this.#steps(declared, live);
    else if (declared === undefined) this.#add(name, () => this.#value(field, live));
    else this.#write(name, [field], () => this.#value(field, live));
  }

  /** Tells if a run made the object and nobody declares the field: then the service or a person in the app set it. */
  #isNobodys(path: readonly string[]): boolean {
    const { applied } = this.#place;
    return applied !== undefined && valueAt(applied.inputs, path) === undefined;
  }

  #value(field: string, live: Value): void {
    const name = manifestName(field);
    if (typeof live === "string" && targetsOf(field).length === 0 && this.#setText([name], live)) return;
    const own = this.#entry.inputs[field];
    const value = isMap(own) && isPlainMap(live) ? this.#withElsewhere(own, live, [name]) : undefined;
    this.#set([name], value ?? (this.#writer.field(this.#resource, field, live).value as Node));
  }

  /** Returns undefined if no part comes from elsewhere. Parts from elsewhere stay as they are written. */
  #withElsewhere(declared: Record<string, Tree>, live: Record<string, Value>, path: Path): Node | undefined {
    if ([...deferredIn(declared)].length === 0 || !isMapNode(this.#node(path))) return undefined;
    const pairs = Object.entries(live).map(([key, value]) => {
      const [own, inner] = [declared[key], [...path, key]];
      const isKept = own instanceof Deferred && this.#values.agrees(own, value);
      const below = isMap(own) && isPlainMap(value) ? this.#withElsewhere(own, value, inner) : undefined;
      const node = isKept ? this.#asWritten(inner) : below;
      return this.#writer.pair(key, node ?? this.#writer.json(plain(value)));
    });
    return mapOf(pairs);
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
      const missing = typeof text === "string" ? this.#place.data.missingIn(this.#entry, key) : undefined;
      if (this.#intoData(["content", key], text, `content.${key}`, missing)) continue;
      const write = (): void => {
        const path = this.#contentPath(key);
        if (typeof text === "string" && this.#setText(path, text)) return;
        this.#set(path, this.#writer.contentValue(this.#resource, key, plain(text)));
      };
      if (before === undefined) this.#add(`content.${key}`, write);
      else this.#write(`content.${key}`, ["content", key], write);
    }
  }

  /** Returns the place of a key. If several maps follow each other, it is in the last one that has the key, or else in the last one. */
  #contentPath(key: string): Path {
    const node = this.#node(["content"]);
    if (isMapNode(node) && isLayer(node)) throw new EditRefused("layered", []);
    if (!isSeq(node)) return ["content", key];
    const maps = node.items.map((item) => (isMapNode(item) && !isLayer(item) ? item : undefined));
    const having = maps.findLastIndex((map) => map?.has(key));
    const index = having === -1 ? maps.findLastIndex((map) => map !== undefined) : having;
    if (index === -1) throw new EditRefused("layered", []);
    return ["content", index, key];
  }

  /**
   * Notes a value for its cell in a data file, or the part of a text that is put together from cells. Returns false if no cell alone explains the
   * change.
   */
  #intoData(input: readonly string[], live: Value, what: string, missing?: MissingText): boolean {
    const spot = this.#entry.places.get(propertyPath(input));
    if (spot === undefined) return false;
    const { path, row, data } = this.#place;
    const before = valueBefore(this.#entry, input);
    const cell = missing ? spot.place : cellOf(spot);
    if (typeof live !== "string" && typeof live !== "number" && typeof live !== "boolean") {
      if (cell) this.#tell("kept", `${what} (${refusalText({ code: "one text", place: cell })})`);
      return cell !== undefined;
    }
    const isPart = spot.from !== undefined && typeof before.was === "string" && typeof live === "string";
    const changed = cell ? { place: cell, value: live } : isPart ? changedCell(spot, before.was, live) : undefined;
    const isUsual = cell !== undefined && spot.isAlone === true;
    if (changed === undefined || (isUsual && typeof live === "string" && !fitsFile(live))) return false;
    const [field = "", ...rest] = input;
    const hasPlace = cell !== undefined && path !== undefined && (isUsual || field === "content");
    const write = hasPlace && !isUsual ? this.#writeOwn : this.#inPlace(field, rest, live);
    const own =
      hasPlace || row !== undefined ? { key: rest.join("."), write, isUsual: hasPlace && isUsual } : undefined;
    const apart = apartIn(this.#entry, hasPlace);
    data.change({ ...changed, ...before, what: `${this.#entry.address}.${what}`, apart, own, missing });
    return true;
  }

  /** Writes a value in place of the form that names its file, or among those that a row of an `each` has of its own. */
  #inPlace(field: string, rest: readonly string[], live: Json): OwnWriter {
    const [key = ""] = rest;
    return () =>
      this.#refusedBy(() => {
        const path = field === "content" ? this.#contentPath(key) : [manifestName(field), ...rest];
        this.#set(path, this.#writer.contentValue(this.#resource, key || field, live));
      });
  }

  #tell(how: "updated" | "kept" | "ahead", what: string): void {
    this.#place.told[how].push(`${this.#entry.address}.${what}`);
  }

  /** Puts texts after the files: into the map that is there, or into a new one. */
  readonly #writeOwn: OwnWriter = (texts) =>
    this.#refusedBy(() => {
      const node = this.#node(["content"]);
      const items: readonly unknown[] = isSeq(node) ? node.items : [node];
      const last = items.at(-1);
      const values = [...texts].map(
        ([key, text]) => [key, this.#writer.contentValue(this.#resource, key, text)] as const,
      );
      if (isSeq(node) && isMapNode(last) && !isLayer(last)) {
        for (const [key, value] of values) this.#set(["content", items.length - 1, key], value);
        return;
      }
      if (!items.every((item) => isMapNode(item) && isLayer(item))) throw new EditRefused("layered", []);
      const layers = items.map((_, index) => this.#asWritten(isSeq(node) ? ["content", index] : ["content"]));
      const own = mapOf(values.map(([key, value]) => this.#writer.pair(key, value)));
      this.#set(["content"], listOf([...layers, own]));
    });

  /** Undeclared texts belong to the template. If the code declared a text with a variable, the text would no longer follow the variable. */
  #isTemplates(value: Value): boolean {
    const { templateId, duplicateOf, variables } = this.#entry.inputs;
    const isMade = templateId !== undefined || duplicateOf !== undefined;
    return (isMade && this.#resource.id !== undefined) || mayBeRendered(plain(value), variables);
  }

  #publish(declared: Tree | undefined, live: Record<string, Value>): void {
    const before = isMap(declared) ? (declared as Record<string, Tree>) : {};
    const { siteId, slug: shown = "" } = live;
    const { slug: said = "" } = before;
    // The page of the root needs no slug: a missing slug equals an empty one, in the last run and now.
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

  /** Tells if the code no longer publishes the page: the next up takes it back. */
  #isTakenBack({ slug = "" }: Record<string, Value>): boolean {
    const before = this.#place.applied?.inputs["publish"];
    if (!isMap(before)) return false;
    const { slug: then = "" } = before;
    const both = `the code says nothing now, the account has it at ${JSON.stringify(slug)}`;
    if (then === slug) this.#tell("ahead", "publish");
    else this.#tell("kept", `publish (changed in both: ${both})`);
    return true;
  }

  /** Updates the steps. Equal steps stay as they are written, with their other fields. */
  #steps(declared: Tree | undefined, live: readonly Value[]): void {
    const before = Array.isArray(declared) ? declared : [];
    const written = this.#values
      .unchanged(before, live)
      .map((from, to) =>
        from === undefined ? this.#writer.fields(live[to] ?? null) : this.#asWritten(["steps", from]),
      );
    this.#write("steps", ["steps"], () => this.#set(["steps"], listOf(written)));
  }

  /** Replaces an existing text. Returns false if the value there is no text, or if the new one is too long. */
  #setText(path: Path, text: string): boolean {
    const node = this.#node(path);
    if (!isScalar(node) || (isLong(text) && !isLong(String(node.value)))) return false;
    const scalar = this.#writer.scalar(text);
    const wasQuoted = node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE;
    if (wasQuoted && !text.includes("\n")) scalar.type ??= node.type;
    this.#set(path, scalar);
    return true;
  }

  /**
   * Tells if the code has changed the value since the last run: then it is not written over. If the account has changed it, too, the report shows
   * both.
   */
  #isOfTheCode(path: readonly string[], declared: Tree | undefined, live: Value, what: string): boolean {
    const change = this.#values.changeOf(path, declared, live);
    if (change === undefined) return false;
    const { by, code, account } = change;
    if (by === "code") this.#tell("ahead", what);
    const both = `the code says ${code === undefined ? "nothing" : JSON.stringify(code)} now, the account ${JSON.stringify(account)}`;
    if (by === "both") this.#tell("kept", `${what} (changed in both: ${both})`);
    return by !== "account";
  }

  #node(path: Path): Node | undefined {
    const own = this.#place.path ?? this.#place.row;
    return own && this.#place.edit.nodeAt([...own, ...path]);
  }

  #asWritten(path: Path): Node {
    return this.#writer.asWritten(this.#place.edit.plainAt([...(this.#place.path ?? []), ...path]));
  }

  #set(path: Path, value: Node): void {
    this.#place.edit.set([...(this.#place.path ?? this.#place.row ?? []), ...path], value);
  }

  /** Writes a value and notes it. If that would touch another place, it leaves the value and notes the reason. */
  #write(what: string, input: readonly string[], work: () => void): void {
    const { path, row, data } = this.#place;
    const [field = "", ...rest] = input;
    // A row has a place for a value that it has of its own, or is to have.
    const isOwn = row !== undefined && (data.isOwn || this.#node([manifestName(field), ...rest]) !== undefined);
    const refusal = path !== undefined || isOwn ? this.#refusedBy(work) : this.#elsewhere(input);
    if (refusal === undefined) this.#tell("updated", what);
    else this.#tell("kept", `${what} (${refusalText(refusal)})`);
  }

  /** Adds an undeclared value. If it can't be written, nothing is noted, because it differs from no declaration. */
  #add(what: string, work: () => void): void {
    if (this.#place.path !== undefined && this.#refusedBy(work) === undefined) this.#tell("updated", what);
  }

  #elsewhere(input: readonly string[]): Refusal {
    const { one, place, places } = this.#entry;
    if (one === undefined) return { code: "alias" };
    const at = places.get(propertyPath(input))?.place ?? place;
    return { code: "said for all", place: at, of: one.of, row: one.row.key };
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

/** The API never shows a template. The export knows it only if the user named it for a setting of an earlier export. */
function isChosen(field: string, declared: Tree | undefined): boolean {
  return field === "templateId" && declared instanceof Deferred && declared.origin.from === "config";
}

/** Tells if a map stands for keys and values elsewhere. */
function isLayer(map: YAMLMap): boolean {
  return layerFormOf(keysOf(map)) !== undefined;
}

/** Says how this entry can have another value than the others. */
function apartIn({ one }: Entry, hasPlace: boolean): string {
  if (one !== undefined) return ofRow(one.row.key);
  return hasPlace ? "write it out for this one" : "declare it where the others don't take it";
}
