import type { PageDocument, PageTheme } from "../types.ts";
import { isSafeCss } from "./escape.ts";

const plainTheme: PageTheme = {
  accent: "#0f766e",
  onAccent: "#ffffff",
  ink: "#1c2522",
  tint: "#f3f7f6",
  dark: "#12302c",
  headings: "sans",
};

/** Returns the page's theme. Colours that are no plain CSS values get a default. */
export function themeOf(document: PageDocument): PageTheme {
  const theme = { ...plainTheme, ...document.theme };
  return Object.values(theme).every((value) => typeof value === "string" && isSafeCss(value)) ? theme : plainTheme;
}

export function stylesheet(theme: PageTheme): string {
  const headings = theme.headings === "serif" ? serif : sans;
  return `:root{--accent:${theme.accent};--on-accent:${theme.onAccent};--ink:${theme.ink};--tint:${theme.tint};--dark:${theme.dark};--headings:${headings};--line:color-mix(in srgb,var(--ink) 14%,transparent);--muted:color-mix(in srgb,var(--ink) 72%,white)}${base}${layout}${blocks}${forms}`;
}

const sans = 'Inter,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';
const serif = 'Georgia,"Iowan Old Style","Liberation Serif",serif';

const base = `
*,*::before,*::after{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}*,*::before,*::after{animation:none!important;transition:none!important}}
body{margin:0;background:#fff;color:var(--ink);font:400 1.0625rem/1.65 ${sans};overflow-wrap:anywhere}
h1,h2,h3,h4,h5,h6,p,ul,ol,figure,blockquote,fieldset{margin:0;padding:0;border:0}
h1,h2,h3,h4,h5,h6{font-family:var(--headings);line-height:1.15;letter-spacing:-.02em;text-wrap:balance}
h1{font-size:clamp(2.25rem,1.4rem + 3.6vw,3.75rem);font-weight:800}
h2{font-size:clamp(1.75rem,1.3rem + 1.9vw,2.6rem);font-weight:750}
h3{font-size:1.25rem;font-weight:700;line-height:1.3;letter-spacing:-.01em}
img,video{display:block;max-width:100%;height:auto}
a{color:inherit}
:focus-visible{outline:3px solid color-mix(in srgb,var(--accent) 60%,white);outline-offset:3px}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.js .later:not(.shown){display:none}
.later.shown{animation:rise .5s ease both}
@keyframes rise{from{opacity:0;transform:translateY(1rem)}}
`;

const layout = `
.s{padding:clamp(3.5rem,2rem + 6vw,6.5rem) 0;scroll-margin-top:1rem}
.wrap{width:min(70rem,100% - 3rem);margin-inline:auto;display:grid;gap:1.5rem;justify-items:start}
.wrap>*{min-width:0}
.narrow>.wrap{width:min(46rem,100% - 3rem)}
.s-plain+.s-plain{padding-top:0}
.s-tint{background:var(--tint)}
.s-dark{background:var(--dark);color:#fff;--muted:color-mix(in srgb,#fff 78%,var(--dark));--line:rgb(255 255 255/.18)}
.s-accent{background:var(--accent);color:var(--on-accent);--muted:var(--on-accent);--line:rgb(255 255 255/.35)}
.s-bar{padding:1.1rem 0;background:#fff;border-bottom:1px solid var(--line)}
.s-bar .wrap{display:flex;align-items:center;justify-content:space-between;gap:1rem}
.s-bar .btn{padding:.6rem 1.1rem;font-size:.95rem;white-space:nowrap}
.s-footer{padding:2.5rem 0;border-top:1px solid var(--line)}
.s-footer .wrap{display:flex;flex-wrap:wrap;gap:.75rem 2rem;align-items:baseline;justify-content:space-between}
.center>.wrap{justify-items:center;text-align:center}
.center .t-lead,.center .t-body{max-width:42rem}
.cols{display:flex;flex-wrap:wrap;width:100%;gap:clamp(1.5rem,1rem + 2vw,3rem)}
.cols>*{min-width:0;flex:1 1 16rem}
.cols>.stat{flex-basis:11rem}
.cols:not(:has(>.card,>.stat)){align-items:center}
.wrap>.cols:not(:first-child){margin-top:1rem}
@media (min-width:56rem){.cols.wide-first{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);gap:4rem}}
.col{display:grid;gap:1.35rem;justify-items:start}
.center .col,.center .stat{justify-items:center}
`;

