import type { Call, Seed } from "../calls.ts";

const PASSWORD = "correct horse";
const LIST = ["items", "total", "limit", "offset"];
let count = 0;

interface Made {
  readonly id: string;
  readonly name: string;
  readonly password: string;
}

const createAccount = ({ api }: Seed) =>
  api.post<Made>("/api/accounts", { name: `somebody-${++count}`, role: "operator" });
const createAccountId = async (seed: Seed) => ({ account_id: (await createAccount(seed)).id });

/** A working call of every route of accounts, and of the own account. */
export const ACCOUNT_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/accounts": { gives: LIST },
  "POST /api/accounts": {
    body: () => ({ name: `somebody-${++count}`, role: "reader" }),
    gives: ["id", "role", "password"],
  },
  "GET /api/accounts/{account_id}": { params: createAccountId, gives: ["id", "name", "role"] },
  "PUT /api/accounts/{account_id}": { params: createAccountId, body: { role: "reader" }, gives: ["id", "revision"] },
  "DELETE /api/accounts/{account_id}": { params: createAccountId, gives: ["id", "deleted"] },
  "POST /api/accounts/{account_id}/new-password": { params: createAccountId, gives: ["password"] },
  "GET /api/account/logins": { gives: LIST },
  "DELETE /api/account/logins": { caller: async (seed) => (await createPerson(seed)).client, gives: ["ended"] },
  "DELETE /api/account/logins/{token_hash}": {
    params: async ({ api }) => ({
      token_hash: (await api.post<{ hash_full: string }>("/api/login-tokens", {})).hash_full,
    }),
    gives: ["id", "deleted"],
  },
  "POST /api/account/password": {
    caller: withKnownPassword,
    body: { old_password: PASSWORD, new_password: PASSWORD, end_others: false },
    gives: ["ended"],
  },
};

/** Creates an account whose logins may end. */
async function createPerson(seed: Seed) {
  const { name: username, password } = await createAccount(seed);
  const { token } = await seed.api.as("").post<{ token: string }>("/api/login", { username, password });
  return { client: seed.api.as(token), password };
}

async function withKnownPassword(seed: Seed) {
  const { client, password } = await createPerson(seed);
  await client.post("/api/account/password", { old_password: password, new_password: PASSWORD });
  return client;
}
