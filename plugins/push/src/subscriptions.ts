import {
  type Accounts,
  AppError,
  type Caller,
  type Clock,
  type Database,
  type Egress,
  fixedStatement,
  newId,
  type Secrets,
  type Write,
} from "@parley/core";
import { createSerialQueue } from "@parley/core/async";
import { type List, mapItems, type Page } from "@parley/core/http";
import { countRows, createRowExistence, type RowExistence, readPage } from "@parley/core/storage";
import type { SubscriptionKeys } from "./encrypt.ts";
import {
  decodeKeys,
  type EncodedKeys,
  type SubscribeBody,
  type SubscriptionView,
  type UnsubscribeBody,
} from "./schema.ts";
import type { PushTables, SubscriptionRow } from "./tables.ts";
import { pushTexts } from "./texts.ts";

const MAX_PER_ACCOUNT = 50;
const MAX_FAILURES = 10;
const MAX_USER_AGENT = 300;

/** The push subscription of one browser. */
export interface Subscription {
  readonly id: string;
  readonly endpoint: string;
  readonly sessionId: string | null;
  readonly language: string;
  /** Throws `unavailable` when they cannot be opened. */
  keys(): SubscriptionKeys;
}

/** The account and data of a new subscription. */
export interface Subscriber {
  readonly caller: Caller;
  readonly userAgent: string;
  readonly language: string;
}

/** Push subscriptions, each valid as long as the login it was created with. */
export interface Subscriptions {
  /** Stores a subscription; an existing one of the same endpoint is changed, and belongs to the caller from then on. */
  subscribe(body: SubscribeBody, subscriber: Subscriber): Promise<{ readonly id: string; readonly created: boolean }>;
  /** Removes a subscription of the caller. */
  unsubscribe(asked: UnsubscribeBody, caller: Caller): Promise<boolean>;
  count(caller: Caller): Promise<number>;
  list(caller: Caller, page: Page): Promise<List<SubscriptionView>>;
  listOwn(caller: Caller): Promise<readonly Subscription[]>;
  /** Returns the subscriptions that receive notices of a session. */
  listSubscribed(sessionId: string): Promise<readonly Subscription[]>;
  /** Tells whether there is any subscription at all. */
  readonly existence: RowExistence;
  /** True when a subscription receives notices of the session; called by every turn. */
  hasSubscribers(sessionId: string): Promise<boolean>;
  find(id: string): Promise<Subscription | undefined>;
  markSentWrite(id: string): Write;
  /** Returns the writes that count a failure; the tenth in a row removes the subscription. */
  markFailedWrites(id: string): readonly Write[];
  removeWrite(id: string): Write;
  removeBySessionWrite(sessionId: string): Write;
  /** Returns the write that removes the subscriptions of a login that was signed out. */
  removeByLoginWrite(credentialId: string): Write;
  /** Returns the write that removes the subscriptions of expired logins. */
  removeExpiredLoginsWrite(): Write;
  /**
   * Removes the subscriptions of invalid logins and stores the expiry of the others: logins may have ended while the
   * plugin was off, and subscriptions of earlier versions have no expiry.
   */
  followLogins(inForce: Accounts["inForce"]): Promise<void>;
}

export interface SubscriptionsDeps {
  readonly database: () => Database;
  readonly secrets: () => Secrets;
  readonly egress: Pick<Egress, "check">;
  readonly clock: Clock;
  readonly mayReachPrivate: () => boolean;
  /** True when other processes may store subscriptions. */
  readonly isShared: () => boolean;
}

const ANY_SUBSCRIPTION = fixedStatement("select id from push_subscriptions limit 1", []);

