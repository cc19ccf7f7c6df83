import { defineConfig } from "vitest/config";

const report = process.env["LANDFORM_TEST_REPORT"];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: "forks",
    reporters: report ? ["default", "json"] : ["default"],
    ...(report && { outputFile: { json: report } }),
  },
});
