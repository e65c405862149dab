import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError, type RawReply, type RouteTable, rawReply, route, type Settings, safeJoin } from "@parley/core";
import { answerFields, bytes, escapeHtml } from "@parley/core/http";
import { TITLE_SETTING } from "./title.ts";

const CONTENT_TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

// Mantine writes its theme into style elements; scripts may only come from our own files.
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' https: data: blob:",
  "media-src 'self' blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

// A worker's fetches are subject to its own policy; the usual one would block all files of its pages.
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'; frame-ancestors 'none'";

const HTML_RESPONSE = { "text/html": answerFields.text };
const BUILD_FOLDER = fileURLToPath(new URL("../dist/console/", import.meta.url));

/** Routes of the built console: page, assets and manifest. */
export function createPageRoutes(settings: Settings, folder = BUILD_FOLDER): RouteTable {
  const read = createFileCache();
  const page = () => renderConsolePage(folder, settings.get(TITLE_SETTING));
  return [
    route({
      method: "GET",
      path: "/",
      summary: "the console",
      data: HTML_RESPONSE,
      auth: "open",
      reply: "raw",
      run: page,
    }),
    route({
      method: "GET",
      path: "/dashboard",
      summary: "the console",
      data: HTML_RESPONSE,
      auth: "open",
      reply: "raw",
      run: page,
    }),
    route({
      method: "GET",
      path: "/assets/{name*}",
      summary: "a file of the console",
      data: { "*/*": bytes },
      auth: "open",
      reply: "raw",
      run: ({ params }) => serveAsset(folder, params.name, read),
    }),
    route({
      method: "GET",
      path: "/sw.js",
      summary: "the console's service worker",
      data: { "application/javascript": answerFields.text },
      auth: "open",
      reply: "raw",
      run: () => serveServiceWorker(folder),
    }),
    route({
      method: "GET",
      path: "/manifest.webmanifest",
      summary: "what a browser shows of the installed console",
      data: { "application/manifest+json": answerFields.record },
      auth: "open",
      reply: "raw",
      run: () => createManifest(settings),
    }),
  ];
}

async function renderConsolePage(folder: string, title: string): Promise<RawReply> {
  const page = await readFile(join(folder, "index.html"), "utf8").catch((cause) => {
    throw new AppError("unavailable", "the console is not built", { cause });
  });
  return rawReply({
    body: page.replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`),
    type: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": PAGE_POLICY,
      "x-frame-options": "DENY",
      "cache-control": "no-cache",
    },
  });
}

// Built files have a content hash in their name, so they are immutable.
async function serveAsset(folder: string, name: string, read: (path: string) => Promise<Buffer>): Promise<RawReply> {
  const path = safeJoin(join(folder, "assets"), name);
  const body = await read(path).catch((cause) => {
    throw new AppError("not_found", `file '${name}' does not exist`, { cause });
  });
  return rawReply({
    body,
    type: CONTENT_TYPE_BY_EXTENSION[extname(name)] ?? "application/octet-stream",
    headers: {
      "cache-control": "public, max-age=31536000, immutable",
      // Public, since the sandboxed frame of a diagram has no origin.
      "cross-origin-resource-policy": "cross-origin",
    },
  });
}

/** Reads each file once, so that it is also compressed once. */
function createFileCache(): (path: string) => Promise<Buffer> {
  const files = new Map<string, Promise<Buffer>>();
  return (path) => {
    const known = files.get(path);
    if (known) return known;
    const read = readFile(path);
    files.set(path, read);
    read.catch(() => files.delete(path));
    return read;
  };
}

async function serveServiceWorker(folder: string): Promise<RawReply> {
  const body = await readFile(join(folder, "sw.js")).catch((cause) => {
    throw new AppError("unavailable", "the console is not built", { cause });
  });
  return rawReply({
    body,
    type: "application/javascript",
    headers: { "cache-control": "no-cache", "service-worker-allowed": "/", "content-security-policy": WORKER_POLICY },
  });
}

const toIcon = (size: number, purpose = "any", name = `icon-${size}`) => ({
  src: `/assets/${name}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});
// Launchers crop a maskable icon, so its edge is empty.
const ICONS = [
  { src: "/assets/icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
  toIcon(192),
  toIcon(512),
  toIcon(512, "maskable", "icon-maskable-512"),
];

function createManifest(settings: Settings): RawReply {
  const name = settings.get(TITLE_SETTING);
  return rawReply({
    body: JSON.stringify({
      name,
      short_name: name,
      description: `${name}: conversations, models and plugins`,
      start_url: "/dashboard",
      scope: "/",
      display: "standalone",
      background_color: "#ffffff",
      theme_color: "#ffffff",
      icons: ICONS,
    }),
    type: "application/manifest+json",
    headers: { "cache-control": "no-cache" },
  });
}
