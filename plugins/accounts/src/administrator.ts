import {
  AppError,
  type Clock,
  type Collection,
  type Environment,
  hashPassword,
  isPassword,
  type Logger,
  newId,
} from "@parley/core";
import type { Credentials } from "./credentials.ts";
import { newPassword } from "./new-password.ts";
import type { Account } from "./records.ts";
import type { SeenPasswords } from "./seen-passwords.ts";

const FIRST_NAME = "admin";
const MIN_PASSWORD = 8;

export interface AdministratorParts {
  readonly accounts: Collection<Account>;
  readonly credentials: Pick<Credentials, "endName" | "revokeTokensOf">;
  /** Ends the access of clients that somebody of this name let in. */
  readonly endGrantsOf: (username: string) => Promise<void>;
  readonly environment: Environment;
  readonly seen: SeenPasswords;
  readonly clock: Clock;
  readonly log: Logger;
  /** Writes a line to the terminal and nowhere else. */
  readonly print: (line: string) => void;
}

/** Makes the one account at the first start; takes over a name or a password that was changed in the environment. */
export async function prepareAdministrator(parts: AdministratorParts): Promise<void> {
  const { accounts, environment, seen } = parts;
  const name = environment.get("SVC_ADMIN_USER") || undefined;
  const given = environment.get("SVC_ADMIN_PASSWORD") || environment.get("WEB_PASSWORD") || undefined;
  if (name !== undefined && !/^[A-Za-z0-9._@-]{1,64}$/.test(name)) {
    throw new AppError("bad_request", "SVC_ADMIN_USER: 1 to 64 letters, digits and . _ @ -");
  }
  if (given !== undefined && given.length < MIN_PASSWORD) {
    throw new AppError("bad_request", `SVC_ADMIN_PASSWORD: at least ${MIN_PASSWORD} characters`);
  }
  const [newest, ...older] = (await accounts.list()).toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const account = newest
    ? await withPassword(await named(newest, older, name, parts), given, parts)
    : await firstAccount(name ?? FIRST_NAME, given, parts);
  if (given !== undefined) seen.add(account, given);
}

async function firstAccount(
  username: string,
  given: string | undefined,
  { accounts, seen, clock, print }: AdministratorParts,
): Promise<Account> {
  const password = given ?? newPassword();
  const account = {
    id: newId("user", clock.now()),
    username,
    password_hash: await hashPassword(password),
    created_at: new Date(clock.now()).toISOString(),
  };
  await accounts.put(account);
  seen.add(account, password);
  if (!given) print(`sign in as '${username}' with the password ${password} (shown this once)`);
  return account;
}

/** The account under its name of today. There is one: those of other names end, and with them their logins. */
async function named(
  newest: Account,
  older: readonly Account[],
  name: string | undefined,
  { accounts, credentials, endGrantsOf, log }: AdministratorParts,
): Promise<Account> {
  const isNamed = ({ username }: Account) => username.toLowerCase() === name?.toLowerCase();
  const kept = [newest, ...older].find(isNamed) ?? newest;
  const account = name === undefined || isNamed(kept) ? kept : { ...kept, username: name };
  for (const { id, username } of [newest, ...older]) {
    if (username === account.username) continue;
    await credentials.endName(username, account.username);
    await endGrantsOf(username);
    if (id !== account.id) await accounts.remove(id);
    log.warn(`the administrator is called '${account.username}': '${username}' cannot sign in any more`);
  }
  if (account !== kept) await accounts.put(account);
  return account;
}

async function withPassword(
  account: Account,
  given: string | undefined,
  { accounts, credentials, endGrantsOf, log }: AdministratorParts,
): Promise<Account> {
  if (given === undefined || (await isPassword(given, account.password_hash))) return account;
  const changed = { ...account, password_hash: await hashPassword(given) };
  await accounts.put(changed);
  await credentials.revokeTokensOf(account.username);
  await endGrantsOf(account.username);
  log.info("the password was changed by the environment; all login tokens are revoked", { username: account.username });
  return changed;
}
