import { randomBytes } from "node:crypto";
import {
  AppError,
  type Clock,
  type Database,
  fixedStatement,
  type LiveEvents,
  type Logger,
  newId,
  resourceChanged,
  type Signals,
  type Write,
  withUndoneMessage,
} from "@parley/core";
import { isEqualSecret } from "@parley/core/secrets";
import { hashSecret } from "../../credentials/hash-secret.ts";
import { OAuthError } from "../oauth-error.ts";
import type { CodeRow, GrantRow, OAuthTables } from "../tables.ts";
import { isVerifierValid, parseToken } from "../tokens.ts";
import { oauthGrants } from "./grant-records.ts";
import type { CodeExchange, GrantStore } from "./grant-store.ts";
import { issueTokens } from "./issued-tokens.ts";

const CODE_TTL_MS = 60_000;
const TOUCH_INTERVAL_MS = 60_000;
/** Limit per account, so that grants of one account cannot block the clients of another. */
const MAX_GRANTS_PER_ACCOUNT = 100;
const COUNT_GRANTS = `select count(*) as count from (select id from oauth_grants where account_id = ? and expires_at > ?
  union all select id from oauth_codes where account_id = ? and grant_id is null and expires_at > ?) as open
  having count(*) <= ?`;

export interface GrantStoreDeps {
  readonly database: () => Database;
  /** Returns the signals to other processes; undefined when there are none. */
  readonly signals: () => Signals | undefined;
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly log: Logger;
}

const TOPIC = "oauth-grants";