const blocks = `
.t-lead{font-size:clamp(1.125rem,1rem + .5vw,1.3rem);line-height:1.6;color:var(--muted);max-width:46rem;text-wrap:pretty}
.t-eyebrow{font-size:.85rem;font-weight:700;letter-spacing:.09em;text-transform:uppercase;color:var(--accent)}
.s-dark .t-eyebrow,.s-accent .t-eyebrow{color:inherit;opacity:.85}
.t-body{color:var(--muted);max-width:46rem}
.t-small{font-size:.9rem;color:var(--muted)}
.t-brand{font:800 1.25rem/1.2 var(--headings);letter-spacing:-.02em}
.t-badge{font-size:.85rem;font-weight:700;line-height:1.2;padding:.4rem .85rem;border-radius:2rem;background:color-mix(in srgb,var(--accent) 14%,white);color:color-mix(in srgb,var(--accent) 80%,black)}
.btn{display:inline-block;max-width:100%;padding:1rem 1.75rem;border:2px solid transparent;border-radius:.75rem;font-family:inherit;font-size:1.0625rem;font-weight:700;line-height:1.25;text-align:center;text-decoration:none;cursor:pointer;transition:transform .15s,box-shadow .15s,background .15s}
.btn-primary{background:var(--accent);color:var(--on-accent);box-shadow:0 .6rem 1.4rem -.6rem color-mix(in srgb,var(--accent) 70%,transparent)}
.btn-primary:hover{transform:translateY(-2px);background:color-mix(in srgb,var(--accent) 88%,black)}
.s-accent .btn-primary,.s-dark .btn-primary{background:#fff;color:var(--dark);box-shadow:none}
.btn-ghost{border-color:var(--line);background:transparent;color:inherit}
.btn-ghost:hover{border-color:currentcolor}
.btn-link{padding:0;border:0;background:none;color:inherit;text-decoration:underline;text-underline-offset:.25em;font-weight:600}
.img-wide{width:100%;border-radius:1.25rem}
.img-portrait{width:100%;max-width:26rem;margin-inline:auto;border-radius:1.25rem}
.img-icon{width:3.5rem;height:3.5rem}
.card{display:flex;flex-direction:column;gap:.85rem;align-items:flex-start;padding:2rem;border:1px solid var(--line);border-radius:1.25rem;background:#fff;color:var(--ink);--muted:color-mix(in srgb,var(--ink) 72%,white);text-align:left;box-shadow:0 1.5rem 3rem -2.5rem rgb(0 0 0/.35)}
.card.highlight{border:2px solid var(--accent)}
.card .btn{margin-top:auto;width:100%}
.video{width:100%;position:relative}
.video video,.play{width:100%;aspect-ratio:16/9;border-radius:1.25rem;background:#000;object-fit:cover}
.play{position:relative;display:block;padding:0;border:0;overflow:hidden;cursor:pointer}
.play img{width:100%;height:100%;object-fit:cover}
.play::after{content:"";position:absolute;inset:0;margin:auto;width:5.5rem;height:5.5rem;border-radius:50%;background:var(--accent);box-shadow:0 0 0 .75rem rgb(255 255 255/.3)}
.play::before{content:"";position:absolute;z-index:1;inset:0 0 0 .4rem;margin:auto;width:0;height:0;border:1.05rem solid transparent;border-left:1.7rem solid var(--on-accent);border-right:0}
.play.playing::before,.play.playing::after{display:none}
.play i{position:absolute;left:0;bottom:0;height:.4rem;width:0;background:var(--accent)}
.play.playing i{width:100%;transition:width 90s linear}
.video figcaption{margin-top:.85rem;font-size:.95rem;color:var(--muted);text-align:center}
.list{display:grid;gap:.85rem;width:100%;list-style:none;counter-reset:n;text-align:left}
.list li{position:relative;padding-left:2.5rem;counter-increment:n}
.list li::before{position:absolute;left:0;top:.1em;width:1.6rem;height:1.6rem;border-radius:50%;background:color-mix(in srgb,var(--accent) 15%,white);color:color-mix(in srgb,var(--accent) 85%,black);font-size:.85rem;font-weight:800;line-height:1.6rem;text-align:center}
.list-check li::before{content:"✓"/""}
.list-number li::before{content:counter(n)/"";background:var(--accent);color:var(--on-accent)}
.list-dot li{padding-left:1.4rem}.list-dot li::before{content:"";width:.5rem;height:.5rem;top:.6em;background:var(--accent)}
.quote{display:grid;gap:1.25rem;align-content:space-between;width:100%;padding:2rem;border-radius:1.25rem;background:#fff;border:1px solid var(--line);color:var(--ink);text-align:left}
.s-plain .quote,.card .quote{background:var(--tint);border-color:transparent}
.quote blockquote{display:grid;gap:.75rem;font:500 1.15rem/1.6 var(--headings)}
.quote figcaption{display:flex;gap:.85rem;align-items:center;font-size:.95rem;line-height:1.45}
.avatar{flex:none;display:grid;place-items:center;width:3rem;height:3rem;border-radius:50%;background:var(--accent);color:var(--on-accent)}
.avatar::before{content:"“"/"";font:700 2.5rem/1 Georgia,serif;translate:0 .5rem}
.stat{display:grid;gap:.25rem}
.stat strong{font:800 clamp(2rem,1.5rem + 2vw,2.9rem)/1.1 var(--headings);letter-spacing:-.02em;color:var(--accent)}
.s-dark .stat strong,.s-accent .stat strong{color:inherit}
.stat span{color:var(--muted)}
.price{display:flex;flex-wrap:wrap;gap:.3rem .6rem;align-items:baseline}
.price s{font-size:1.25rem;color:var(--muted)}
.price strong{font:800 clamp(2.25rem,2rem + 1vw,3rem)/1 var(--headings);letter-spacing:-.02em}
.price span{color:var(--muted)}
.faq{width:100%;border-bottom:1px solid var(--line);text-align:left}
.faq+.faq{margin-top:-1.5rem}
.faq summary{display:flex;justify-content:space-between;gap:1rem;padding:1.15rem 0;font-weight:650;font-size:1.1rem;cursor:pointer;list-style:none}
.faq summary::-webkit-details-marker{display:none}
.faq summary::after{content:"+"/"";font-size:1.5rem;line-height:1;color:var(--accent)}
.faq[open] summary::after{content:"–"/""}
.faq p{padding-bottom:1.25rem;max-width:46rem;color:var(--muted)}
`;

