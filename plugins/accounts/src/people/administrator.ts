import { AppError, aloneWith, type Clock, type Collection, type Environment, type Logger, newId } from "@parley/core";
import { hashPassword, isPassword } from "@parley/core/secrets";
import type { Credentials } from "../credentials/credentials.ts";
import type { Account } from "../records.ts";
import type { VerifiedPasswords } from "../sign-in/verified-passwords.ts";
import { MIN_PASSWORD, USERNAME_PATTERN } from "./account-schema.ts";
import { createRandomPassword } from "./random-password.ts";

const DEFAULT_USERNAME = "admin";

export interface AdministratorDeps {
  readonly accounts: Collection<Account>;
  readonly credentials: Pick<Credentials, "endName" | "revokeTokensOf">;
  /** Ends the access of clients that the named person granted. */
  readonly revokeGrantsOf: (username: string) => Promise<void>;
  readonly environment: Environment;
  readonly verifiedPasswords: VerifiedPasswords;
  readonly clock: Clock;
  readonly log: Logger;
  /** Writes a line to the terminal only. */
  readonly print: (line: string) => void;
}

/**
 * Creates the first account at the first start, and applies a changed name or password of the environment to it.
 * Accounts that were created in the console are not affected.
 */
export async function ensureAdministrator(deps: AdministratorDeps): Promise<void> {
  const { accounts, environment, verifiedPasswords } = deps;
  const name = environment.get("SVC_ADMIN_USER") || undefined;
  const given = environment.get("SVC_ADMIN_PASSWORD") || environment.get("WEB_PASSWORD") || undefined;
  if (name !== undefined && !USERNAME_PATTERN.test(name)) {
    throw new AppError("bad_request", "SVC_ADMIN_USER: 1 to 64 letters, digits and . _ @ -");
  }
  if (given !== undefined && given.length < MIN_PASSWORD) {
    throw new AppError("bad_request", `SVC_ADMIN_PASSWORD: at least ${MIN_PASSWORD} characters`);
  }
  const all = (await accounts.list()).toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const [newest, ...older] = all.filter(({ made_by }) => made_by === undefined);
  const others = all.filter(({ made_by }) => made_by !== undefined).map(({ username }) => username.toLowerCase());
  if (name !== undefined && others.includes(name.toLowerCase())) {
    throw new AppError("bad_request", `SVC_ADMIN_USER: '${name}' is the account of somebody else: remove it first`);
  }
  if (!newest) return createFirstAccount(name ?? DEFAULT_USERNAME, given, deps);
  const account = await applyPassword(await applyUsername(newest, older, name, deps), given, deps);
  if (given !== undefined && (await isPassword(given, account.password_hash))) verifiedPasswords.add(account, given);
}

/** Creates the first account, unless another node that starts at the same time has created it. */
async function createFirstAccount(
  username: string,
  given: string | undefined,
  { accounts, verifiedPasswords, clock, print }: AdministratorDeps,
): Promise<void> {
  const password = given ?? createRandomPassword();
  const account = {
    id: newId("user", clock.now()),
    username,
    password_hash: await hashPassword(password),
    created_at: new Date(clock.now()).toISOString(),
  };
  const isFirst = await aloneWith(accounts, async (all) => {
    if (all.some(({ made_by }) => made_by === undefined)) return false;
    await accounts.put(account);
    return true;
  });
  if (!isFirst) return;
  verifiedPasswords.add(account, password);
  if (!given) print(`sign in as '${username}' with the password ${password} (shown this once)`);
}

/** Applies the current name of the environment. Other accounts of the service itself end, with their logins. */
async function applyUsername(
  newest: Account,
  older: readonly Account[],
  name: string | undefined,
  { accounts, credentials, revokeGrantsOf, log }: AdministratorDeps,
): Promise<Account> {
  const isNamed = ({ username }: Account) => username.toLowerCase() === name?.toLowerCase();
  const chosen = [newest, ...older].find(isNamed) ?? newest;
  const account = name === undefined || isNamed(chosen) ? chosen : { ...chosen, username: name };
  for (const { id, username } of [newest, ...older]) {
    if (username === account.username) continue;
    await credentials.endName(username, account.username);
    await revokeGrantsOf(username);
    if (id !== account.id) await accounts.remove(id);
    log.warn("an earlier name of the administrator cannot sign in any more", {
      username,
      administrator: account.username,
    });
  }
  if (account !== chosen) await accounts.put(account);
  return account;
}

/** Applies the environment's password unless it is the same as before, so that a password changed in the console stays. */
async function applyPassword(
  account: Account,
  given: string | undefined,
  { accounts, credentials, revokeGrantsOf, log }: AdministratorDeps,
): Promise<Account> {
  const { username, password_hash, environment_hash = password_hash } = account;
  if (given === undefined || (await isPassword(given, environment_hash))) return account;
  const hash = await hashPassword(given);
  const changed = { ...account, password_hash: hash, environment_hash: hash };
  await accounts.put(changed);
  await credentials.revokeTokensOf(username, "password");
  await revokeGrantsOf(username);
  log.info("the password was changed by the environment; all login tokens are revoked", { username });
  return changed;
}
