import { contentFields, documentFromTemplate, templates } from "../document/index.ts";
import { escapeHtml } from "../document/render/escape.ts";
import type { PageRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import { editUrl, pageUrl, siteUrl } from "./urls.ts";

/** Renders the page at `/`: the content of the account, and instructions for the API. */
export function home(service: Service): string {
  const { origin, account } = service;
  const base = `${origin.origin}/v1`;
  const call = `curl -H "Authorization: Bearer ${account.apiKey}" ${base}/me`;
  const counts = [
    ["Projects", service.projects],
    ["Sites", service.sites],
    ["Pages", service.pages],
    ["Funnels", service.funnels],
    ["Products", service.products],
    ["Leads", service.leads],
  ] as const;
  return layout(`
    <header><h1>Emulator</h1><p>${escapeHtml(account.name)} · plan ${escapeHtml(account.plan ?? "none")}</p></header>
    <dl>${counts.map(([name, records]) => `<div><dt>${name}</dt><dd>${records.all().length}</dd></div>`).join("")}</dl>
    <section><h2>Call the API</h2>
      <p>Base address <code>${base}</code>, described by <a href="/v1/openapi.json">openapi.json</a>.</p>
      <pre>${escapeHtml(call)}</pre>
      <pre>${escapeHtml(`export LANDFORM_BASE_URL=${base}\nexport LANDFORM_API_KEY=${account.apiKey}`)}</pre></section>
    <section><h2>Sites</h2>${sites(service)}</section>
    <section><h2>Drafts</h2>${drafts(service)}</section>
    <section><h2>Funnels</h2>${funnels(service)}</section>
    <section><h2>Products</h2>${products(service)}</section>
    <section><h2>Templates</h2>${templateKeys()}</section>
    <section><h2>Leads</h2>${leads(service)}</section>
    <section><h2>Deliveries</h2>${deliveries(service)}</section>`);
}

function sites(service: Service): string {
  return table(
    "No site yet. Create one with POST /sites.",
    ["Site", "Page", "Address"],
    service.sites.all().flatMap((site) => {
      const label = named(site.name, site.id);
      const pages = service.pages.all().filter(({ siteId, status }) => siteId === site.id && status === "published");
      if (pages.length === 0) return [[label, "<i>nothing published</i>", link(siteUrl(service, site))]];
      return pages.map((page) => [label, pageName(page), addresses(service, page)]);
    }),
  );
}

function addresses(service: Service, page: PageRecord): string {
  const urls = [pageUrl(service, page), pageUrl(service, page, "path")];
  return urls.map((url) => (url === null ? "" : link(url))).join("<br>");
}

function drafts(service: Service): string {
  const pages = service.pages.all().filter(({ status }) => status === "draft");
  return table(
    "No draft.",
    ["Page", "Preview"],
    pages.map((page) => [pageName(page), link(editUrl(service, page.id))]),
  );
}

function funnels(service: Service): string {
  const nameOf = (pageId: string | undefined): string | undefined => service.pages.get(pageId ?? "")?.pageName;
  return table(
    "No funnel yet. Create one with POST /funnels.",
    ["Funnel", "Steps"],
    service.funnels.all().map(({ id, name, steps }) => {
      const shown = steps.map(({ pageId, url, pageType }) => `${nameOf(pageId) ?? url ?? pageId ?? ""} (${pageType})`);
      return [named(name, id), shown.length === 0 ? "<i>none</i>" : escapeHtml(shown.join(" → "))];
    }),
  );
}

function products(service: Service): string {
  return table(
    "No product yet. Create one with POST /products.",
    ["Product", "Type", "Price"],
    service.products.all().map(({ id, name, type, price }) => [named(name, id), escapeHtml(type), price.toFixed(2)]),
  );
}

/** Lists the keys that PATCH /pages/content takes on a page of each template. */
function templateKeys(): string {
  const rows = templates.map(({ id, name }) => {
    const document = documentFromTemplate(id, placeholderId());
    const keys = document === undefined ? [] : contentFields(document).map(({ key }) => key);
    const list = keys.map((key) => `<code>${escapeHtml(key)}</code>`).join(" ");
    return [named(name, id), `<details><summary>${keys.length} content keys</summary>${list}</details>`];
  });
  return table("No template.", ["Template", "Content"], rows);
}

function placeholderId(): () => string {
  let count = 0;
  return () => `node_${count++}`;
}

function leads(service: Service): string {
  const newest = service.leads.all().slice(-20).toReversed();
  return table(
    "No lead yet. Send a form of a published page.",
    ["When", "Type", "Name", "Email"],
    newest.map(({ createdAt, type, name, email }) => [createdAt, type, name ?? "", email ?? ""].map(escapeHtml)),
  );
}

function deliveries(service: Service): string {
  const newest = service.deliverer.attempts.slice(-20).toReversed();
  return table(
    "Nothing delivered yet. Subscribe with POST /hooks.",
    ["When", "Event", "Result"],
    newest.map(({ at, eventType, status, error }) => [at, eventType, String(status ?? error)].map(escapeHtml)),
  );
}

function table(empty: string, heads: string[], rows: string[][]): string {
  if (rows.length === 0) return `<p class="empty">${empty}</p>`;
  const head = heads.map((name) => `<th>${name}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function pageName({ pageName: name, id }: PageRecord): string {
  return named(name, id);
}

function named(name: string, id: string): string {
  return `${escapeHtml(name)}<br><small>${escapeHtml(id)}</small>`;
}

function link(url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
}

function layout(body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Emulator</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main>${body}</main></body></html>`;
}

const style = `
  :root { color-scheme: light dark; --ink: #1b2430; --soft: #5d6a7a; --line: #dfe4ea; --paper: #f6f7f9; --card: #fff; --accent: #0b6bcb; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e8ecf1; --soft: #9aa7b5; --line: #2c3540; --paper: #12171d; --card: #1a2129; --accent: #6cb2ff; }
  }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
  main { max-width: 64rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
  h1 { margin: 0; font-size: 2rem; letter-spacing: -0.02em; } h2 { margin: 0 0 0.75rem; font-size: 1.1rem; }
  header p, small, .empty { color: var(--soft); } header p { margin: 0.1rem 0 0; }
  dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 0.75rem; margin: 1.5rem 0; }
  dl div, section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; }
  dt { color: var(--soft); font-size: 0.85rem; } dd { margin: 0; font-size: 1.6rem; font-variant-numeric: tabular-nums; }
  section { margin-top: 1rem; } summary { cursor: pointer; } details code { display: inline-block; margin: 0.15rem 0.35rem 0 0; font-size: 0.82rem; } a { color: var(--accent); overflow-wrap: anywhere; } .empty { margin: 0; }
  pre { margin: 0.5rem 0 0; padding: 0.75rem 1rem; overflow-x: auto; background: var(--paper); border-radius: 8px; font-size: 0.85rem; }
  .scroll { overflow-x: auto; } table { width: 100%; border-collapse: collapse; font-size: 0.92rem; }
  th { text-align: left; color: var(--soft); font-weight: 500; } th, td { padding: 0.45rem 0.75rem 0.45rem 0; vertical-align: top; border-top: 1px solid var(--line); }
  thead th { border-top: 0; }
  @media (max-width: 40rem) {
    thead { display: none; } table, tbody, tr, td { display: block; } tr { border-top: 1px solid var(--line); padding: 0.45rem 0; }
    tr:first-child { border-top: 0; } td { border-top: 0; padding: 0.1rem 0; }
  }
`;
