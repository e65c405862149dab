import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Files } from "@parley/core";
import { afterAll, beforeAll, expect } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { type Attack, attackGroup } from "./attack-group.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);

afterAll(() => parley[Symbol.asyncDispose]());

interface Uploaded {
  readonly url: string;
  readonly safe_name: string;
}

async function upload(name: string, content: string, type = ""): Promise<{ status: number; file: Uploaded }> {
  const form = new FormData();
  form.append("file", new File([content], name, { type }));
  const headers = { authorization: `Bearer ${api.token}` };
  const answer = await fetch(`${parley.address}/api/upload`, { method: "POST", body: form, headers });
  const { data } = (await answer.json()) as { data?: Uploaded };
  return { status: answer.status, file: data ?? { url: "", safe_name: "" } };
}

const read = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(new URL(path, parley.address), { headers: { authorization: `Bearer ${api.token}`, ...headers } });

const SCRIPT = "<script>alert(1)</script>";
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`;
const PNG = "\u0089PNG\r\n\u001a\n";

/** Types that a browser or an operating system would execute. */
const ACTIVE: readonly (readonly [name: string, type: string, content: string])[] = [
  ["a.html", "text/html", `<!doctype html>${SCRIPT}`],
  ["a.htm", "text/plain", `<html>${SCRIPT}`],
  ["a.xhtml", "application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`],
  ["a.svg", "image/svg+xml", SVG],
  ["a.svgz", "image/svg+xml", SVG],
  ["a.xml", "text/xml", `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">1</x:script>`],
  ["a.xsl", "text/xsl", '<?xml version="1.0"?><xsl:stylesheet version="1.0"/>'],
  ["a.rss", "application/rss+xml", `<?xml version="1.0"?><rss>${SCRIPT}</rss>`],
  ["a.js", "text/javascript", "alert(1)"],
  ["a.mjs", "application/javascript", "alert(1)"],
  ["a.wasm", "application/wasm", "\0asm"],
  ["a.hta", "application/hta", SCRIPT],
  ["a.vtt.html", "image/png", `WEBVTT ${SCRIPT}`],
  ["a.png.svg", "image/png", SVG],
];
/** Content that browsers or servers might execute, disguised as an image; must be served as text or image at most. */
const PRETENDED: readonly (readonly [name: string, type: string, content: string])[] = [
  ["a.png", "text/html", SCRIPT],
  ["a.png", "image/png", SVG],
  ["a.txt", "text/html", `<!doctype html>${SCRIPT}`],
  ["a.jpg", "image/svg+xml", SVG],
  ["a.gif", "image/gif", `GIF89a/*${SCRIPT}*/`],
  ["a.pdf", "application/pdf", `<html>${SCRIPT}`],
  ["a", "text/html", SCRIPT],
  ["polyglot.png", "image/png", `${PNG}${SCRIPT}`],
  ["a.html\u0000.png", "image/png", SCRIPT],
  ["a.swf", "application/x-shockwave-flash", "FWS"],
  ["a.mht", "multipart/related", `MIME-Version: 1.0\r\n\r\n${SCRIPT}`],
  ["a.php", "application/x-php", "<?php phpinfo();"],
  ["a.jsp", "text/plain", "<% out.print(1) %>"],
  ["a.shtml", "text/html", '<!--#exec cmd="id" -->'],
  ["a.webmanifest", "application/manifest+json", "{}"],
  ["a.appcache", "text/cache-manifest", "CACHE MANIFEST"],
];

attackGroup("stored files of active types", () => [
  ...ACTIVE.map(
    ([name, type, content]): Attack => [
      `${name} as ${type}`,
      async () => {
        const { headers } = await uploadAndFetch(name, content, type);
        expect(headers.get("content-disposition")).toMatch(/^attachment/);
        expect(headers.get("content-type")).not.toMatch(/html|svg|xml|script|manifest|shockwave/);
      },
    ],
  ),
  ...PRETENDED.map(
    ([name, type, content]): Attack => [
      `${JSON.stringify(name)} as ${type}`,
      async () => {
        const { headers } = await uploadAndFetch(name, content, type);
        expect(headers.get("content-type")).not.toMatch(/html|svg|xml|script/);
      },
    ],
  ),
  [
    "a preview that runs",
    async () => {
      const { file } = await upload("page.html", SCRIPT, "text/html");
      const answer = await read(`/api/files/${file.safe_name}/preview`);
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    },
  ],
]);

/** Uploads a file and returns its response, which no browser may execute, sniff or let others embed. */
async function uploadAndFetch(name: string, content: string, type: string): Promise<Response> {
  const { status, file } = await upload(name, content, type);
  expect(status).toBe(200);
  const answer = await read(file.url);
  await answer.arrayBuffer();
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-security-policy": expect.stringContaining("sandbox"),
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": expect.stringContaining("private"),
  });
  return answer;
}

