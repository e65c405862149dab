import { parley } from "./api/client.ts";
import { isKeptHere } from "./kept-here.ts";

/** How this browser stands. `unsupported`: it cannot, or the page did not come by https. */
export type PushState = "unsupported" | "denied" | "off" | "on";

const WANTED = "parley.push";

/** Whether it can be told, may be told, and is. */
export async function pushState(): Promise<PushState> {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return (await subscription()) === null ? "off" : "on";
}

/** Asks for the permission, subscribes, and tells the service; gives the id of the subscription. */
export async function startPush(): Promise<string> {
  if ((await Notification.requestPermission()) !== "granted") throw new NotAllowed();
  const { public_key } = await parley.get("/api/push/public-key");
  const key = bytesOf(public_key);
  const worker = await navigator.serviceWorker.ready;
  const before = await worker.pushManager.getSubscription();
  // A subscription of another key, as after the service's was lost, cannot be sent to.
  if (before && !isOf(before, key)) await before.unsubscribe();
  const fresh = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  // Wanted from here on: who asks how this browser stands meanwhile is told of the same subscription.
  isKeptHere(WANTED, "1");
  return (await tell(fresh)).id;
}

/** This browser hears nothing any more. */
export async function stopPush(): Promise<void> {
  localStorage.removeItem(WANTED);
  const own = await subscription();
  if (!own) return;
  await parley.post("/api/push/unsubscribe", { body: { endpoint: own.endpoint } });
  await own.unsubscribe();
}

/** After a sign-in: what this browser has agreed to is the service's and this login's again. The id of it, if it is on. */
export async function renewPush(): Promise<string | undefined> {
  if (localStorage.getItem(WANTED) === null || (await pushState()) !== "on") return undefined;
  return startPush();
}

/** The person did not allow it. */
export class NotAllowed extends Error {
  override readonly name = "NotAllowed";
}

async function subscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

function tell(own: PushSubscription) {
  const { endpoint, keys } = own.toJSON();
  const given = { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" };
  return parley.post("/api/push/subscribe", { body: { subscription: { endpoint: endpoint ?? "", keys: given } } });
}

function isOf({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = options.applicationServerKey;
  return own !== null && key.join() === new Uint8Array(own).join();
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}
