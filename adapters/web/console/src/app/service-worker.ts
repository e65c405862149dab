import { renewPush } from "../shared/push.ts";

/** Registers the service worker, which caches the console's files and shows notifications; a click on one opens its page here. */
export function registerServiceWorker(): void {
  // Browsers have it by https, and on the machine itself.
  if (!("serviceWorker" in navigator)) return;
  void navigator.serviceWorker.register("/sw.js");
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ type?: unknown; hash?: unknown }>) => {
    if (data?.type === "open" && typeof data.hash === "string") location.hash = data.hash;
  });
}

/** Renews the push subscription, which ends with its login, for an account that had it in this browser. */
export function renewPushSubscription(): void {
  // Whether it worked stands on the page of notifications.
  renewPush().catch(() => undefined);
}
