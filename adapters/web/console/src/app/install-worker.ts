/** The service worker keeps the console's files and shows notifications; a press on one of them opens its page here. */
export function installWorker(): void {
  // Browsers have it by https, and on the machine itself.
  if (!("serviceWorker" in navigator)) return;
  void navigator.serviceWorker.register("/sw.js");
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ type?: unknown; hash?: unknown }>) => {
    if (data?.type === "open" && typeof data.hash === "string") location.hash = data.hash;
  });
}