const NAMES = [
  "../../../tmp/escaped.txt",
  "..\\..\\escaped.txt",
  "/etc/escaped.txt",
  "C:\\escaped.txt",
  "a/b/escaped.txt",
  "..",
  ".",
  ".htaccess",
  "_meta",
  " ",
  "a\u0000.txt",
  "a\r\nX-Evil: 1.txt",
  'a";filename="evil.exe',
  "a\u202egpj.exe",
  "CON.txt",
  "-rf.txt",
  "%2e%2e%2fescaped.txt",
  "a;b'c`d$(e)|f.txt",
  "😀".repeat(80),
  "x".repeat(5_000),
  "__proto__",
  "<img src=x onerror=alert(1)>.txt",
];

attackGroup("names of stored files", () => [
  ...NAMES.map(
    (name): Attack => [
      JSON.stringify(name.slice(0, 30)),
      async () => {
        const { status, file } = await upload(name, "content");
        expect([200, 400]).toContain(status);
        expect(listEscapedFiles()).toEqual([]);
        if (status !== 200) return;
        expect(file.safe_name).toMatch(/^[^/\\\p{Cc}]{22,200}$/u);
        const answer = await read(file.url);
        expect(await answer.text()).toBe("content");
        expect(answer.headers.get("x-evil")).toBeNull();
        expect(answer.headers.get("content-disposition")).toMatch(
          /^(inline|attachment); filename="[\w. -]+"; filename\*=UTF-8''[\w.%!~-]+$/,
        );
      },
    ],
  ),
]);

/** Returns files in places where no upload may store one. */
function listEscapedFiles(): readonly string[] {
  const top = readdirSync(join(parley.root, "data")).filter((name) => /escaped|evil|htaccess/.test(name));
  return [...top, ...["/tmp/escaped.txt", "/etc/escaped.txt"].filter((path) => existsSync(path))];
}

attackGroup("ranges of stored files", () => {
  const odd = [
    "bytes=0-",
    "bytes=-1",
    "bytes=5-2",
    "bytes=99999-",
    "bytes=-0",
    "bytes=0-99999999999999999999",
    "bytes=a-b",
    "bytes=",
    "bytes=--1",
    "items=0-1",
    "bytes=0-0,1-1",
    `bytes=${Array.from({ length: 500 }, (_, at) => `${at}-${at}`).join(",")}`,
  ];
  return odd.map(
    (range): Attack => [
      range.slice(0, 40),
      async () => {
        const { file } = await upload("ten.txt", "0123456789", "text/plain");
        const answer = await read(file.url, { range });
        const text = await answer.text();
        expect([200, 206, 416]).toContain(answer.status);
        if (answer.status !== 416) expect("0123456789").toContain(text);
        if (answer.status === 206) expect(Number(answer.headers.get("content-length"))).toBe(text.length);
      },
    ],
  );
});

attackGroup("signed links", () => {
  const linked = async () => {
    const { file } = await upload("linked.txt", "linked", "text/plain");
    return { file, link: new URL(parley.host.get(Files).link(file.url, 60), parley.address) };
  };
  const open = (url: URL | string) => fetch(new URL(url, parley.address));
  const bent = (bend: (query: URLSearchParams) => void) => async () => {
    const { link } = await linked();
    bend(link.searchParams);
    expect((await open(link)).status).toBe(401);
  };
  return [
    [
      "as it is: the file",
      async () => {
        const { link } = await linked();
        expect(await (await open(link)).text()).toBe("linked");
      },
    ],
    [
      "for another file",
      async () => {
        const [{ link }, { file }] = [await linked(), await linked()];
        expect((await open(`${file.url}${link.search}`)).status).toBe(401);
      },
    ],
    [
      "for another row",
      async () => {
        const { link, file } = await linked();
        for (const path of ["/api/sessions", `/api/files/${file.safe_name}/preview`, "/api/settings"]) {
          expect((await open(`${path}${link.search}`)).status, path).toBe(401);
        }
      },
    ],
    ["without a signature", bent((query) => query.delete("sig"))],
    ["without a time", bent((query) => query.delete("exp"))],
    ["with an empty signature", bent((query) => query.set("sig", ""))],
    ["with another signature", bent((query) => query.set("sig", "A".repeat(43)))],
    ["with a signature cut short", bent((query) => query.set("sig", (query.get("sig") ?? "").slice(0, -1)))],
    ["with a later time", bent((query) => query.set("exp", String(Number(query.get("exp")) + 3_600)))],
    ["with a time that is no number", bent((query) => query.set("exp", "Infinity"))],
    ["with a time in another form", bent((query) => query.set("exp", `+${query.get("exp")}`))],
    ["with a time that is over", bent((query) => query.set("exp", "1"))],
    ["with two times", bent((query) => query.append("exp", "99999999999"))],
    ["with two signatures", bent((query) => query.append("sig", "x"))],
    [
      "for changing something",
      async () => {
        const { link } = await linked();
        const answer = await fetch(new URL(`/api/sessions${link.search}`, parley.address), { method: "POST" });
        expect(answer.status).toBe(401);
      },
    ],
  ];
});
