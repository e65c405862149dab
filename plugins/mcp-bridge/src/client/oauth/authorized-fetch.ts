import { mcpBridgeTexts } from "../../texts.ts";
import { createSignInRequiredError } from "../connection/errors.ts";
import type { Entry } from "../servers/entry.ts";
import type { SignIns } from "./sign-ins.ts";

type Access = Pick<SignIns, "findToken" | "refreshToken" | "requireSignIn">;
type Call = (address: string | URL, init?: RequestInit) => Promise<Response>;

/** Creates a `fetch` that sends the server's token, renews it once when rejected, and asks for a sign-in when that fails. */
export function createAuthorizedFetch(entry: Entry, signIns: Access, call: Call): Call {
  return async (address, init) => {
    const token = await signIns.findToken(entry);
    const answer = await call(address, withToken(init, token));
    const scope = getRequiredScope(answer);
    if (token !== undefined && scope !== undefined) {
      signIns.requireSignIn(entry, scope);
      await answer.body?.cancel();
      throw mcpBridgeTexts.error("permission_denied", "more_scope", { scope: scope && `: ${scope}` });
    }
    if (answer.status !== 401 || !(token !== undefined || isBearerChallenge(answer))) return answer;
    await answer.body?.cancel();
    const fresh = token === undefined ? undefined : await signIns.refreshToken(entry, token);
    const again = fresh === undefined ? undefined : await call(address, withToken(init, fresh));
    if (again && again.status !== 401) return again;
    await again?.body?.cancel();
    throw createSignInRequiredError(signIns.requireSignIn(entry) === "again" ? "sign_in_again" : "sign_in_first");
  };
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}

function isBearerChallenge({ headers }: Response): boolean {
  return /(^|,)\s*bearer\b/i.test(headers.get("www-authenticate") ?? "");
}

/** Returns the scope that the token lacks, empty when the answer does not name it; undefined when it lacks none. */
function getRequiredScope({ status, headers }: Response): string | undefined {
  const challenge = headers.get("www-authenticate") ?? "";
  if (status !== 403 || !/error="?insufficient_scope/.test(challenge)) return undefined;
  return /\bscope="([^"]*)"/.exec(challenge)?.[1] ?? "";
}
