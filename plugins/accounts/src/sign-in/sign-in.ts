import { setTimeout } from "node:timers/promises";
import {
  type Caller,
  type Collection,
  type Environment,
  type HttpReply,
  isPerson,
  type Logger,
  type RouteRequest,
  reply,
  type SharedWindows,
  toSharedError,
} from "@parley/core";
import { hashPassword, isPassword } from "@parley/core/secrets";
import type { Credentials } from "../credentials/credentials.ts";
import { toEnvironmentHash } from "../people/account-records.ts";
import type { PasswordChange } from "../people/account-schema.ts";
import type { Account } from "../records.ts";
import type { LoginBody, Verification } from "../schema.ts";
import { accountsTexts } from "../texts.ts";
import { createCheckLimit, createLoginLimit } from "./login-limit.ts";
import { createPasswordHashQueue } from "./password-hash-queue.ts";
import type { VerifiedPasswords } from "./verified-passwords.ts";

const EXPIRES_DAYS = 30;
const DAY_S = 86_400;

export interface SignInDeps {
  readonly accounts: Collection<Account>;
  readonly credentials: Credentials;
  /** Ends the access of clients that the named person granted. */
  readonly revokeGrantsOf: (username: string) => Promise<void>;
  readonly environment: Environment;
  readonly verifiedPasswords: VerifiedPasswords;
  readonly windows: SharedWindows;
  readonly log: Logger;
}

export interface SignIn {
  login(request: RouteRequest<string, LoginBody>): Promise<HttpReply>;
  verify(asked: Verification, request: RouteRequest): Promise<object>;
  logout(caller: Caller, request: RouteRequest): Promise<HttpReply>;
  /** Changes the caller's own password after checking the old one; returns the count of other logins ended. */
  changePassword(request: RouteRequest<string, PasswordChange>): Promise<{ readonly ended: number }>;
}

/** Response of `verify` without a login. */
const ANONYMOUS = { kind: "anonymous", username: "", scopes: [], expires_at: null } as const;

export function createSignIn(deps: SignInDeps): SignIn {
  const { accounts, credentials, revokeGrantsOf, environment, verifiedPasswords, windows, log } = deps;
  const logins = createLoginLimit(windows);
  const checks = createCheckLimit(windows, "checks");
  const hashQueue = createPasswordHashQueue();
  const isSecure = ({ origin }: RouteRequest) =>
    origin.startsWith("https:") || environment.get("SVC_SECURE_COOKIES") === "1";

  const findByUsername = async (name: string): Promise<Account | undefined> => {
    const all = await accounts.list();
    if (all.length === 0) throw accountsTexts.error("unavailable", "no_account");
    return all.find(({ username }) => username.toLowerCase() === name.toLowerCase());
  };
  /** Finds the account of a name and password. It takes equally long for an unknown name. */
  const findVerified = async ({ username, password }: LoginBody, signal: AbortSignal): Promise<Account | undefined> => {
    const account = await findByUsername(username);
    if (account && verifiedPasswords.has(account, password)) return account;
    const isCorrect = await hashQueue.run(signal, () => isPassword(password, account?.password_hash));
    if (!isCorrect || !account) return undefined;
    verifiedPasswords.add(account, password);
    return account;
  };

  /** Checks a login and counts the attempt; too many attempts are delayed. */
  const tryLogin = async (shown: LoginBody, { address, signal }: RouteRequest) => {
    const delayMs = await logins.count(shown.username, address);
    if (delayMs > 0) await setTimeout(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    const account = await findVerified(shown, signal);
    if (account) await logins.reset(shown.username, address);
    return account;
  };

  return {
    async login(request) {
      const { body, address, headers } = request;
      rejectCrossSite(request);
      const account = await tryLogin(body, request);
      if (!account) {
        // An unknown name may be a password typed into the wrong field.
        const username = (await findByUsername(body.username))?.username ?? null;
        log.warn("a login failed", { username, address });
        throw toSharedError("unauthorized", "wrong_login", {});
      }
      const token = await credentials.issue(
        { expires_days: EXPIRES_DAYS },
        account,
        address,
        headers["user-agent"] ?? "",
      );
      log.info("a login succeeded", { username: account.username, address });
      return reply({
        data: {
          token: token.token,
          token_type: "Bearer",
          username: account.username,
          created_at: token.created_at,
          expires_at: token.expires_at,
          expires_days: EXPIRES_DAYS,
        },
        headers: { "set-cookie": createCookie(token.token, EXPIRES_DAYS * DAY_S, isSecure(request)) },
      });
    },
    async verify({ token, optional }, { caller, address }) {
      if (optional && token === undefined && caller.kind === "anonymous") return { valid: false, ...ANONYMOUS };
      const asked = token === undefined ? caller : await credentials.authenticate(token, address);
      if (token === undefined && caller.kind === "anonymous")
        throw accountsTexts.error("bad_request", "no_token", {}, { field: "token" });
      if (!asked || asked.kind === "anonymous") {
        await checks.recordFailure(address);
        throw accountsTexts.error("unauthorized", "not_valid");
      }
      const { kind, username, scopes, expiresAt = null } = asked;
      return { valid: true, kind, username, scopes, expires_at: expiresAt };
    },
    async logout(caller, request) {
      const revoked = caller.kind === "login";
      if (revoked) await credentials.revokeToken(caller.credentialId);
      return reply({ data: { revoked }, headers: { "set-cookie": createCookie("", 0, isSecure(request)) } });
    },
    async changePassword(request) {
      const { body, caller, signal } = request;
      const { username, credentialId } = caller;
      if (!isPerson(caller)) throw accountsTexts.error("permission_denied", "person_for_password");
      const account = await tryLogin({ username, password: body.old_password }, request);
      if (!account) throw toSharedError("bad_request", "wrong_password", {});
      const password_hash = await hashQueue.run(signal, () => hashPassword(body.new_password));
      const changed = await accounts.update(account.id, (stored) => ({
        ...stored,
        ...{ password_hash, ...toEnvironmentHash(stored) },
      }));
      verifiedPasswords.add(changed, body.new_password);
      log.info("a password was changed", { username });
      if (!body.end_others) return { ended: 0 };
      await revokeGrantsOf(username);
      return { ended: await credentials.revokeTokensOf(username, "password", credentialId) };
    },
  };
}

// A page of another site must not sign its visitors in under an account of its choice.
function rejectCrossSite({ headers, origin }: RouteRequest): void {
  const isForeign =
    headers["sec-fetch-site"] === "cross-site" || (headers.origin !== undefined && headers.origin !== origin);
  if (isForeign) throw toSharedError("permission_denied", "other_site", {});
}

export function createCookie(value: string, maxAgeS: number, isSecure: boolean): string {
  return `svc_auth_token=${value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAgeS}${isSecure ? "; Secure" : ""}`;
}
