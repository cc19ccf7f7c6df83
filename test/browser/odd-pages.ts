/** A server of pages as people make them, which are hard to photograph: each path is one. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const TALL = 20_000;

const PAGES: Readonly<Record<string, string>> = {
  "/still": "<h1>Still</h1>",
  "/clock": "<h1 id=c></h1><script>setInterval(() => { c.textContent = performance.now(); }, 20)</script>",
  "/spins":
    "<style>@keyframes s { to { transform: rotate(1turn) } } div { animation: s .3s infinite; width: 9px; height: 90px; background: red }</style><div></div>",
  "/tall": `<div style="height:${TALL}px;background:linear-gradient(red, blue)"></div>`,
  "/font": "<style>@font-face { font-family: f; src: url(/never.woff2) } h1 { font-family: f }</style><h1>Font</h1>",
  "/image": "<h1>Image</h1><img src=/never.png width=90 height=90>",
  "/gap": "<h1>Gap</h1><img src=/lost.png><img src=/red.svg width=90 height=90><img>",
  "/wider-gap":
    "<h1>Gap</h1><img src=/lost.png><img src=/lost.png><img src=/red.svg width=90 height=90><img loading=lazy src=/found.png>",
  "/lazy": `<div style="height:4000px"></div><img loading=lazy src=/red.svg width=90 height=90>`,
  "/video": "<video autoplay loop muted src=/never.mp4 width=90 height=90></video>",
  "/dialog": "<h1>Dialog</h1><script>alert('cookies?')</script>",
  "/hangs": "<h1>Hangs</h1><script>setTimeout(() => { for (;;); }, 50)</script>",
  // It greets a visitor who comes for the first time.
  "/greets": `<h1 id=h>Hello</h1><script>
    if (document.cookie || localStorage.seen || sessionStorage.seen) h.textContent = "Welcome back";
    document.cookie = "seen=1"; localStorage.seen = sessionStorage.seen = 1</script>`,
  "/cookies": `<h1>Wall</h1><div id=wall style="position:fixed;inset:0;background:black"></div>`,
};

export interface OddPages {
  /** Returns the address of a page. */
  at(path: string): string;
  close(): void;
}

export async function startOddPages(): Promise<OddPages> {
  const server = createServer(({ url = "" }, response) => {
    const page = PAGES[url];
    if (url.startsWith("/never")) return;
    if (url === "/red.svg") {
      response.writeHead(200, { "content-type": "image/svg+xml" });
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="red"/></svg>',
      );
      return;
    }
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" });
    response.end(`<!doctype html><body style="margin:0">${page ?? "gone"}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    at: (path) => `http://127.0.0.1:${port}${path}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
