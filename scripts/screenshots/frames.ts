/** A terminal, a browser window and a comment as HTML, around real output. */
import { marked } from "marked";

const COLOURS = ["#6e7681", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#e6edf3"];

const STYLE = `
  * { box-sizing: border-box; }
  body { margin: 0; background: transparent; }
  main { display: inline-block; overflow: hidden; border-radius: 10px; border: 1px solid #30363d; }
  header { display: flex; align-items: center; gap: 8px; padding: 10px 14px; background: #21262d; }
  header i { width: 12px; height: 12px; border-radius: 50%; background: #484f58; }
  header p { margin: 0 0 0 12px; flex: 1; padding: 4px 14px; border-radius: 6px; background: #0d1117; color: #c9d1d9;
    font: 14px/1.5 "DejaVu Sans", sans-serif; }
`;

/** Renders the output of a pipe with `FORCE_COLOR`, under its command. */
export function terminalHtml(command: string, output: string): string {
  return `<!doctype html><style>${STYLE}
    main { background: #0d1117; }
    pre { margin: 0; padding: 16px 20px 20px; color: #e6edf3; font: 14px/1.55 "DejaVu Sans Mono", monospace; }
  </style><main><header><i></i><i></i><i></i></header><pre><b>$ ${command}</b>\n${ansiToHtml(output.trimEnd())}</pre></main>`;
}

/** Renders a browser window that shows the address. */
export function browserHtml(url: string): string {
  return `<!doctype html><style>${STYLE}
    main { width: 1120px; }
    iframe { display: block; width: 100%; height: 640px; border: 0; background: white; }
  </style><main><header><i></i><i></i><i></i><p>${escape(url)}</p></header><iframe src="${escape(url)}"></iframe></main>`;
}

/** Renders the comment of a request as code hosts show it. A diagram stays in its fold: hosts draw it. */
export function commentHtml(markdown: string): string {
  const body = marked.parse(markdown.replace(/```mermaid[\s\S]*?```\n/g, ""), { async: false });
  return `<!doctype html><style>${STYLE}
    main { width: 860px; background: white; border-color: #d1d9e0; color: #1f2328; font: 14px/1.5 "DejaVu Sans", sans-serif; }
    main > header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; color: #59636e; }
    article { padding: 4px 20px 12px; }
    h3 { margin: 14px 0 8px; font-size: 18px; }
    p, ul { margin: 0 0 10px; }
    ul { padding-left: 22px; }
    a { color: #0969da; }
    code { padding: 2px 5px; border-radius: 5px; background: #eff1f3; font: 12.5px "DejaVu Sans Mono", monospace; }
    details { margin: 0 0 8px; }
  </style><main><header>landform commented</header><article>${body}</article></main>`;
}

interface Look {
  bold: boolean;
  faint: boolean;
  underline: boolean;
  colour: string | undefined;
}

const PLAIN: Look = { bold: false, faint: false, underline: false, colour: undefined };

function ansiToHtml(text: string): string {
  let look = PLAIN;
  const parts = text.split(new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`));
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return part === "" ? "" : `<span style="${styleOf(look)}">${escape(part)}</span>`;
      look = part.split(";").map(Number).reduce(turned, look);
      return "";
    })
    .join("");
}

function turned(look: Look, code: number): Look {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...look, bold: true };
  if (code === 2) return { ...look, faint: true };
  if (code === 4) return { ...look, underline: true };
  if (code === 22) return { ...look, bold: false, faint: false };
  if (code === 24) return { ...look, underline: false };
  if (code >= 30 && code <= 37) return { ...look, colour: COLOURS[code - 30] };
  if (code >= 90 && code <= 97) return { ...look, colour: COLOURS[code - 90] };
  if (code === 39) return { ...look, colour: undefined };
  return look;
}

function styleOf({ bold, faint, underline, colour }: Look): string {
  return [
    bold ? "font-weight:bold" : "",
    faint ? "opacity:.6" : "",
    underline ? "text-decoration:underline" : "",
    colour === undefined ? "" : `color:${colour}`,
  ]
    .filter((rule) => rule !== "")
    .join(";");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
