/** Tells a run in one line to the webhook of a chat. The address is a secret: nothing here prints it. A failure of this fails no run. */
import { isLoopback } from "../provider/api/config.ts";
import { UsageError } from "../stack/exit/codes.ts";
import type { Report } from "../stack/report/model.ts";
import { hasChanges, titleOfStory, verdictOf } from "../stack/report/verdict.ts";
import { printError } from "../story/print.ts";

const LONGEST_MS = 5_000;
const LONGEST_TEXT = 1_000;

/** Refuses a wrong address before anything runs. Undefined if there is none: a job passes on a secret that may not be set. */
export function webhookIn(said: string | undefined): string | undefined {
  const text = said?.trim() ?? "";
  if (text === "") return undefined;
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))) return url.href;
  throw new UsageError(
    "--notify takes the https address of a chat's webhook. Landform doesn't show the one that was given, since it is a secret",
  );
}

export async function notify(webhook: string | undefined, report: Report, runUrl: string | undefined): Promise<void> {
  if (webhook === undefined || !isNews(report)) return;
  const why = await post(webhook, textOf(report, runUrl));
  if (why !== undefined) printError(`note: the webhook of --notify could not be told: ${why}.`);
}

/** A chat that hears each quiet night is soon muted. */
function isNews(report: Report): boolean {
  return report.result !== "succeeded" || hasChanges(report) || (report.drift ?? []).length > 0;
}

/** A chat takes some signs for commands, such as a call to everybody. */
function textOf(report: Report, runUrl: string | undefined): string {
  const said = `${titleOfStory(report)}: ${verdictOf(report)}`.replaceAll(/[<>&\p{Cc}]+/gu, " ").slice(0, LONGEST_TEXT);
  return runUrl === undefined ? said : `${said} ${runUrl}`;
}

/** Returns the reason if it was not told. An error of `fetch` may name the address, so only its code counts. */
async function post(webhook: string, text: string): Promise<string | undefined> {
  try {
    const answer = await fetch(webhook, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "landform" },
      body: JSON.stringify({ text }),
      redirect: "manual",
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    await answer.body?.cancel();
    return answer.ok ? undefined : `it answered ${answer.status}`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { code } = (error.cause ?? {}) as { code?: string };
    return error.name === "TimeoutError" ? `it didn't answer within ${LONGEST_MS / 1_000} s` : (code ?? "no answer");
  }
}
