// Names the files that a run of the tests didn't come to, since their worker died before; fails where anything else failed.
import { isOfTheRunner, reportsOf } from "./test-reports.mjs";

const [report] = reportsOf(process.argv.slice(2, 3));
const failed = Object.keys(report.fates).filter((id) => report.fates[id] === "failed");
const files = report.notRun;
if (files.length === 0 || !failed.every((id) => isOfTheRunner(report, id))) process.exit(1);
console.log(files.join("\n"));
