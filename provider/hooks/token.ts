/** The parameter of a receiver's URL that carries the token of the subscription (`token: true` of a hook). */
import { createHash, timingSafeEqual } from "node:crypto";

export const TOKEN_PARAMETER = "landform_token";

/** Takes as long for a wrong token as for the right one. */
export function hasToken(url: string, accepted: readonly string[]): boolean {
  const given = digest(URL.parse(url)?.searchParams.get(TOKEN_PARAMETER) ?? "");
  return accepted.map((token) => timingSafeEqual(digest(token), given)).includes(true);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
