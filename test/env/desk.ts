/** An account with a standing base, its previews, and the checks on it afterwards. */
import { NearDesk } from "../cli/near-desk.ts";
import { outputOf, type Ended } from "../cli/harness.ts";
import type { EmulatorOptions } from "../../emulator/index.ts";
import type { JsonReport } from "../../stack/report/json.ts";

export const BASE = "prod";

/** The counts of a run that finds everything as it is. */
export const NOTHING = { create: 0, adopt: 0, update: 0, replace: 0, delete: 0 };

const BRIEF = "Handmade mugs for people who take their coffee seriously. ".repeat(5);
export const PROJECT = `{ name: Spring, description: "The spring launch of Example Mugs, one offer and a quiz", context: "${BRIEF}" }`;

/** Returns a manifest of these sections, behind those of its project and its site. */
export function mugs(sections: string, { name = "mugs", sites = ["mugs"] } = {}): string {
  const all = sites.map((site) => `  ${site}: { name: ${site}.example, project: spring }\n`);
  return `landform: 1\nname: ${name}\nprojects: { spring: ${PROJECT} }\nsites:\n${all.join("")}${sections}`;
}

/** Returns the entry of a page of this project from a template. */
export const page = (key: string, name: string, more: string): string =>
  `  ${key}: { name: "${name}", project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, ${more} }\n`;

interface Settings extends EmulatorOptions {
  /** False for an account without a base. */
  apply?: boolean;
}

export class Account {
  readonly desk: NearDesk;
  /** All that it held when the base stood. */
  before = "";

  private constructor(desk: NearDesk) {
    this.desk = desk;
  }

  /** `declare` puts the code into the folder. */
  static async open(declare: (desk: NearDesk) => void, { apply = true, ...options }: Settings = {}): Promise<Account> {
    const account = new Account(await NearDesk.open(undefined, options));
    declare(account.desk);
    if (apply) await account.desk.up("--stack", BASE);
    account.before = account.holds();
    return account;
  }

  static of(manifest: string): Promise<Account> {
    return Account.open((desk) => desk.declare(manifest));
  }

  close(): Promise<void> {
    return this.desk.close();
  }

  env(...args: string[]): Promise<Ended> {
    return this.desk.run(["env", ...args]);
  }

  says(code: number, ...args: string[]): Promise<string> {
    return outputOf(code, this.env(...args));
  }

  up(...args: string[]): Promise<JsonReport> {
    return this.desk.json("env", "up", ...args, "--yes");
  }

  down(...args: string[]): Promise<string> {
    return this.says(0, "down", ...args, "--yes");
  }

  /** Returns everything in the account, except retired funnels. */
  holds(): string {
    const kinds = Object.entries(this.desk.emulator.records());
    return JSON.stringify(Object.fromEntries(kinds.map(([kind, all]) => [kind, all.filter(isThere)])), null, 1);
  }

  /** Returns the objects of a preview, which begin with its name, without retired ones. */
  ofPreview(name: string): { id: string; name: string; slug: string | null; url: string | null }[] {
    const shown = Object.values(this.desk.emulator.records()).flat().filter(isThere) as Shown[];
    const all = shown.map(({ id, pageName, name: called = "", slug = null, url = null }) => {
      return { id, name: pageName ?? called, slug, url };
    });
    return all.filter((one) => one.name.startsWith(`${name}-`));
  }
}

type Shown = Readonly<{ id: string; name?: string; pageName?: string; slug?: string | null; url?: string | null }>;

function isThere({ name = "" }: { id: string; name?: string }): boolean {
  return !name.endsWith("[retired by landform]");
}
