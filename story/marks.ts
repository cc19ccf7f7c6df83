/** By which words a change is found among many: its kind, its site, the funnels that it is part of, and what happens to it. Pure. */
import type { Report } from "../stack/report/model.ts";

export class Marker {
  readonly #hosts = new Map<string, Set<string>>();
  readonly #funnels = new Map<string, string[]>();

  constructor({ impact }: Report) {
    for (const { page, url } of impact?.urls ?? []) this.#note(page, url);
    for (const { urn, name, steps = [] } of impact?.funnels ?? []) {
      for (const member of new Set([urn, ...steps.map((step) => step.urn)]))
        if (member !== undefined) this.#funnels.set(member, [...(this.#funnels.get(member) ?? []), name]);
    }
  }

  of(
    { urn, type, name, url }: { urn: string; type: string; name: string; url?: string },
    happens: string,
  ): Readonly<Record<string, readonly string[]>> {
    this.#note(name, url);
    return {
      Kind: [type],
      "What happens": [happens],
      Site: [...(this.#hosts.get(name) ?? [])],
      Funnel: this.#funnels.get(urn) ?? [],
    };
  }

  #note(name: string, url: string | undefined): void {
    const host = url === undefined ? undefined : URL.parse(url)?.host;
    if (host === undefined || host === "") return;
    this.#hosts.set(name, (this.#hosts.get(name) ?? new Set<string>()).add(host));
  }
}
