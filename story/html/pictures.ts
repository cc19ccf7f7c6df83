/** Shows a page before and after: side by side, and one above the other with a slider. Without script, the two stay side by side. Pure. */
import type { Picture } from "../model.ts";
import { joined, markup, type Markup } from "./values.ts";

/** `fold`: the words under which the pictures are folded. */
export function picturesView(about: string, pictures: readonly Picture[], fold?: string): Markup {
  const shown = unfoldedView(about, pictures);
  return fold === undefined ? shown : markup`<details><summary>${fold}</summary>${shown}</details>`;
}

function unfoldedView(about: string, pictures: readonly Picture[]): Markup {
  const shown = pictures.map(
    ({ label, png, width, height }) => markup`<figure>
      <figcaption class="note">${label}</figcaption>
      <img src="data:image/png;base64,${png}" width="${width}" height="${height}" alt="${about}, ${label}" loading="lazy">
    </figure>`,
  );
  if (pictures.length < 2) return markup`<div class="pictures alone">${joined(shown)}</div>`;
  return markup`<div class="pictures">
    <p class="slide" hidden><label>before <input type="range" min="0" max="100" value="50"
      aria-label="${about}: slide from before to after"> after</label> <button type="button">side by side</button></p>
    <div class="pair">${joined(shown)}</div>
  </div>`;
}

export const PICTURE_STYLE = `
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; align-items: start; } figure { margin: 0; min-width: 0; }
.pictures img { display: block; width: 100%; height: auto; border: 1px solid var(--line); background: #fff; }
.alone img { max-width: 30rem; } .slide { margin: .25rem 0; } .slide input { vertical-align: middle; width: min(20rem, 50vw); }
.over .pair { grid-template-columns: 1fr; } .over figure { grid-area: 1 / 1; } .over figcaption { visibility: hidden; }
.over figure:last-child img { clip-path: inset(0 0 0 var(--at)); } .slide button { font: inherit; }
`.trim();

/** The only script of a report. It asks nobody for anything. */
export const PICTURE_SCRIPT = `
for (const one of document.querySelectorAll(".pictures:not(.alone)")) {
  const slide = one.querySelector(".slide");
  slide.hidden = false;
  const range = slide.querySelector("input");
  range.addEventListener("input", () => {
    one.classList.add("over");
    one.style.setProperty("--at", 100 - range.value + "%");
  });
  slide.querySelector("button").addEventListener("click", () => one.classList.remove("over"));
}
`.trim();
