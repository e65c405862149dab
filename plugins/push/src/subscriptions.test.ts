import { createECDH, randomBytes } from "node:crypto";
import { type Caller, toLocalized } from "@parley/core";
import { createTestClock, memoryDatabase, memorySecrets, testCaller } from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { createSubscriptions, type Subscriptions, type SubscriptionsDeps } from "./subscriptions.ts";
import { PUSH_MIGRATIONS } from "./tables.ts";

const ann: Caller = { ...testCaller, accountId: "user_ann", username: "ann" };
const ben: Caller = { ...testCaller, accountId: "user_ben", username: "ben" };
const database = memoryDatabase();
let clock = createTestClock();
const checked: string[] = [];
let subscriptions: Subscriptions;

beforeEach(async () => {
  await database.migrate("push", PUSH_MIGRATIONS);
  await database.write([{ query: database.tables<{ push_subscriptions: object }>().deleteFrom("push_subscriptions") }]);
  checked.length = 0;
  clock = createTestClock();
  subscriptions = createSubscriptions(parts());
});

const parts = (): SubscriptionsDeps => ({
  database: () => database,
  secrets: memorySecrets,
  egress: { check: async (url, reach) => void checked.push(`${url} ${reach}`) },
  clock,
  mayReachPrivate: () => false,
  isShared: () => false,
});

const keys = () => ({
  p256dh: createECDH("prime256v1").generateKeys("base64url"),
  auth: randomBytes(16).toString("base64url"),
});
const subscribe = (caller: Caller, name: string, session_id: string | null = null) =>
  subscriptions.subscribe(
    { subscription: { endpoint: `https://push.example.org/${name}`, keys: keys() }, session_id },
    { caller, userAgent: "Firefox", language: "en" },
  );

test("a browser that another account subscribed moves to the caller", async () => {
  const { id } = await subscribe(ann, "one");
  expect(await subscribe(ben, "one")).toEqual({ id, created: false });
  expect([await subscriptions.count(ann), await subscriptions.count(ben)]).toEqual([0, 1]);
  expect((await subscriptions.find(id))?.keys().p256dh).toHaveLength(65);
});

test("nobody sees or ends the subscriptions of others, and a full account takes over no browser", async () => {
  const { id } = await subscribe(ann, "one");
  expect((await subscriptions.list(ben, { limit: 50, offset: 0 })).items).toEqual([]);
  expect(await subscriptions.unsubscribe({ id }, ben)).toBe(false);
  expect(await subscriptions.unsubscribe({ endpoint: "https://push.example.org/one" }, ben)).toBe(false);
  for (let at = 0; at < 50; at += 1) await subscribe(ben, `ben-${at}`);
  const full = await subscribe(ben, "one").catch((error) => error);
  expect([full.code, toLocalized(full).zh]).toEqual(["conflict", "每个账户最多订阅 50 个浏览器"]);
  expect(await subscribe(ben, "ben-7")).toMatchObject({ created: false });
});

test("events of a session reach its subscribers, and subscribers to all sessions", async () => {
  await subscribe(ann, "this", "sess_1");
  expect([await subscriptions.hasSubscribers("sess_1"), await subscriptions.hasSubscribers("sess_2")]).toEqual([
    true,
    false,
  ]);
  await subscribe(ann, "all");
  expect(await subscriptions.listSubscribed("sess_1")).toHaveLength(2);
  expect(await subscriptions.listSubscribed("sess_2")).toHaveLength(1);
});

test("a subscription ends when its login expires, and a new one can use its place", async () => {
  const day = 86_400_000;
  const expiresAt = new Date(clock.now() + day).toISOString();
  const { id } = await subscribe({ ...ann, expiresAt }, "short");
  await subscribe(ann, "endless");
  await subscribe({ ...ben, expiresAt }, "of-ben", "sess_1");
  clock.advance(day - 1);
  expect(await subscriptions.listSubscribed("sess_1")).toHaveLength(3);
  clock.advance(1);
  expect((await subscriptions.listSubscribed("sess_1")).map(({ endpoint }) => endpoint)).toEqual([
    "https://push.example.org/endless",
  ]);
  expect(await subscriptions.find(id)).toBeUndefined();
  expect([await subscriptions.count(ann), await subscriptions.count(ben)]).toEqual([1, 0]);
  expect((await subscriptions.list(ann, { limit: 50, offset: 0 })).total).toBe(1);
  expect(await subscribe({ ...ann, expiresAt: new Date(clock.now() + day).toISOString() }, "short")).toMatchObject({
    created: true,
  });
});

test("nobody is notified of a session after the only login has ended", async () => {
  await subscribe({ ...ann, expiresAt: new Date(clock.now() + 1_000).toISOString() }, "one");
  expect(await subscriptions.hasSubscribers("sess_1")).toBe(true);
  clock.advance(1_000);
  expect(await subscriptions.hasSubscribers("sess_1")).toBe(false);
  const [removed] = await database.write([subscriptions.removeExpiredLoginsWrite()]);
  expect(removed?.changes).toBe(1);
});

test("subscriptions of an earlier version end with their login, or at once when it is invalid", async () => {
  const old = memoryDatabase();
  await old.migrate("push", PUSH_MIGRATIONS);
  const row = { keys: "", session_id: null, account_id: "user_ann", username: "ann", user_agent: "", language: "en" };
  const rows = ["short", "endless", "revoked"].map((name) => ({
    ...{ ...row, id: `sub_${name}`, endpoint: `https://push.example.org/${name}`, credential_id: name },
    ...{ created_at: 1, last_sent_at: null, failures: 0 },
  }));
  await old.write([
    { query: old.tables<{ push_subscriptions: object }>().insertInto("push_subscriptions").values(rows) },
  ]);
  const migrated = createSubscriptions({ ...parts(), database: () => old });
  const listSubscribers = async () => (await migrated.listSubscribed("sess_1")).map(({ id }) => id);
  expect(await listSubscribers()).toHaveLength(3);
  const expiresAt = new Date(clock.now() + 1_000).toISOString();
  const logins = new Map<string, { readonly expiresAt?: string }>([
    ["short", { expiresAt }],
    ["endless", {}],
  ]);
  await migrated.followLogins((id) => logins.get(id));
  expect(await listSubscribers()).toEqual(["sub_endless", "sub_short"]);
  clock.advance(1_000);
  expect(await listSubscribers()).toEqual(["sub_endless"]);
});

test("the endpoint is validated before it is stored", async () => {
  await subscribe(ann, "one");
  expect(checked).toEqual(["https://push.example.org/one public"]);
  const http = { endpoint: "http://push.example.org/one", keys: keys() };
  const subscriber = { caller: ann, userAgent: "", language: "en" } as const;
  const asked = { subscription: http, session_id: null };
  const rejected = await subscriptions.subscribe(asked, subscriber).catch((error) => error);
  expect(rejected).toMatchObject({ code: "bad_request", message: "subscription.endpoint: must be https" });
  expect(toLocalized(rejected).zh).toBe("subscription.endpoint：必须是 https 地址");
});
