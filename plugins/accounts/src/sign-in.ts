import {
  AppError,
  type Caller,
  type Clock,
  type Collection,
  type Environment,
  type HttpReply,
  type Logger,
  newId,
  type RouteRequest,
  reply,
} from "@parley/core";
import type { Credentials } from "./credentials.ts";
import { createFailureLimit } from "./login-limit.ts";
import { hashPassword, isPassword, newPassword } from "./passwords.ts";
import type { Account } from "./records.ts";
import type { LoginBody } from "./schema.ts";

const EXPIRES_DAYS = 30;
const DAY_S = 86_400;
const MIN_PASSWORD = 8;

export interface SignInParts {
  readonly accounts: Collection<Account>;
  readonly credentials: Credentials;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  /** Writes a line to the terminal and nowhere else. */
  readonly print: (line: string) => void;
}

export interface SignIn {
  /** Makes the first account, or takes over a password that was changed in the environment. */
  prepare(): Promise<void>;
  login(request: RouteRequest<string, LoginBody>): Promise<HttpReply>;
  verify(token: string | undefined, request: RouteRequest): Promise<object>;
  logout(caller: Caller, request: RouteRequest): Promise<HttpReply>;
}

export function createSignIn(parts: SignInParts): SignIn {
  const { accounts, credentials, environment, clock, log, print } = parts;
  const logins = createFailureLimit(clock, 5);
  const checks = createFailureLimit(clock, 30);
  const accountOf = async (username: string) =>
    (await accounts.list()).find((one) => one.username.toLowerCase() === username.toLowerCase());
  const isSecure = ({ origin }: RouteRequest) =>
    origin.startsWith("https:") || environment.get("SVC_SECURE_COOKIES") === "1";

  return {
    async prepare() {
      const username = environment.get("SVC_ADMIN_USER") || "admin";
      const given = environment.get("SVC_ADMIN_PASSWORD") || environment.get("WEB_PASSWORD");
      if (given !== undefined && given.length < MIN_PASSWORD) {
        throw new AppError("bad_request", `SVC_ADMIN_PASSWORD: at least ${MIN_PASSWORD} characters`);
      }
      const account = await accountOf(username);
      if (account && (!given || (await isPassword(given, account.password_hash)))) return;
      const password = given ?? newPassword();
      const created_at = new Date(clock.now()).toISOString();
      const first = { id: newId("user", clock.now()), username, created_at };
      await accounts.put({ ...(account ?? first), password_hash: await hashPassword(password) });
      if (account) {
        await credentials.revokeTokensOf(account.username);
        log.info("the password was changed by the environment; all login tokens are revoked", { username });
      } else if (!given) print(`sign in as '${username}' with the password ${password} (shown this once)`);
    },
    async login(request) {
      const { username, password } = request.body;
      refuseForeign(request);
      const names = [`address ${request.address}`, `user ${username.toLowerCase()}`] as const;
      logins.check(...names);
      // Counted before the slow look at the password: many attempts at once get no more tries than one after another.
      logins.failed(...names);
      if ((await accounts.list()).length === 0) throw new AppError("unavailable", "there is no account yet");
      const account = await accountOf(username);
      if (!(await isPassword(password, account?.password_hash)) || !account) {
        log.warn("a login failed", { username, address: request.address });
        throw new AppError("unauthorized", "user name or password is wrong");
      }
      logins.succeeded(...names);
      const holder = { username: account.username, accountId: account.id };
      const token = await credentials.issue({ expires_days: EXPIRES_DAYS }, holder, request.address);
      log.info("a login succeeded", { username: account.username, address: request.address });
      return reply({
        data: {
          token: token.token,
          token_type: "Bearer",
          username: account.username,
          created_at: token.created_at,
          expires_at: token.expires_at,
          expires_days: EXPIRES_DAYS,
        },
        headers: { "set-cookie": cookie(token.token, EXPIRES_DAYS * DAY_S, isSecure(request)) },
      });
    },
    async verify(token, { caller, address }) {
      checks.check(address);
      const asked = token === undefined ? caller : await credentials.authenticate(token, address);
      if (token === undefined && caller.kind === "anonymous") throw new AppError("bad_request", "token: is missing");
      if (!asked || asked.kind === "anonymous") {
        checks.failed(address);
        throw new AppError("unauthorized", "the credential is not valid");
      }
      const { kind, username, scopes, expiresAt = null } = asked;
      return { valid: true, kind, username, scopes, expires_at: expiresAt };
    },
    async logout(caller, request) {
      const revoked = caller.kind === "login";
      if (revoked) await credentials.revokeToken(caller.credentialId);
      return reply({ data: { revoked }, headers: { "set-cookie": cookie("", 0, isSecure(request)) } });
    },
  };
}

// A page elsewhere must not sign its visitors in under an account of its choice.
function refuseForeign({ headers, origin }: RouteRequest): void {
  const isForeign =
    headers["sec-fetch-site"] === "cross-site" || (headers.origin !== undefined && headers.origin !== origin);
  if (isForeign) throw new AppError("permission_denied", "origin: the request comes from another site");
}

export function cookie(value: string, maxAgeS: number, isSecure: boolean): string {
  return `svc_auth_token=${value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAgeS}${isSecure ? "; Secure" : ""}`;
}
