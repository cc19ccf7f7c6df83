/** A terminal and a browser window as HTML, around real output. */

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
