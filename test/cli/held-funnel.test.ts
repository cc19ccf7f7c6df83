/** A funnel whose steps somebody has edited in the app, while the code changes them, too. */
import { expect, test } from "vitest";
import { Mugs } from "./mugs.ts";

const STEPS = `[{ page: offer, pageType: presell }, { url: "https://shop.example/checkout", pageType: checkout }, { page: about, pageType: thankyou }]`;

test("the plan shows the part of the list that differs with its three values, and no change for visitors", async () => {
  const mugs = await Mugs.here((manifest) => manifest.replace(/steps: .*/, `steps: ${STEPS}`));
  const [funnel] = mugs.rows("funnels");
  const steps = funnel?.["steps"] as readonly object[];
  const edited = [...steps.slice(0, 2), { ...steps[2], pageType: "vip-thankyou" }];
  await mugs.app("PATCH", "/funnels", { funnel_id: funnel?.["id"], pages: edited });
  mugs.code("pageType: thankyou", "pageType: goodbye");
  const plan = await mugs.says(0, "preview", "--markdown", "plan.md", "--html", "plan.html");
  const three = 'steps[2].pageType: "thankyou" at the last run, "vip-thankyou" in the app, "goodbye" in the code';
  expect(plan).toContain(`! ${three}\n`);
  expect(plan).toMatch(/steps\[2\]\.pageType +"vip-thankyou" → "goodbye" {2}\(held back\)/);
  expect(plan).not.toContain("Funnels");
  for (const file of ["plan.md", "plan.html"]) expect(mugs.read(file)).toContain("vip-thankyou");
  expect(await mugs.says(1, "up", "--yes")).toContain(three);
  mugs.code("About us", "About the team");
  expect(await mugs.says(0, "preview")).toMatch(/Funnels\n {2}spring: about changes/);
  expect(await mugs.applies("--foreign-edits", "include")).toContain(three);
  await mugs.says(0, "undo", "--yes");
  expect(mugs.rows("funnels")).toMatchObject([{ steps: edited }]);
});