export function createGrantStore({ database, signals, events, clock, log }: GrantStoreDeps): GrantStore {
  const listeners = new Set<(id: string) => void>();
  const tables = () => database().tables<OAuthTables>();
  const grants = () => tables().selectFrom("oauth_grants").selectAll();
  const one = async (id: string) => {
    const [row] = await database().lookup<GrantRow>(grants().where("id", "=", id));
    return row;
  };
  const list = () => grants().where("expires_at", ">", clock.now()).execute();
  const remove = async (id: string) => {
    const query = tables().deleteFrom("oauth_grants").where("id", "=", id);
    const [done] = await database().write([{ query }, ...(signals()?.telling([{ topic: TOPIC, key: id }]) ?? [])]);
    if (done?.changes !== 1) return false;
    for (const listener of listeners) listener(id);
    events.publish(resourceChanged(oauthGrants, id, "deleted"));
    return true;
  };
  /** Revokes a grant whose code or token was used twice, because someone must have a copy. */
  const revokeReused = async (id: string, what: string) => {
    if (await remove(id))
      log.warn("a client lost its access: a code or token was used twice", { grant: id, used_twice: what });
  };
  const findExchangeProblem = (code: CodeRow, { clientId, redirectUri, verifier, resource }: CodeExchange) => {
    if (code.client_id !== clientId) return "it was made for another client";
    if (Number(code.expires_at) <= clock.now()) return "it is over";
    if (code.redirect_uri !== redirectUri) return "redirect_uri is another one";
    return isVerifierValid(verifier, code.challenge)
      ? findResourceProblem(code, resource)
      : "code_verifier does not fit";
  };
  /** Exchanges a code for a grant; an earlier grant of the client by the same person continues under its id. */
  const exchangeForGrant = async (code: CodeRow) => {
    const { client_id, account_id, username, scopes, resource, ends_by } = code;
    const before = await grants()
      .where("client_id", "=", client_id)
      .where("account_id", "=", account_id)
      .executeTakeFirst();
    const client = tables().selectFrom("oauth_clients").select("name").where("id", "=", client_id);
    const found = await client.executeTakeFirst();
    if (!found) throw new OAuthError("invalid_client", "client_id: is not registered", { status: 401 });
    const id = before?.id ?? newId("grant", clock.now());
    const { row, answer } = issueTokens({ grantId: id, scopes, endsBy: ends_by }, clock.now());
    const given = { username, scopes, resource, ends_by, ...row };
    const query = before
      ? tables()
          .updateTable("oauth_grants")
          .set({ ...given, revision: before.revision + 1 })
          .where("id", "=", id)
      : tables()
          .insertInto("oauth_grants")
          .values({
            ...{ id, client_id, account_id, client_name: found.name, ...given },
            ...{ last_used_at: null, last_used_ip: null, created_at: clock.now(), revision: 1 },
          });
    return { id, answer, query, change: before ? ("updated" as const) : ("created" as const) };
  };

  return {
    list,
    get: one,
    remove,
    async allow({ clientId, caller, scopes, resource, redirectUri, challenge }) {
      const code = `oac_${randomBytes(32).toString("base64url")}`;
      const row: CodeRow = {
        id: hashSecret(code),
        client_id: clientId,
        account_id: caller.accountId,
        username: caller.username,
        scopes: scopes.join(" "),
        resource,
        redirect_uri: redirectUri,
        challenge,
        ends_by: null,
        expires_at: clock.now() + CODE_TTL_MS,
        grant_id: null,
      };
      const query = tables().updateTable("oauth_clients").set({ granted_at: clock.now() }).where("id", "=", clientId);
      await database().write([
        { query, expect: 1 },
        { query: tables().insertInto("oauth_codes").values(row) },
        limitGrantsWrite(caller.accountId, clock.now()),
      ]);
      return code;
    },
    async exchange(asked) {
      const id = hashSecret(asked.code);
      const ofCode = tables().selectFrom("oauth_codes").selectAll().where("id", "=", id);
      const [code] = await database().lookup<CodeRow>(ofCode);
      if (!code) throw createInvalidGrantError("code: is not known, or over");
      if (code.grant_id !== null) {
        await revokeReused(code.grant_id, "code");
        throw createInvalidGrantError("code: was used before");
      }
      const wrong = findExchangeProblem(code, asked);
      if (wrong !== undefined) {
        // A code that is presented without its proof was stolen.
        await database().write([{ query: tables().deleteFrom("oauth_codes").where("id", "=", id) }]);
        throw createInvalidGrantError(`code: ${wrong}`);
      }
      const grant = await exchangeForGrant(code);
      const used = tables().updateTable("oauth_codes").set({ grant_id: grant.id }).where("id", "=", id);
      await database()
        .write([
          { query: used.where("grant_id", "is", null), expect: 1 },
          { query: grant.query, expect: 1 },
        ])
        .catch(async (error: unknown) => {
          if (!AppError.is(error) || error.code !== "conflict") throw error;
          // Another request was first, so its tokens are revoked too.
          const [now] = await database().lookup<CodeRow>(ofCode);
          if (now?.grant_id) await revokeReused(now.grant_id, "code");
          throw createInvalidGrantError("code: was used before");
        });
      events.publish(resourceChanged(oauthGrants, grant.id, grant.change));
      log.info("a client was granted access", { grant: grant.id, client: code.client_id, scopes: code.scopes });
      return grant.answer;
    },
    async renew({ token, clientId, scopes, resource }) {
      const shown = parseToken("ort", token);
      const grant = shown && (await one(shown.grantId));
      if (!shown || !grant || Number(grant.expires_at) <= clock.now())
        throw createInvalidGrantError("refresh_token: is over");
      if (grant.client_id !== clientId) throw createInvalidGrantError("refresh_token: was given to another client");
      if (!isEqualSecret(shown.hash, grant.refresh_hash)) {
        await revokeReused(grant.id, "refresh token");
        throw createInvalidGrantError("refresh_token: was used before");
      }
      const wrong = findResourceProblem(grant, resource);
      if (wrong !== undefined) throw new OAuthError("invalid_target", wrong);
      if (!scopes.every((scope) => grant.scopes.split(" ").includes(scope)))
        throw new OAuthError("invalid_scope", "scope: more than was allowed");
      const { row, answer } = issueTokens(
        { grantId: grant.id, scopes: grant.scopes, endsBy: grant.ends_by },
        clock.now(),
      );
      const query = tables().updateTable("oauth_grants").set(row).where("id", "=", grant.id);
      const [done] = await database().write([{ query: query.where("refresh_hash", "=", shown.hash) }]);
      if (done?.changes === 1) return answer;
      await revokeReused(grant.id, "refresh token");
      throw createInvalidGrantError("refresh_token: was used before");
    },
    async findByAccessToken(token, address) {
      const shown = parseToken("oat", token);
      const grant = shown && (await one(shown.grantId));
      if (!shown || !grant || !isEqualSecret(shown.hash, grant.access_hash)) return undefined;
      const nowMs = clock.now();
      if (Number(grant.access_expires_at) <= nowMs || Number(grant.expires_at) <= nowMs) return undefined;
      if (nowMs - Number(grant.last_used_at ?? 0) >= TOUCH_INTERVAL_MS) {
        const used = { last_used_at: nowMs, last_used_ip: address };
        const query = tables().updateTable("oauth_grants").set(used).where("id", "=", grant.id);
        // Not awaited, because a lost update does no harm.
        database()
          .write([{ query }])
          .catch((error: unknown) => log.debug("the use of a grant was not noted", { grant: grant.id, error }));
      }
      return grant;
    },
    async revokeToken(token, clientId) {
      const shown = parseToken("oat", token) ?? parseToken("ort", token);
      const grant = shown && (await one(shown.grantId));
      if (!shown || !grant || (clientId !== undefined && grant.client_id !== clientId)) return;
      if (isEqualSecret(shown.hash, grant.access_hash) || isEqualSecret(shown.hash, grant.refresh_hash)) {
        await remove(grant.id);
        log.info("a client revoked its own access", { grant: grant.id, client: grant.client_id });
      }
    },
    async removeByUser(username) {
      const own = await grants().where("username", "=", username).execute();
      for (const { id } of own) await remove(id);
      await database().write([{ query: tables().deleteFrom("oauth_codes").where("username", "=", username) }]);
    },
    onRevoked(listener) {
      listeners.add(listener);
      // Missed signals do no harm, because each request checks the storage.
      const end = signals()?.listen(TOPIC, (id) => id !== undefined && listener(id));
      return () => {
        listeners.delete(listener);
        end?.();
      };
    },
  };
}

/** Returns a write that limits the count of an account's grants; pending codes count too. */
function limitGrantsWrite(accountId: string, nowMs: number): Write {
  const message = { en: "your account gives access to {most} clients already", zh: "你的账户已授权 {most} 个客户端" };
  const most = MAX_GRANTS_PER_ACCOUNT;
  const query = fixedStatement(COUNT_GRANTS, [accountId, nowMs, accountId, nowMs, most]);
  return { query, expect: 1, ...withUndoneMessage("accounts.clients_full", message, { most }) };
}

function findResourceProblem(
  { resource }: { readonly resource: string },
  asked: string | undefined,
): string | undefined {
  return asked === undefined || asked === resource ? undefined : "resource: is another one than was allowed";
}

function createInvalidGrantError(message: string): OAuthError {
  return new OAuthError("invalid_grant", message);
}
