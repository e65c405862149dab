import {
  Accounts,
  addDocuments,
  addResource,
  Clock,
  ConsoleAreas,
  Databases,
  definePlugin,
  Environment,
  Grants,
  LiveEvents,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  type Resolver,
  RouteTables,
  SettingDefinitions,
  Settings,
  SharedWindows,
  serviceKey,
} from "@parley/core";
import { createMemoryWindow } from "@parley/core/limits";
import { recordParts } from "@parley/core/storage";
import { OWN_AREAS } from "./areas.ts";
import { type Credentials, createCredentials } from "./credentials/credentials.ts";
import { makeOAuth, type OAuth } from "./oauth/factory.ts";
import { createGrantRecords, oauthGrants } from "./oauth/grants/grant-records.ts";
import { createOauthRoutes } from "./oauth/routes.ts";
import { OAUTH_ENABLED } from "./oauth/setting.ts";
import { OAUTH_MIGRATIONS } from "./oauth/tables.ts";
import { type AccountRecords, createAccountRecords } from "./people/account-records.ts";
import { accountResource } from "./people/account-schema.ts";
import { ensureAdministrator } from "./people/administrator.ts";
import { ACCOUNTS, API_KEYS, ENDED_LOGINS, LOGIN_TOKENS } from "./records.ts";
import { createAccountRoutes, createOwnAccountRoutes, createSignInRoutes, createTokenRoutes } from "./routes.ts";
import { apiKeys } from "./schema.ts";
import { createSignIn, type SignIn } from "./sign-in/sign-in.ts";
import { createVerifiedPasswords, type VerifiedPasswords } from "./sign-in/verified-passwords.ts";

const StoredCredentials = serviceKey<Credentials>("stored-credentials");
const AccountSignIn = serviceKey<SignIn>("account-sign-in");
const OwnOAuth = serviceKey<OAuth>("accounts.oauth");
const OwnAccounts = serviceKey<AccountRecords>("accounts.people");
const OwnVerifiedPasswords = serviceKey<VerifiedPasswords>("seen-passwords");

/** Manages access to the service: people with roles, login tokens, API keys, and OAuth grants of MCP clients. */
export default definePlugin({
  id: "accounts",
  requires: [RecordStore, Databases],
  register(context) {
    const { log, provide, contribute } = context;
    addDocuments(context, ACCOUNTS, LOGIN_TOKENS, API_KEYS, ENDED_LOGINS);
    addResource(context, apiKeys, (from) => from.get(StoredCredentials).keys);
    provide(StoredCredentials, (from) =>
      createCredentials({
        accounts: from.get(RecordStore).documents(ACCOUNTS),
        tokens: from.get(RecordStore).documents(LOGIN_TOKENS),
        keys: from.get(RecordStore).documents(API_KEYS),
        endedLogins: from.get(RecordStore).documents(ENDED_LOGINS),
        events: from.get(LiveEvents),
        clock: from.get(Clock),
      }),
    );
    provide(Accounts, (from) => from.get(StoredCredentials));
    addResource(context, accountResource, (from) => from.get(OwnAccounts));
    provide(OwnAccounts, (from) =>
      createAccountRecords({
        accounts: from.get(RecordStore).documents(ACCOUNTS),
        credentials: from.get(StoredCredentials),
        revokeGrantsOf: (username) => from.get(OwnOAuth).grants.removeByUser(username),
        removeBelongings: async (id) => {
          const { main } = from.get(Databases);
          await main.write(await recordParts(() => from.all(RecordLifecycle), "account").removed(id));
        },
        events: from.get(LiveEvents),
        clock: from.get(Clock),
      }),
    );
    provide(OwnVerifiedPasswords, createVerifiedPasswords);
    provide(AccountSignIn, (from) =>
      createSignIn({
        accounts: from.get(RecordStore).documents(ACCOUNTS),
        credentials: from.get(StoredCredentials),
        revokeGrantsOf: (username) => from.get(OwnOAuth).grants.removeByUser(username),
        environment: from.get(Environment),
        verifiedPasswords: from.get(OwnVerifiedPasswords),
        windows: getSharedWindows(from),
        log,
      }),
    );
    provide(OwnOAuth, (from) => makeOAuth(from, { signIn: () => from.get(AccountSignIn), log }));
    provide(Grants, (from) => from.get(OwnOAuth).server);
    addResource(context, oauthGrants, (from) => createGrantRecords(from.get(OwnOAuth).grants, from.get(Clock)));
    contribute(
      RecordLifecycle,
      (): RecordPart => ({
        id: "accounts.of-person",
        of: "person",
        tables: [
          { table: "oauth_clients", isKept: true },
          { table: "oauth_codes", isKept: true },
          { table: "oauth_grants", isKept: true },
        ],
      }),
    );
    contribute(SettingDefinitions, () => OAUTH_ENABLED);
    for (const area of OWN_AREAS) contribute(ConsoleAreas, () => area);
    contribute(RouteTables, (from) => createSignInRoutes(from.get(AccountSignIn)));
    contribute(RouteTables, (from) => createTokenRoutes(from.get(StoredCredentials)));
    contribute(RouteTables, (from) =>
      createOwnAccountRoutes(() => from.get(AccountSignIn), from.get(StoredCredentials)),
    );
    contribute(RouteTables, (from) => createAccountRoutes(from.get(OwnAccounts)));
    contribute(RouteTables, (from) => createOauthRoutes({ ...from.get(OwnOAuth), windows: getSharedWindows(from) }));
  },
  async start({ get, find, defer, log }) {
    await get(Databases).main.migrate("accounts", OAUTH_MIGRATIONS);
    await get(StoredCredentials).load();
    const { grants, clients, server: authServer } = get(OwnOAuth);
    await clients.sweep();
    const switched = (isOn: boolean) => {
      if (isOn) return;
      authServer.suspend().catch((error: unknown) => log.error("sessions of clients could not be ended", { error }));
    };
    defer(find(Settings)?.watch(OAUTH_ENABLED, switched) ?? (() => {}));
    await ensureAdministrator({
      accounts: get(RecordStore).documents(ACCOUNTS),
      credentials: get(StoredCredentials),
      revokeGrantsOf: grants.removeByUser,
      environment: get(Environment),
      verifiedPasswords: get(OwnVerifiedPasswords),
      clock: get(Clock),
      log,
      print: (line) => void process.stdout.write(`${line}\n`),
    });
  },
});

/** Returns shared windows; without a storage that shares them each process counts separately. */
function getSharedWindows(from: Resolver): SharedWindows {
  const clock = from.get(Clock);
  return (
    from.find(SharedWindows) ?? { open: (_name, windowMs) => createMemoryWindow(windowMs, () => clock.monotonic()) }
  );
}
