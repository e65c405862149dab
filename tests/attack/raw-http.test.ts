import { afterAll, beforeAll, expect } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { exchangeRaw, parseStatuses } from "../harness/http/raw-http.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { type Attack, attackGroup } from "./attack-group.ts";

let parley: Parley;
let api: Client;
let host: string;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  host = new URL(parley.address).host;
  await api.post("/api/sessions", { name: "MARKER" });
}, 60_000);

afterAll(() => parley[Symbol.asyncDispose]());

const CLIENT_HELLO = Buffer.concat([Buffer.from("16030100c8010000c40303", "hex"), Buffer.alloc(192, 7)]);
const HTTP2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0";

attackGroup("malformed HTTP", () => {
  const line = `Authorization: Bearer ${api.token}\r\n`;
  /** A smuggled request, hidden in the body of another, that must never be handled. */
  const hidden = `GET /api/sessions HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n`;
  const post = (headers: string, body = "") =>
    `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
  const get = (headers: string) => `GET /api/sessions HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
  const formatChunked = (body: string) => post("Transfer-Encoding: chunked\r\n", body);
  const forms: readonly (readonly [string, string | Uint8Array])[] = [
    ["a length and chunks", post("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${hidden}`)],
    ["chunks and a length", post("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", `0\r\n\r\n${hidden}`)],
    ["two lengths", post("Content-Length: 2\r\nContent-Length: 60\r\n", `{}${hidden}`)],
    ["two lengths in one", post("Content-Length: 2, 60\r\n", `{}${hidden}`)],
    ["a negative length", post("Content-Length: -1\r\n", hidden)],
    ["a length with a sign", post("Content-Length: +2\r\n", `{}${hidden}`)],
    ["a length in hex", post("Content-Length: 0x2\r\n", `{}${hidden}`)],
    ["a length beyond all numbers", post("Content-Length: 99999999999999999999\r\n", "{}")],
    ["an encoding written oddly", post("Transfer-Encoding: xchunked\r\n", `0\r\n\r\n${hidden}`)],
    ["two encodings", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", `0\r\n\r\n${hidden}`)],
    ["a tab before the encoding", post("Transfer-Encoding:\u000bchunked\r\n", `0\r\n\r\n${hidden}`)],
    ["a space before the colon", post("Transfer-Encoding : chunked\r\n", `0\r\n\r\n${hidden}`)],
    ["a negative chunk", formatChunked(`-1\r\n\r\n${hidden}`)],
    ["a chunk size with 0x", formatChunked(`0x2\r\n{}\r\n0\r\n\r\n`)],
    ["a chunk size beyond all numbers", formatChunked("fffffffffffffffff\r\n{}\r\n")],
    ["a chunk that is longer than it says", formatChunked(`2\r\n{}xx\r\n0\r\n\r\n${hidden}`)],
    ["a chunk ended by a bare line feed", formatChunked(`2\n{}\n0\n\n${hidden}`)],
    ["a very long chunk extension", formatChunked(`2;${"x".repeat(100_000)}\r\n{}\r\n0\r\n\r\n`)],
    ["bare line feeds", `GET /api/sessions HTTP/1.1\nHost: ${host}\n${line.replace("\r", "")}\n`],
    ["a folded header", get("X-A: 1\r\n folded\r\n")],
    ["a header without a colon", get("no colon here\r\n")],
    ["a header without a name", get(": value\r\n")],
    ["a space in a header's name", get("X A: 1\r\n")],
    ["NUL in a header", get("X-A: a\0b\r\n")],
    ["a return in a header", get("X-A: a\rX-B: b\r\n")],
    ["100 KiB of one header", get(`X-A: ${"x".repeat(100_000)}\r\n`)],
    ["3,000 headers", get("X-A: 1\r\n".repeat(3_000))],
    ["HTTP/2 without asking", HTTP2],
    ["TLS", CLIENT_HELLO],
    ["a tunnel", `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ["no version", "GET /api/sessions\r\n\r\n"],
    ["a version that does not exist", `GET /api/sessions HTTP/9.9\r\nHost: ${host}\r\n${line}\r\n`],
    ["a method in lower case", `get /api/sessions HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n`],
    ["a method that does not exist", `BREW /api/sessions HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n`],
    ["NUL in the path", `GET /api/sess\0ions HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n`],
    ["a path of 100 KiB", `GET /${"x".repeat(100_000)} HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n`],
    ["an upgrade to h2c", get("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n")],
    ["noise", Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 7919) % 251))],
  ];
  return [
    ...forms.map(
      ([what, bytes]): Attack => [
        what,
        async () => {
          const answer = await exchangeRaw(parley.address, bytes);
          expect(answer).not.toContain("MARKER");
          expect(parseStatuses(answer).filter((status) => status < 400 || status === 500)).toEqual([]);
        },
      ],
    ),
    ["that the service has survived", async () => expect((await api.send("GET", "/api/sessions")).status).toBe(200)],
  ];
});

attackGroup("forms of the Host header", () => {
  const port = new URL(parley.address).port;
  const ask = (target: string, hosts: readonly string[], version = "1.1") =>
    exchangeRaw(
      parley.address,
      `GET ${target} HTTP/${version}\r\n${hosts.map((one) => `Host: ${one}\r\n`).join("")}Connection: close\r\n\r\n`,
    );
  const forms: readonly (readonly [string, string, readonly string[], boolean])[] = [
    ["this address", "/", [host], true],
    ["localhost", "/", [`localhost:${port}`], true],
    ["a foreign name", "/", ["evil.example"], false],
    ["a foreign name with our port", "/", [`evil.example:${port}`], false],
    ["a foreign name, for the metrics", "/metrics", ["evil.example"], false],
    ["a foreign name, for the description", "/api/openapi.json", ["evil.example"], false],
    ["a name that begins like ours", "/", [`127.0.0.1.evil.example:${port}`], false],
    ["a name that ends like ours", "/", [`evil.localhost.example:${port}`], false],
    ["a user before our name", "/", [`evil.example@${host}`], false],
    ["our name and a foreign one", "/", [host, "evil.example"], false],
    ["a foreign name and ours", "/", ["evil.example", host], false],
    ["two in one", "/", [`${host}, evil.example`], false],
    ["an empty one", "/", [""], false],
    ["none", "/", [], false],
    ["garbage", "/", ["%00\\\\[::"], false],
    ["a foreign name in the request line", "http://evil.example/", [host], false],
  ];
  return [
    ...forms.map(
      ([what, target, hosts, isServed]): Attack => [
        what,
        async () => {
          const [status = 0] = parseStatuses(await ask(target, hosts));
          expect(isServed ? status : status === 0 || (status >= 400 && status < 500)).toBe(isServed ? 200 : true);
        },
      ],
    ),
    [
      "a sign-in from a page whose name was turned to this address",
      async () => {
        const body = JSON.stringify(parley.credentials);
        const answer = await exchangeRaw(
          parley.address,
          `POST /api/login HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
        expect(answer).not.toContain("tok_");
      },
    ],
  ];
});

attackGroup("what comes back in headers", () => {
  const marks = ["a\r\nX-Evil: 1", "a\nX-Evil: 1", "%0d%0aX-Evil:%201", "a\u2028X-Evil: 1", "é\u0001", "x".repeat(500)];
  const clean = (headers: Headers) => {
    expect(headers.get("x-evil")).toBeNull();
    const { "x-parley-error": explained = "{}", ...others } = Object.fromEntries(headers);
    expect(Object.values(others).join("\n")).not.toMatch(/X-Evil/i);
    // The header repeats parts of the request, as JSON in one line of printable ASCII.
    expect(explained).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(explained)).toBeTypeOf("object");
  };
  return [
    ...marks.map(
      (mark): Attack => [
        `a path with ${JSON.stringify(mark.slice(0, 20))}`,
        async () => clean((await api.send("GET", `/api/sessions/${encodeURIComponent(mark)}`)).headers),
      ],
    ),
    ...["a b", "a\tb", "<script>", "x".repeat(65), "a;b", "é"].map(
      (id): Attack => [
        `a request id like ${JSON.stringify(id.slice(0, 20))}`,
        async () => {
          const { headers } = await api.send("GET", "/api/sessions", { headers: { "x-request-id": id } });
          expect(headers.get("x-request-id")).toMatch(/^req_\w+$/);
        },
      ],
    ),
    [
      "a page that is framed, guessed at or read by others",
      async () => {
        for (const path of ["/", "/api/docs", "/api/openapi.json", "/api/sessions", "/api/none"]) {
          const { headers } = await api.send("GET", path);
          expect(Object.fromEntries(headers), path).toMatchObject({
            "content-security-policy": expect.not.stringMatching(/script-src[^;]*('unsafe-inline'|'unsafe-eval'|\*)/),
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "no-referrer",
          });
        }
      },
    ],
  ];
});