export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const { database, secrets, egress, clock, mayReachPrivate } = deps;
  const tables = () => database().tables<PushTables>();
  const selectValid = () =>
    tables()
      .selectFrom("push_subscriptions")
      .where((either) => either.or([either("ends_ms", "is", null), either("ends_ms", ">", clock.now())]));
  const removeExpiredWrite = (): Write => ({
    query: tables().deleteFrom("push_subscriptions").where("ends_ms", "<=", clock.now()),
  });
  const removeLoginWrite = (credentialId: string): Write => ({
    query: tables().deleteFrom("push_subscriptions").where("credential_id", "=", credentialId),
  });
  const findAny = async () => (await database().lookup(ANY_SUBSCRIPTION)).length > 0;
  const existence = createRowExistence({ find: findAny, isShared: deps.isShared, nowMs: clock.now });
  const keySecrets = (endpoint: string) => secrets().of(`push ${endpoint}`);
  const toSubscription = (row: SubscriptionRow): Subscription => ({
    id: row.id,
    endpoint: row.endpoint,
    sessionId: row.session_id,
    language: row.language,
    keys: () => decodeKeys(keySecrets(row.endpoint).openValue(row.keys, listKeySecrets)),
  });
  const selectOwn = ({ accountId }: Caller) => selectValid().where("account_id", "=", accountId);
  const count = (caller: Caller) => countRows(selectOwn(caller));
  const rejectTooMany = async (caller: Caller, endpoint: string) => {
    if ((await count(caller)) < MAX_PER_ACCOUNT) return;
    const known = await selectOwn(caller).select("id").where("endpoint", "=", endpoint).executeTakeFirst();
    if (!known) throw pushTexts.error("conflict", "full", { most: MAX_PER_ACCOUNT });
  };
  // Requests run one after another, so that the limit applies to concurrent ones too.
  const runInOrder = createSerialQueue();

  return {
    existence,
    count,
    async subscribe({ subscription: { endpoint, keys }, session_id }, { caller, userAgent, language }) {
      await checkEndpoint(endpoint, egress, mayReachPrivate());
      const values = {
        keys: keySecrets(endpoint).sealValue(keys, listKeySecrets),
        session_id,
        account_id: caller.accountId,
        username: caller.username,
        credential_id: caller.credentialId,
        ends_ms: getExpiry(caller),
        user_agent: userAgent.slice(0, MAX_USER_AGENT),
        language,
        failures: 0,
      };
      existence.expectRow();
      const fresh = { ...values, endpoint, id: newId("sub", clock.now()), created_at: clock.now(), last_sent_at: null };
      const query = tables()
        .insertInto("push_subscriptions")
        .values(fresh)
        .onConflict((conflict) => conflict.column("endpoint").doUpdateSet(values))
        .returning("id");
      return runInOrder(async () => {
        await rejectTooMany(caller, endpoint);
        const [, written] = await database().write([removeExpiredWrite(), { query }]);
        const { id } = (written?.rows[0] ?? fresh) as { readonly id: string };
        return { id, created: id === fresh.id };
      });
    },
    async unsubscribe({ endpoint, id }, { accountId }) {
      let query = tables().deleteFrom("push_subscriptions").where("account_id", "=", accountId);
      if (endpoint !== undefined) query = query.where("endpoint", "=", endpoint);
      if (id !== undefined) query = query.where("id", "=", id);
      const [removed] = await database().write([{ query }]);
      return (removed?.changes ?? 0) > 0;
    },
    async list(caller, page) {
      const found = await readPage(selectOwn(caller), page, (all) =>
        all.selectAll().orderBy("created_at", "desc").orderBy("id"),
      );
      return mapItems(found, toSubscriptionView);
    },
    listOwn: async (caller) => (await selectOwn(caller).selectAll().orderBy("id").execute()).map(toSubscription),
    async listSubscribed(sessionId) {
      const query = selectValid().selectAll();
      const rows = await query
        .where((either) => either.or([either("session_id", "is", null), either("session_id", "=", sessionId)]))
        .orderBy("id")
        .execute();
      return rows.map(toSubscription);
    },
    async hasSubscribers(sessionId) {
      if (!(await existence.check())) return false;
      const text =
        "select id from push_subscriptions where (session_id is null or session_id = ?) and (ends_ms is null or ends_ms > ?) limit 1";
      return (await database().lookup(fixedStatement(text, [sessionId, clock.now()]))).length > 0;
    },
    async find(id) {
      const row = await selectValid().selectAll().where("id", "=", id).executeTakeFirst();
      return row && toSubscription(row);
    },
    markSentWrite: (id) => ({
      query: tables()
        .updateTable("push_subscriptions")
        .set({ failures: 0, last_sent_at: clock.now() })
        .where("id", "=", id),
    }),
    markFailedWrites: (id) => [
      {
        query: tables()
          .updateTable("push_subscriptions")
          .set((set) => ({ failures: set("failures", "+", 1) }))
          .where("id", "=", id),
      },
      {
        query: tables().deleteFrom("push_subscriptions").where("id", "=", id).where("failures", ">=", MAX_FAILURES),
      },
    ],
    removeWrite: (id) => ({ query: tables().deleteFrom("push_subscriptions").where("id", "=", id) }),
    removeBySessionWrite: (sessionId) => ({
      query: tables().deleteFrom("push_subscriptions").where("session_id", "=", sessionId),
    }),
    removeByLoginWrite: removeLoginWrite,
    removeExpiredLoginsWrite: removeExpiredWrite,
    async followLogins(inForce) {
      const stored = await tables()
        .selectFrom("push_subscriptions")
        .select(["credential_id", "ends_ms"])
        .distinct()
        .execute();
      const writes = stored.flatMap(({ credential_id, ends_ms: before }): readonly Write[] => {
        const login = inForce(credential_id);
        if (!login) return [removeLoginWrite(credential_id)];
        const ends_ms = getExpiry(login);
        if ((before === null ? null : Number(before)) === ends_ms) return [];
        const query = tables()
          .updateTable("push_subscriptions")
          .set({ ends_ms })
          .where("credential_id", "=", credential_id);
        return [{ query }];
      });
      if (writes.length > 0) await database().write(writes);
    },
  };
}

