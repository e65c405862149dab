import { renewPush } from "../shared/push.ts";

/** Registers the service worker, which caches the console's files and shows notifications; a click on one opens its page here. */
export function registerServiceWorker(): void {
  // Browsers offer service workers only over HTTPS and on localhost.
  if (!("serviceWorker" in navigator)) return;
  void navigator.serviceWorker.register("/sw.js");
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ type?: unknown; hash?: unknown }>) => {
    if (data?.type === "open" && typeof data.hash === "string") location.hash = data.hash;
  });
}

/** Renews the push subscription of this browser, if it had one: subscriptions end with the login. */
export function renewPushSubscription(): void {
  // The notifications page shows whether it worked.
  renewPush().catch(() => undefined);
}
