import {
  Accounts,
  Clock,
  Collections,
  definePlugin,
  Environment,
  LiveEvents,
  RouteTables,
  serviceKey,
} from "@parley/core";
import { type Credentials, createCredentials } from "./credentials.ts";
import { credentialRoutes, signInRoutes } from "./routes.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";

const StoredCredentials = serviceKey<Credentials>("stored-credentials");
const AccountSignIn = serviceKey<SignIn>("account-sign-in");

/** Who may use the service: one login, login tokens and API keys. */
export default definePlugin({
  id: "accounts",
  requires: [Collections],
  register({ log, provide, contribute }) {
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
    provide(AccountSignIn, (from) =>
      createSignIn({
        accounts: from.get(Collections).open("accounts"),
        credentials: from.get(StoredCredentials),
        environment: from.get(Environment),
        clock: from.get(Clock),
        log,
        print: (line) => void process.stdout.write(`${line}\n`),
      }),
    );
    contribute(RouteTables, (from) => signInRoutes(from.get(AccountSignIn)));
    contribute(RouteTables, (from) => credentialRoutes(from.get(StoredCredentials)));
  },
  async start({ get }) {
    await get(StoredCredentials).load();
    await get(AccountSignIn).prepare();
  },
});