const forms = `
.panel{display:grid;gap:1.1rem;width:min(100%,32rem);padding:clamp(1.5rem,1rem + 2vw,2.25rem);border:1px solid var(--line);border-radius:1.25rem;background:#fff;color:var(--ink);--muted:color-mix(in srgb,var(--ink) 72%,white);--line:color-mix(in srgb,var(--ink) 18%,transparent);text-align:left;box-shadow:0 2rem 4rem -2.5rem rgb(0 0 0/.45)}
.panel .btn-primary:not(.next){width:100%}
.panel .btn-primary{background:var(--accent);color:var(--on-accent)}
.panel .t-small{text-align:center;justify-self:center}
.field{display:grid;gap:.4rem}
.field label{font-size:.95rem;font-weight:600}
.field input:not([type=checkbox]),.field textarea{width:100%;padding:.85rem 1rem;border:1px solid color-mix(in srgb,var(--ink) 40%,white);border-radius:.65rem;background:#fff;color:inherit;font:inherit}
.field ::placeholder{color:color-mix(in srgb,var(--ink) 58%,white);opacity:1}
.field input:focus,.field textarea:focus{border-color:var(--accent);outline:3px solid color-mix(in srgb,var(--accent) 25%,transparent);outline-offset:0}
.consent{grid-template-columns:auto 1fr;align-items:start}
.consent input{width:1.2rem;height:1.2rem;margin:.2rem 0 0;accent-color:var(--accent)}
.consent label{font-weight:400}
.thanks{outline:0;text-align:center;font-size:1.2rem;font-weight:600;border-top:.4rem solid var(--accent)}
.thanks p{text-wrap:balance}
.quiz{width:min(100%,40rem)}
.step{display:grid;gap:.75rem;min-width:0;outline:0}
.step+.step{margin-top:1.25rem}
.js .step[hidden]{display:none}
.js .step+.step{margin-top:0}
.moving .step:not([hidden]){animation:rise .3s ease both}
.step legend,.step>h2,.step>h3{margin-bottom:1rem;padding:0;font:700 clamp(1.3rem,1.1rem + 1vw,1.65rem)/1.25 var(--headings);letter-spacing:-.01em;text-wrap:balance}
.choice{display:flex;gap:.85rem;align-items:center;padding:1rem 1.15rem;border:1.5px solid var(--line);border-radius:.85rem;cursor:pointer;transition:border-color .15s,background .15s}
.choice:hover{border-color:var(--accent)}
.choice:has(:checked){border-color:var(--accent);background:color-mix(in srgb,var(--accent) 8%,white)}
.choice:has(:focus-visible){outline:3px solid color-mix(in srgb,var(--accent) 30%,transparent)}
.choice input{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--accent)}
.progress,.steps{display:none}
.js .progress{display:block;height:.5rem;border-radius:1rem;background:var(--tint);overflow:hidden}
.progress i{display:block;height:100%;width:4%;border-radius:1rem;background:var(--accent);transition:width .3s}
.js .steps{display:flex;justify-content:space-between;align-items:center;gap:1rem}
.steps .next{margin-left:auto}
.steps .btn[hidden]{display:none}
`;
