import { mcpFailure } from "../../said-failures.ts";
import type { Entry } from "../entry.ts";
import { signInNeeded } from "../failures.ts";
import type { SignIns } from "./sign-ins.ts";

type Access = Pick<SignIns, "tokenOf" | "renewed" | "ask">;
type Call = (address: string | URL, init?: RequestInit) => Promise<Response>;

/** Sends a server's token along; renews it once where it is refused, and asks for a person where that does not help. */
export function signedFetch(entry: Entry, signIns: Access, call: Call): Call {
  return async (address, init) => {
    const token = await signIns.tokenOf(entry);
    const answer = await call(address, withToken(init, token));
    const scope = moreWanted(answer);
    if (token !== undefined && scope !== undefined) {
      signIns.ask(entry, scope);
      await answer.body?.cancel();
      throw mcpFailure("permission_denied", "more_scope", { scope: scope && `: ${scope}` });
    }
    if (answer.status !== 401 || !(token !== undefined || asksForToken(answer))) return answer;
    await answer.body?.cancel();
    const fresh = token === undefined ? undefined : await signIns.renewed(entry, token);
    const again = fresh === undefined ? undefined : await call(address, withToken(init, fresh));
    if (again && again.status !== 401) return again;
    await again?.body?.cancel();
    throw signInNeeded(signIns.ask(entry) === "again" ? "sign_in_again" : "sign_in_first");
  };
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}

function asksForToken({ headers }: Response): boolean {
  return /(^|,)\s*bearer\b/i.test(headers.get("www-authenticate") ?? "");
}

/** The scope that a call needs and the token has not. */
function moreWanted({ status, headers }: Response): string | undefined {
  const challenge = headers.get("www-authenticate") ?? "";
  if (status !== 403 || !/error="?insufficient_scope/.test(challenge)) return undefined;
  return /\bscope="([^"]*)"/.exec(challenge)?.[1] ?? "";
}
