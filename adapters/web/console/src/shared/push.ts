import { tryStore } from "./account-storage.ts";
import { parley } from "./api/client.ts";

/** Push notifications in this browser. `unsupported`: no support, or the page was not loaded over https. */
export type PushState = "unsupported" | "denied" | "off" | "on";

const PUSH_KEY = "parley.push";

/** Returns the state of push notifications: supported, permitted and subscribed. */
export async function getPushState(): Promise<PushState> {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return (await getSubscription()) === null ? "off" : "on";
}

/** Asks for permission, subscribes and registers the subscription; returns its id. Throws `NotAllowed` without permission. */
export async function startPush(): Promise<string> {
  if ((await Notification.requestPermission()) !== "granted") throw new NotAllowed();
  const { public_key } = await parley.get("/api/push/public-key");
  const key = decodeBase64Url(public_key);
  const worker = await navigator.serviceWorker.ready;
  const before = await worker.pushManager.getSubscription();
  // The service cannot send to a subscription for another key, such as one from before its key was lost.
  if (before && !usesKey(before, key)) await before.unsubscribe();
  const fresh = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  // Stored before the request, so that a `renewPush` in the meantime renews the same subscription.
  tryStore(PUSH_KEY, "1");
  return (await sendSubscription(fresh)).id;
}

/** Unsubscribes this browser. */
export async function stopPush(): Promise<void> {
  localStorage.removeItem(PUSH_KEY);
  const subscription = await getSubscription();
  if (!subscription) return;
  await parley.post("/api/push/unsubscribe", { body: { endpoint: subscription.endpoint } });
  await subscription.unsubscribe();
}

/** Renews the subscription after a sign-in, for this service and login. Returns its id where notifications are on. */
export async function renewPush(): Promise<string | undefined> {
  if (localStorage.getItem(PUSH_KEY) === null || (await getPushState()) !== "on") return undefined;
  return startPush();
}

/** The user did not permit notifications. */
export class NotAllowed extends Error {
  override readonly name = "NotAllowed";
}

async function getSubscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

function sendSubscription(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON();
  const encodedKeys = { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" };
  return parley.post("/api/push/subscribe", {
    body: { subscription: { endpoint: endpoint ?? "", keys: encodedKeys } },
  });
}

function usesKey({ options }: PushSubscription, key: Uint8Array): boolean {
  const usedKey = options.applicationServerKey;
  return usedKey !== null && key.join() === new Uint8Array(usedKey).join();
}

function decodeBase64Url(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
