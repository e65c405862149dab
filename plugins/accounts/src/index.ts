import {
  Accounts,
  addResource,
  Clock,
  Collections,
  ConsoleAreas,
  definePlugin,
  Environment,
  LiveEvents,
  RouteTables,
  serviceKey,
} from "@parley/core";
import { prepareAdministrator } from "./administrator.ts";
import { OWN_AREAS } from "./areas.ts";
import { type Credentials, createCredentials } from "./credentials.ts";
import { signInRoutes, tokenRoutes } from "./routes.ts";
import { apiKeys } from "./schema.ts";
import { createSeenPasswords, type SeenPasswords } from "./seen-passwords.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";

const StoredCredentials = serviceKey<Credentials>("stored-credentials");
const AccountSignIn = serviceKey<SignIn>("account-sign-in");
const Seen = serviceKey<SeenPasswords>("seen-passwords");

/** Who may use the service: one login, login tokens and API keys. */
export default definePlugin({
  id: "accounts",
  requires: [Collections],
  register(context) {
    const { log, provide, contribute } = context;
    addResource(context, apiKeys, (from) => from.get(StoredCredentials).keys);
    provide(StoredCredentials, (from) =>
      createCredentials({
        accounts: from.get(Collections).open("accounts"),
        tokens: from.get(Collections).open("login-tokens"),
        keys: from.get(Collections).open("api-keys"),
        events: from.get(LiveEvents),
        clock: from.get(Clock),
      }),
    );
    provide(Accounts, (from) => from.get(StoredCredentials));
    provide(Seen, createSeenPasswords);
    provide(AccountSignIn, (from) =>
      createSignIn({
        accounts: from.get(Collections).open("accounts"),
        credentials: from.get(StoredCredentials),
        environment: from.get(Environment),
        seen: from.get(Seen),
        clock: from.get(Clock),
        log,
      }),
    );
    for (const area of OWN_AREAS) contribute(ConsoleAreas, () => area);
    contribute(RouteTables, (from) => signInRoutes(from.get(AccountSignIn)));
    contribute(RouteTables, (from) => tokenRoutes(from.get(StoredCredentials)));
  },
  async start({ get, log }) {
    await get(StoredCredentials).load();
    await prepareAdministrator({
      accounts: get(Collections).open("accounts"),
      credentials: get(StoredCredentials),
      environment: get(Environment),
      seen: get(Seen),
      clock: get(Clock),
      log,
      print: (line) => void process.stdout.write(`${line}\n`),
    });
  },
});
