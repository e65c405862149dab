import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { exchangeRaw, parseStatuses } from "../harness/http/raw-http.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { type Attack, attackGroup } from "./attack-group.ts";

const SECRET = "MARKER-OF-A-FILE-NOBODY-MAY-READ";
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  for (const folder of [".", "data", "data/files", "data/keys"]) {
    mkdirSync(join(parley.root, folder), { recursive: true });
    writeFileSync(join(parley.root, folder, "secret.txt"), SECRET);
  }
}, 60_000);

afterAll(() => parley[Symbol.asyncDispose]());

/** Encodings of `..` and `/` that some decoder has once accepted. */
const UP = [
  "../",
  "..%2f",
  "..%2F",
  "%2e%2e/",
  "%2e%2e%2f",
  "%252e%252e%252f",
  "..%252f",
  "..\\",
  "..%5c",
  "%c0%ae%c0%ae/",
  "%e0%80%ae%e0%80%ae/",
  "%uff0e%uff0e/",
  "....//",
  ".../",
  "..;/",
  "..%00/",
  "..%0d/",
  "./../",
];
const PLACES = ["/static/files/", "/assets/"];
const OTHERS = [
  "/static/files//etc/passwd",
  "/static/files/%2fetc%2fpasswd",
  "/static/files/file:%2f%2f%2fetc%2fpasswd",
  "/static/files/C:%5cwindows%5cwin.ini",
  "/static/files/secret.txt",
  "/static/files/secret.txt%00.png",
  "/static/files/.",
  "/static/files/..",
  "/static/files/%2e",
  "/static/files/_meta",
  "/static/files/_meta%2fx",
  "/static/files/CON",
  `/static/files/${"x".repeat(5_000)}`,
  "/assets//etc/passwd",
  "/assets/%2fetc%2fpasswd",
  "/assets/..%2findex.html%00",
  "//etc/passwd",
  "/..%2f..%2f..%2fetc%2fpasswd",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/config.ini",
  "/data/parley.db",
  "/.env",
  "/api//sessions",
  "//api/sessions",
  "/api/sessions/",
  "/api/sessions;x=1",
  "/API/SESSIONS",
  "/api/sessions%20",
  "/api/sessions%00",
  "/api/files/..%2f..%2fconfig.ini/preview",
  "/api/files/secret.txt/preview",
];

/** Other spellings of a route's path, which may work with a login. */
const SPELLINGS = [
  "/api/%2e%2e/api/sessions",
  "/api/./sessions",
  "/static/../api/sessions",
  "/assets/%2e%2e/api/sessions",
];

attackGroup("ways out of a folder", () => {
  const paths = [...PLACES.flatMap((place) => UP.map((up) => `${place}${up.repeat(4)}secret.txt`)), ...OTHERS];
  return [
    ...paths.flatMap((path): readonly Attack[] => [
      [`${path.slice(0, 60)} by nobody`, () => isNowhere(path, "", [400, 401, 404])],
      [`${path.slice(0, 60)} by an administrator`, () => isNowhere(path, api.token, [400, 404])],
    ]),
    ...SPELLINGS.map((path): Attack => [`${path} by nobody`, () => isNowhere(path, "", [400, 401, 404])]),
    ...["../../etc/passwd", "..\\..\\x", "/etc/passwd", "a/../../b", "\0", "."].map(
      (id): Attack => [
        `an id like ${JSON.stringify(id)} in every place for one`,
        async () => {
          for (const place of ["sessions", "api-keys", "ai-models", "channels", "mcp-servers", "gateway/events"]) {
            const path = `/api/${place}/${encodeURIComponent(id)}`;
            for (const method of ["GET", "DELETE"]) {
              expect([400, 404, 405], path).toContain((await api.send(method, path)).status);
            }
          }
        },
      ],
    ),
  ];
});

async function isNowhere(path: string, token: string, statuses: readonly number[]): Promise<void> {
  const login = token && `Authorization: Bearer ${token}\r\n`;
  const { host } = new URL(parley.address);
  const answer = await exchangeRaw(
    parley.address,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${login}Connection: close\r\n\r\n`,
  );
  expect(answer).not.toContain(SECRET);
  expect(answer).not.toContain("root:x:");
  expect(statuses).toContain(parseStatuses(answer)[0]);
}
