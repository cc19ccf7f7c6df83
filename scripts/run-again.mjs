// Names the files to run once more by themselves: those that a run of the tests didn't come to, since their worker died before,
// and those that failed, where they are few. More than a few are no matter of chance, and an error outside of all files can't be repeated.
import { failedFiles, isOfTheRunner, reportsOf } from "./test-reports.mjs";

const FEW = 5;

const [report] = reportsOf(process.argv.slice(2, 3));
const failed = failedFiles(report);
const elsewhere = Object.keys(report.fates).some(
  (id) => id.startsWith("unhandled error") && !isOfTheRunner(report, id),
);
const files = [...report.notRun, ...failed];
if (files.length === 0 || failed.length > FEW || elsewhere) process.exit(1);
console.log(files.join("\n"));
