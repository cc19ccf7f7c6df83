/** The page acts by itself: filters, opening and closing, and images when they are asked for. Without it all is shown. */
export const SCRIPT = `
"use strict";
(() => {
  const form = document.querySelector("form.filters");
  const changes = [...document.querySelectorAll("details.change")];
  const status = document.getElementById("shown");
  const selects = form ? [...form.querySelectorAll("select")] : [];
  const tags = new Map(changes.map((change) => [change, JSON.parse(change.dataset.tags)]));
  const has = (change, { name, value }) => value === "" || (tags.get(change)[name] || []).includes(value);
  const filter = () => {
    const text = String(new FormData(form).get("text") || "").trim().toLowerCase();
    let shown = 0;
    for (const change of changes) {
      const fits = selects.every((select) => has(change, select));
      const visible = fits && (text === "" || change.textContent.toLowerCase().includes(text));
      change.toggleAttribute("data-hidden", !visible);
      if (visible) shown++;
    }
    status.textContent = shown === changes.length ? "All " + shown + " shown" : shown + " of " + changes.length + " shown";
  };
  if (form) {
    form.hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(filter));
    const toggle = (open) => () => { for (const change of changes) if (!change.hasAttribute("data-hidden")) change.open = open; };
    document.getElementById("open-all").addEventListener("click", toggle(true));
    document.getElementById("close-all").addEventListener("click", toggle(false));
  }
  const load = document.getElementById("load-images");
  if (load) {
    load.hidden = false;
    load.addEventListener("click", () => {
      for (const image of document.querySelectorAll("img[data-src]")) {
        image.referrerPolicy = "no-referrer";
        image.src = image.dataset.src;
        image.hidden = false;
      }
      load.hidden = true;
    });
  }
})();
`.trim();
