import type { PageDelay } from "../types.ts";
import { escapeHtml } from "./escape.ts";

/** Runs before the body, so that only browsers with scripts hide sections, which scripts can reveal again. */
export const earlyScript = `document.documentElement.classList.add("js")`;

/** Returns the opening tag of the part that waits for its delay. */
export function laterOpening(delay: PageDelay, videoId: string | null): string {
  const waitsFor = delay.sync_with_video && videoId !== null ? ` data-video="${escapeHtml(videoId)}"` : "";
  return `<div class="later" data-delay="${delay.time}"${delay.scroll_into_view ? ' data-scroll=""' : ""}${waitsFor}>`;
}

/** Reveals the waiting part: so many seconds after the start of the page or of its video. */
export const revealScript = `
const later = document.querySelector(".later");
const reveal = () => {
  if (later.classList.contains("shown")) return;
  later.classList.add("shown");
  if ("scroll" in later.dataset) later.scrollIntoView({ behavior: "smooth" });
};
const wait = () => setTimeout(reveal, later.dataset.delay * 1000);
const frame = "video" in later.dataset && document.querySelector('[data-node="' + CSS.escape(later.dataset.video) + '"]');
const player = frame && frame.querySelector("video");
if (player) player.addEventListener("timeupdate", () => player.currentTime >= later.dataset.delay && reveal());
else if (frame) frame.addEventListener("click", wait, { once: true });
else wait();`;

export const playScript = `
for (const play of document.querySelectorAll(".play"))
  play.addEventListener("click", () => play.classList.add("playing"));`;

/** Shows a quiz one step at a time. A click on an answer goes to the next step; keyboard users press the button. */
export const quizScript = `
for (const quiz of document.querySelectorAll("form.quiz")) {
  const steps = [...quiz.querySelectorAll(".step")];
  const [back, next, bar] = [".back", ".next", ".progress"].map((name) => quiz.querySelector(name));
  let at = 0;
  const show = (index, focus = true) => {
    at = Math.max(0, Math.min(index, steps.length - 1));
    steps.forEach((step, i) => (step.hidden = i !== at));
    back.hidden = at === 0;
    next.hidden = at === steps.length - 1;
    const done = Math.round((at / Math.max(1, steps.length - 1)) * 100);
    bar.setAttribute("aria-valuenow", done);
    bar.firstElementChild.style.width = Math.max(4, done) + "%";
    quiz.classList.toggle("moving", focus);
    if (focus) steps[at].focus();
  };
  const advance = () => {
    const missing = steps[at].querySelector("input:invalid");
    if (missing) missing.reportValidity();
    else show(at + 1);
  };
  back.addEventListener("click", () => show(at - 1));
  next.addEventListener("click", advance);
  quiz.addEventListener("click", (event) => {
    if (event.detail > 0 && event.target.closest(".choice") && event.target.tagName !== "INPUT") setTimeout(advance, 200);
  });
  quiz.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.type !== "radio") return;
    event.preventDefault();
    advance();
  });
  if (steps.length > 0) show(0, false);
}`;
