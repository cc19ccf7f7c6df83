import { defineConfig } from "vitest/config";

const report = process.env["LANDFORM_TEST_REPORT"];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // `npm run test:differential:full` has these, and repeats on Pulumi's engine what `npm test` shows on the embedded one.
    exclude: process.env["LANDFORM_DIFFERENTIAL"] === "full" ? [] : ["test/**/*.long.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: "forks",
    // Real processes on a shared machine: one more try before a run is called red.
    retry: process.env["CI"] ? 1 : 0,
    reporters: report ? ["default", "json"] : ["default"],
    ...(report && { outputFile: { json: report } }),
  },
});
