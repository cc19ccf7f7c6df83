/** Loaded into every process of a measured command: at its end it adds what it used. Plain JavaScript, so that it costs nothing. */
const { appendFileSync, readFileSync } = require("node:fs");
const process = require("node:process");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const used = { pid: process.pid, cpuMs: (userCPUTime + systemCPUTime) / 1000, megabytes: (peak() ?? maxRSS) / 1024 };
  appendFileSync(process.env.LANDFORM_BENCH_USAGE, `${JSON.stringify(used)}\n`);
});

/** Linux counts into maxRSS what the process that started this one held: here the benchmark, with the whole account in it. */
function peak() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  } catch {
    return undefined;
  }
}
