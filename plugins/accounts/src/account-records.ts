import {
  aloneWith,
  type Caller,
  type Clock,
  type Collection,
  checkRevision,
  hashPassword,
  isPerson,
  type LiveEvents,
  newId,
  notFound,
  pageOfHeld,
  type ResourceRecords,
  resourceChanged,
} from "@parley/core";
import { type AccountDraft, accountResource } from "./account-schema.ts";
import type { Credentials } from "./credentials.ts";
import type { LoginEnd } from "./ended-logins.ts";
import { newPassword } from "./new-password.ts";
import type { Account } from "./records.ts";
import { accountFailure } from "./said-failures.ts";

const MOST = 100;

export interface AccountRecordsParts {
  readonly accounts: Collection<Account>;
  readonly credentials: Pick<Credentials, "endAccount" | "lastUsedOf" | "narrowed" | "revokeTokensOf">;
  /** Ends the access of clients that somebody of this name let in. */
  readonly endGrantsOf: (username: string) => Promise<void>;
  /** Removes what others keep of an account. */
  readonly removeBelongings: (id: string) => Promise<void>;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export interface AccountRecords extends ResourceRecords<AccountDraft> {
  /** Another password, shown once; whoever signed in with the old one is signed out. */
  newPassword(id: string, caller: Caller): Promise<{ readonly password: string }>;
}

/** The accounts of a service; the one it began with stays, and stays an administrator. */
export function createAccountRecords(parts: AccountRecordsParts): AccountRecords {
  const { accounts, credentials, endGrantsOf, removeBelongings, events, clock } = parts;
  const now = () => new Date(clock.now()).toISOString();
  const shown = ({ id, username, role = "admin", made_by, created_at, ...kept }: Account) => ({
    ...{ id, name: username, role, made_by: made_by ?? null, created_at },
    last_seen_at: credentials.lastUsedOf(username),
    updated_at: kept.updated_at ?? created_at,
    revision: kept.revision ?? 1,
  });
  const found = async (id: string) => {
    const account = (await accounts.list()).find((one) => one.id === id);
    if (!account) throw notFound("account", id);
    return account;
  };
  const signOut = async (username: string, why: LoginEnd) => {
    await credentials.revokeTokensOf(username, why);
    await endGrantsOf(username);
  };
  // What a program makes must not outlive its key: people do.
  const checkPerson = (caller: Caller) => {
    if (!isPerson(caller)) throw accountFailure("permission_denied", "person_for_accounts");
  };
  const changedOf = (account: Account, change: Partial<Account>): Account => ({
    ...account,
    ...change,
    updated_at: now(),
    revision: (account.revision ?? 1) + 1,
  });

  // One after another: two of one name must not come about at once, nor the last administrator go.
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => aloneWith(accounts, run);

  return {
    page: async (query) => pageOfHeld(accountResource, (await accounts.list()).map(shown), query),
    get: async (id) => shown(await found(id)),
    create: ({ name, role }, { caller }) =>
      inTurn(async () => {
        checkPerson(caller);
        const all = await accounts.list();
        if (all.length >= MOST) throw accountFailure("conflict", "people_full", { most: MOST });
        if (all.some(({ username }) => username.toLowerCase() === name.toLowerCase()))
          throw accountFailure("conflict", "taken", { name }, { field: "name" });
        const password = newPassword();
        const account: Account = {
          ...{ id: newId(accountResource.idPrefix, clock.now()), username: name, role },
          ...{ password_hash: await hashPassword(password), made_by: caller.username, created_at: now() },
        };
        await accounts.put(account);
        events.publish(resourceChanged(accountResource, account.id, "created", 1));
        return { ...shown(account), password };
      }),
    change: (id, { role }, { caller, ifMatch }) =>
      inTurn(async () => {
        checkPerson(caller);
        const account = await found(id);
        checkRevision(shown(account), ifMatch);
        if (role === undefined || role === shown(account).role) return shown(account);
        refuseOwn(account);
        const changed = await accounts.update(id, (stored) => changedOf(stored, { role }));
        await signOut(account.username, "role");
        credentials.narrowed(account.username);
        events.publish(resourceChanged(accountResource, id, "updated", changed.revision));
        return shown(changed);
      }),
    remove: (id, { caller, ifMatch }) =>
      inTurn(async () => {
        checkPerson(caller);
        const account = await found(id);
        checkRevision(shown(account), ifMatch);
        refuseOwn(account);
        if (id === caller.accountId) throw accountFailure("conflict", "own_account");
        await credentials.endAccount(account.username, caller.username);
        await removeBelongings(id);
        await accounts.remove(id);
        // Of who signed in meanwhile, too: another account may get the name.
        await signOut(account.username, "account");
        events.publish(resourceChanged(accountResource, id, "deleted"));
      }),
    newPassword: (id, caller) =>
      inTurn(async () => {
        checkPerson(caller);
        const { username } = await found(id);
        const password = newPassword();
        const password_hash = await hashPassword(password);
        await accounts.update(id, (stored) => changedOf(stored, { password_hash, ...keptFrom(stored) }));
        await signOut(username, "password");
        events.publish(resourceChanged(accountResource, id, "updated"));
        return { password };
      }),
  };
}

/** With it a changed password lasts although the environment gives the one of before. */
export function keptFrom({ password_hash, environment_hash }: Account): Pick<Account, "environment_hash"> {
  return { environment_hash: environment_hash ?? password_hash };
}

function refuseOwn({ made_by, username }: Account): void {
  if (made_by === undefined) throw accountFailure("conflict", "service_account", { name: username });
}
