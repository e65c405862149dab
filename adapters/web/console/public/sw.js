// Keeps the console's own page and files, whose names change with their content. Answers of the service are never kept.
const CACHE = "parley-assets-1";
const PAGE = "/dashboard";
const MOST_FILES = 300;
const NOBODY = `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Parley</title></head><body style="font:16px/1.6 system-ui;margin:15vh auto;max-width:26rem;padding:0 1rem">
<p>The service cannot be reached. What you wrote is kept.</p><p lang="zh">无法连接到服务。你写下的内容已保留。</p></body></html>`;

const FIRST = [PAGE, "/assets/icon-192.png", "/assets/badge-96.png"];

self.addEventListener("install", (event) =>
  event.waitUntil(Promise.all([self.skipWaiting(), caches.open(CACHE).then((cache) => cache.addAll(FIRST))])),
);
self.addEventListener("activate", (event) => event.waitUntil(Promise.all([self.clients.claim(), forgetOld()])));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && (pathname === "/" || pathname === PAGE)) event.respondWith(page(request));
});

async function file(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok && !fresh.redirected) await cache.put(PAGE, fresh.clone());
    return fresh;
  } catch {
    const kept = await cache.match(PAGE);
    return kept ?? new Response(NOBODY, { headers: { "content-type": "text/html; charset=utf-8" } });
  }
}

// In the order they were kept: those of earlier releases come first.
async function forgetOld() {
  const cache = await caches.open(CACHE);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_FILES)).map((key) => cache.delete(key)));
}

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

async function show(data) {
  const { title = "Parley", body = "", url = PAGE, tag = "parley" } = told(data);
  const look = { icon: "/assets/icon-192.png", badge: "/assets/badge-96.png" };
  await self.registration.showNotification(title, { body, tag, renotify: true, data: { url }, ...look });
}

// A push must show something, even where it cannot be read.
function told(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** Leads to where it is, in a window that is there already if there is one. */
async function open(url = PAGE) {
  const target = new URL(url, self.location.origin);
  if (target.origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const console = windows.find((one) => ["/", PAGE].includes(new URL(one.url).pathname));
  if (!console) return self.clients.openWindow(target.href);
  console.postMessage({ type: "open", hash: target.hash });
  await console.focus();
}

async function subscribeAgain({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options;
  const fresh = newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
  if (!fresh) return;
  const body = JSON.stringify({ subscription: fresh.toJSON() });
  await fetch("/api/push/subscribe", { method: "POST", headers: { "content-type": "application/json" }, body });
}
