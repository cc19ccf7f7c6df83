/** What filters ask of each change: its kind, the sites that it is or will be on, and the funnels that it is part of. Pure. */
import type { Report } from "../../stack/report/model.ts";

/** As words without blanks, since several stand in one attribute. */
export interface Marks {
  readonly kind: string;
  readonly sites: string;
  readonly funnels: string;
}

export interface Choices {
  readonly kinds: readonly string[];
  /** By their mark. */
  readonly sites: ReadonlyMap<string, string>;
  readonly funnels: ReadonlyMap<string, string>;
}

export class Marker {
  readonly #sites = new Map<string, string>();
  readonly #funnels = new Map<string, string>();
  readonly #kinds = new Set<string>();
  readonly #hostsOf = new Map<string, Set<string>>();
  readonly #funnelsOf = new Map<string, string[]>();

  constructor({ impact }: Report) {
    for (const { page, url } of impact?.urls ?? []) this.#note(page, url);
    for (const [index, { urn, name, steps = [] }] of (impact?.funnels ?? []).entries()) {
      this.#funnels.set(`f${index}`, name);
      for (const member of [urn, ...steps.map((step) => step.urn)])
        if (member !== undefined) this.#funnelsOf.set(member, [...(this.#funnelsOf.get(member) ?? []), `f${index}`]);
    }
  }

  of({ urn, type, name, url }: { urn: string; type: string; name: string; url?: string }): Marks {
    this.#kinds.add(type);
    this.#note(name, url);
    const hosts = [...(this.#hostsOf.get(name) ?? [])];
    return {
      kind: type,
      sites: hosts.map((host) => this.#siteOf(host)).join(" "),
      funnels: (this.#funnelsOf.get(urn) ?? []).join(" "),
    };
  }

  get choices(): Choices {
    return { kinds: [...this.#kinds].sort(), sites: this.#sites, funnels: this.#funnels };
  }

  #note(name: string, url: string | undefined): void {
    const host = url === undefined ? undefined : URL.parse(url)?.host;
    if (host === undefined || host === "") return;
    this.#hostsOf.set(name, (this.#hostsOf.get(name) ?? new Set<string>()).add(host));
  }

  #siteOf(host: string): string {
    const known = [...this.#sites].find(([, other]) => other === host)?.[0];
    const mark = known ?? `s${this.#sites.size}`;
    this.#sites.set(mark, host);
    return mark;
  }
}
