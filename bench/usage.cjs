/** Loaded into every process of a measured command: at its end it adds what it used. Plain JavaScript, so that it costs nothing. */
const { appendFileSync } = require("node:fs");
const process = require("node:process");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const used = { script: process.argv[1] ?? "", cpuMs: (userCPUTime + systemCPUTime) / 1000, megabytes: maxRSS / 1024 };
  appendFileSync(process.env.LANDFORM_BENCH_USAGE, `${JSON.stringify(used)}\n`);
});
