import {
  aloneWith,
  type Caller,
  type Clock,
  type Collection,
  checkRevision,
  isPerson,
  type LiveEvents,
  newId,
  notFound,
  type ResourceRecords,
  resourceChanged,
  toRecordPage,
} from "@parley/core";
import { hashPassword } from "@parley/core/secrets";
import type { Credentials } from "../credentials/credentials.ts";
import type { LoginEndReason } from "../credentials/ended-logins.ts";
import type { Account } from "../records.ts";
import { accountsTexts } from "../texts.ts";
import { type AccountDraft, accountResource } from "./account-schema.ts";
import { createRandomPassword } from "./random-password.ts";

const MAX_ACCOUNTS = 100;

export interface AccountRecordsDeps {
  readonly accounts: Collection<Account>;
  readonly credentials: Pick<Credentials, "endAccount" | "lastUsedOf" | "notifyNarrowed" | "revokeTokensOf">;
  /** Ends the access of clients that the named person granted. */
  readonly revokeGrantsOf: (username: string) => Promise<void>;
  /** Removes data that other plugins store for an account. */
  readonly removeBelongings: (id: string) => Promise<void>;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export interface AccountRecords extends ResourceRecords<AccountDraft> {
  /** Sets a new password, which is returned only this once. Logins with the old password end. */
  resetPassword(id: string, caller: Caller): Promise<{ readonly password: string }>;
}

/** Creates the record access of accounts. The first account cannot be deleted and stays an administrator. */
export function createAccountRecords(deps: AccountRecordsDeps): AccountRecords {
  const { accounts, credentials, revokeGrantsOf, removeBelongings, events, clock } = deps;
  const now = () => new Date(clock.now()).toISOString();
  const toView = ({ id, username, role = "admin", made_by, created_at, ...stored }: Account) => ({
    ...{ id, name: username, role, made_by: made_by ?? null, created_at },
    last_seen_at: credentials.lastUsedOf(username),
    updated_at: stored.updated_at ?? created_at,
    revision: stored.revision ?? 1,
  });
  const getAccount = async (id: string) => {
    const account = (await accounts.list()).find((one) => one.id === id);
    if (!account) throw notFound("account", id);
    return account;
  };
  const signOut = async (username: string, why: LoginEndReason) => {
    await credentials.revokeTokensOf(username, why);
    await revokeGrantsOf(username);
  };
  // Programs must not create accounts, because these would outlive the program's key.
  const checkPerson = (caller: Caller) => {
    if (!isPerson(caller)) throw accountsTexts.error("permission_denied", "person_for_accounts");
  };
  const applyChange = (account: Account, change: Partial<Account>): Account => ({
    ...account,
    ...change,
    updated_at: now(),
    revision: (account.revision ?? 1) + 1,
  });

  // Runs one change at a time, so that names stay unique and the last administrator is not removed.
  const runExclusively = <Result>(run: () => Promise<Result>): Promise<Result> => aloneWith(accounts, run);

  return {
    page: async (query) => toRecordPage(accountResource, (await accounts.list()).map(toView), query),
    get: async (id) => toView(await getAccount(id)),
    create: ({ name, role }, { caller }) =>
      runExclusively(async () => {
        checkPerson(caller);
        const all = await accounts.list();
        if (all.length >= MAX_ACCOUNTS) throw accountsTexts.error("conflict", "people_full", { most: MAX_ACCOUNTS });
        if (all.some(({ username }) => username.toLowerCase() === name.toLowerCase()))
          throw accountsTexts.error("conflict", "taken", { name }, { field: "name" });
        const password = createRandomPassword();
        const account: Account = {
          ...{ id: newId(accountResource.idPrefix, clock.now()), username: name, role },
          ...{ password_hash: await hashPassword(password), made_by: caller.username, created_at: now() },
        };
        await accounts.put(account);
        events.publish(resourceChanged(accountResource, account.id, "created", 1));
        return { ...toView(account), password };
      }),
    change: (id, { role }, { caller, ifMatch }) =>
      runExclusively(async () => {
        checkPerson(caller);
        const account = await getAccount(id);
        checkRevision(toView(account), ifMatch);
        if (role === undefined || role === toView(account).role) return toView(account);
        rejectServiceAccount(account);
        const changed = await accounts.update(id, (stored) => applyChange(stored, { role }));
        await signOut(account.username, "role");
        credentials.notifyNarrowed(account.username);
        events.publish(resourceChanged(accountResource, id, "updated", changed.revision));
        return toView(changed);
      }),
    remove: (id, { caller, ifMatch }) =>
      runExclusively(async () => {
        checkPerson(caller);
        const account = await getAccount(id);
        checkRevision(toView(account), ifMatch);
        rejectServiceAccount(account);
        if (id === caller.accountId) throw accountsTexts.error("conflict", "own_account");
        await credentials.endAccount(account.username, caller.username);
        await removeBelongings(id);
        await accounts.remove(id);
        // Logins that were created meanwhile end too, because another account may get the name.
        await signOut(account.username, "account");
        events.publish(resourceChanged(accountResource, id, "deleted"));
      }),
    resetPassword: (id, caller) =>
      runExclusively(async () => {
        checkPerson(caller);
        const { username } = await getAccount(id);
        const password = createRandomPassword();
        const password_hash = await hashPassword(password);
        await accounts.update(id, (stored) => applyChange(stored, { password_hash, ...toEnvironmentHash(stored) }));
        await signOut(username, "password");
        events.publish(resourceChanged(accountResource, id, "updated"));
        return { password };
      }),
  };
}

/** Returns the hash to remember with a password change, so that the environment's earlier password does not replace it. */
export function toEnvironmentHash({ password_hash, environment_hash }: Account): Pick<Account, "environment_hash"> {
  return { environment_hash: environment_hash ?? password_hash };
}

function rejectServiceAccount({ made_by, username }: Account): void {
  if (made_by === undefined) throw accountsTexts.error("conflict", "service_account", { name: username });
}
