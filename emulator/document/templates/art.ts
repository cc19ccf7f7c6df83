/** Illustrations as SVG data URIs: templates take nothing from the network. */

export interface Palette {
  accent: string;
  soft: string;
  dark: string;
}

/** A steaming mug on a table, with a band of glaze. */
export function mug({ accent, soft, dark }: Palette): string {
  const steam = [268, 336, 404]
    .map((x, i) => `<path d="M${x} ${150 - (i % 2) * 18}c-26-30 26-50 0-84" opacity="${0.5 + (i % 2) * 0.2}"/>`)
    .join("");
  const drops = [214, 262, 318, 366, 420]
    .map((x, i) => `<rect x="${x}" y="290" width="34" height="${[58, 92, 44, 78, 60][i] ?? 50}" rx="17"/>`)
    .join("");
  return svg(
    720,
    560,
    `<rect width="720" height="560" rx="28" fill="${soft}"/><circle cx="336" cy="270" r="196" fill="#fff" opacity=".55"/>
    <path d="M0 462h720v70a28 28 0 0 1-28 28H28a28 28 0 0 1-28-28z" fill="${dark}" opacity=".16"/>
    <ellipse cx="350" cy="474" rx="210" ry="20" fill="${dark}" opacity=".22"/>
    <g fill="none" stroke="${dark}" stroke-width="12" stroke-linecap="round">${steam}</g>
    <path d="M484 244h44a68 68 0 0 1 0 136h-52" fill="none" stroke="${accent}" stroke-width="34" stroke-linecap="round"/>
    <path d="M188 200h296v196a76 76 0 0 1-76 76H264a76 76 0 0 1-76-76z" fill="#fff"/>
    <path d="M188 200h296v112H188z" fill="${accent}"/><g fill="${accent}">${drops}</g>
    <path d="M446 200h38v196a76 76 0 0 1-76 76h-28c44-8 66-40 66-84z" fill="${dark}" opacity=".12"/>
    <ellipse cx="336" cy="200" rx="148" ry="30" fill="${dark}"/><ellipse cx="336" cy="206" rx="128" ry="20" fill="#6f4427"/>
    <ellipse cx="302" cy="202" rx="44" ry="7" fill="#fff" opacity=".18"/>`,
  );
}

/** A standing book with a title block. */
export function book({ accent, soft, dark }: Palette): string {
  return svg(
    560,
    640,
    `<rect width="560" height="640" rx="28" fill="${soft}"/>
    <ellipse cx="285" cy="568" rx="190" ry="22" fill="${dark}" opacity=".14"/>
    <path d="M420 92l34 22v440l-34 14z" fill="#fff"/><path d="M420 92l34 22v440l-34 14z" fill="${dark}" opacity=".12"/>
    <rect x="116" y="72" width="312" height="496" rx="10" fill="${dark}"/>
    <rect x="116" y="72" width="26" height="496" rx="10" fill="#000" opacity=".22"/>
    <rect x="176" y="126" width="150" height="12" rx="6" fill="${accent}"/>
    <rect x="176" y="166" width="208" height="30" rx="6" fill="#fff"/><rect x="176" y="210" width="168" height="30" rx="6" fill="#fff"/>
    <path d="M176 470c50-120 90-20 128-90s60-60 84-70v170H176z" fill="${accent}"/>
    <circle cx="352" cy="322" r="26" fill="#fff" opacity=".9"/>
    <rect x="176" y="512" width="112" height="10" rx="5" fill="#fff" opacity=".5"/>`,
  );
}

/** Hills under a sun. */
export function landscape({ accent, soft, dark }: Palette): string {
  return svg(
    960,
    540,
    `<rect width="960" height="540" fill="${soft}"/><circle cx="690" cy="190" r="92" fill="${accent}" opacity=".9"/>
    <path d="M0 380c160-110 270-60 400-130s300-30 560 70v220H0z" fill="${dark}" opacity=".35"/>
    <path d="M0 440c200-90 330-10 520-70s300-20 440 20v150H0z" fill="${dark}" opacity=".65"/>
    <path d="M0 490c220-50 420 10 600-24s260-6 360 10v64H0z" fill="${dark}"/>`,
  );
}

/** A person from the shoulders up, without a face. */
export function portrait({ accent, soft, dark }: Palette): string {
  return svg(
    560,
    600,
    `<rect width="560" height="600" rx="28" fill="${soft}"/><circle cx="420" cy="130" r="70" fill="${accent}" opacity=".28"/>
    <path d="M96 600c6-150 80-206 184-206s178 56 184 206z" fill="${accent}"/>
    <path d="M226 330h108v84c-16 34-92 34-108 0z" fill="#e3b08f"/><ellipse cx="280" cy="262" rx="92" ry="112" fill="#f0c3a3"/>
    <path d="M180 262c-16-130 60-160 112-156 76 2 104 66 88 156-10-50-40-84-86-88-50 0-96 20-114 88z" fill="${dark}"/>
    <path d="M226 408l54 70 54-70 36 18-60 174h-60l-60-174z" fill="#fff"/>`,
  );
}

/** A parcel with a jar beside it. */
export function parcel({ accent, soft, dark }: Palette): string {
  return svg(
    640,
    560,
    `<rect width="640" height="560" rx="28" fill="${soft}"/><ellipse cx="320" cy="468" rx="230" ry="24" fill="${dark}" opacity=".14"/>
    <rect x="250" y="120" width="190" height="344" rx="34" fill="#fff"/><rect x="276" y="70" width="138" height="64" rx="14" fill="${dark}"/>
    <rect x="250" y="214" width="190" height="150" fill="${accent}"/><circle cx="345" cy="270" r="28" fill="#fff"/>
    <rect x="296" y="316" width="98" height="12" rx="6" fill="#fff"/><rect x="316" y="338" width="58" height="8" rx="4" fill="#fff" opacity=".7"/>
    <rect x="96" y="316" width="176" height="150" rx="12" fill="${dark}"/><rect x="170" y="316" width="28" height="150" fill="${accent}"/>
    <circle cx="490" cy="418" r="46" fill="${accent}"/><path d="M490 372c10-30 30-40 52-42-2 26-20 44-52 42z" fill="${dark}"/>`,
  );
}

/** A round icon holding one simple sign. */
export function icon(
  sign: "bolt" | "shield" | "heart" | "clock" | "leaf" | "chart",
  { accent, soft }: Palette,
): string {
  return svg(
    96,
    96,
    `<rect width="96" height="96" rx="26" fill="${soft}"/><g fill="none" stroke="${accent}" stroke-width="6" stroke-linecap="round" stroke-linejoin="round">${signs[sign]}</g>`,
  );
}

const signs = {
  bolt: '<path d="M52 20L30 54h18l-4 22 22-34H48z"/>',
  shield: '<path d="M48 20l24 9v18c0 16-10 25-24 30-14-5-24-14-24-30V29z"/><path d="M38 48l7 8 14-16"/>',
  heart: '<path d="M48 74C26 58 22 46 24 38c3-12 18-14 24-2 6-12 21-10 24 2 2 8-2 20-24 36z"/>',
  clock: '<circle cx="48" cy="48" r="27"/><path d="M48 32v17l11 8"/>',
  leaf: '<path d="M24 72c4-34 18-48 50-50-2 34-16 46-38 42"/><path d="M34 62c6-12 14-18 24-24"/>',
  chart: '<path d="M24 24v48h50"/><path d="M36 58l12-14 10 8 14-20"/>',
};

function svg(width: number, height: number, body: string): string {
  const source = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${body}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(source.replace(/\s*\n\s*/g, ""))}`;
}