/** Returns the expiry in milliseconds; null: never. */
function getExpiry({ expiresAt }: Pick<Caller, "expiresAt">): number | null {
  return expiresAt === undefined ? null : Date.parse(expiresAt);
}

const ENDPOINT_FIELD = "subscription.endpoint";

/** Checks that the endpoint may be sent to; checked again before sending, since a host name may resolve elsewhere by then. */
async function checkEndpoint(endpoint: string, egress: Pick<Egress, "check">, isPrivateAllowed: boolean) {
  const url = new URL(endpoint);
  if (url.protocol !== "https:" && !isPrivateAllowed)
    throw pushTexts.error("bad_request", "https", {}, { field: ENDPOINT_FIELD });
  if (url.hash !== "") throw pushTexts.error("bad_request", "fragment", {}, { field: ENDPOINT_FIELD });
  try {
    await egress.check(url, isPrivateAllowed ? "private" : "public");
  } catch (cause) {
    if (!AppError.is(cause)) throw cause;
    const { code, message, detail } = cause;
    const localized = detail && { detail: { ...detail, field: ENDPOINT_FIELD } };
    throw new AppError(code, `${ENDPOINT_FIELD}: ${message.replace(/^url: /, "")}`, { cause, ...localized });
  }
}

function toSubscriptionView(row: SubscriptionRow): SubscriptionView {
  const toIso = (ms: number | string) => new Date(Number(ms)).toISOString();
  return {
    id: row.id,
    session_id: row.session_id,
    username: row.username,
    user_agent: row.user_agent,
    service: new URL(row.endpoint).host,
    created_at: toIso(row.created_at),
    last_sent_at: row.last_sent_at === null ? null : toIso(row.last_sent_at),
    failures: row.failures,
  };
}

function listKeySecrets({ auth }: EncodedKeys): readonly string[] {
  return [auth];
}
