import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { createEgress } from "./egress.ts";

it.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "0.0.0.0",
  "224.0.0.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[fe80::1]",
  "[fd00::1]",
  "[ff02::1]",
  "[64:ff9b::7f00:1]",
  "2130706433",
])("rejects the address %s to public callers", async (host) => {
  const fetch = createEgress().fetch({ reach: "public", timeoutMs: 1_000 });
  await expect(fetch(`http://${host}:9/`)).rejects.toMatchObject({ code: "bad_request" });
});

it.each([
  "169.254.169.254",
  "100.100.100.200",
  "168.63.129.16",
  "[fd00:ec2::254]",
  "[fd20:ce::254]",
  "[::ffff:169.254.169.254]",
  "[::ffff:6464:64c8]",
  "[::169.254.169.254]",
  "[::127.0.0.1]",
  "[2002:7f00:1::]",
  "[2002:a9fe:a9fe::]",
  "[64:ff9b::a9fe:a9fe]",
])("rejects the address %s also where private ones may be reached", async (host) => {
  const fetch = createEgress().fetch({ reach: "private", timeoutMs: 1_000 });
  await expect(fetch(`http://${host}:9/`)).rejects.toMatchObject({ code: "bad_request" });
});

it("rejects a public name that resolves to a private address", async () => {
  const fetch = createEgress(async () => [{ address: "10.0.0.1", family: 4 }]).fetch({ reach: "public" });
  await expect(fetch("http://rebound.example/")).rejects.toMatchObject({ code: "bad_request" });
});

it("rejects a redirect to an address that its policy forbids", async () => {
  const server = createServer((_, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const fetch = createEgress().fetch({ reach: "loopback", redirects: 3 });
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: "bad_request" });
  server.close();
});

async function serve(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

it("returns status, headers and body of an answer, also of an empty one", async () => {
  await using server = await serve((request, response) => {
    if (request.method === "DELETE") return void response.writeHead(204).end();
    response.writeHead(418, "Teapot", { "x-one": ["a", "b"], "content-type": "application/json" }).end('{"a":1}');
  });
  const fetch = createEgress().fetch({ reach: "loopback" });
  const answer = await fetch(server.url);
  expect([answer.status, answer.statusText, answer.headers.get("x-one")]).toEqual([418, "Teapot", "a, b"]);
  expect(await answer.json()).toEqual({ a: 1 });
  expect((await fetch(server.url, { method: "DELETE" })).status).toBe(204);
});

it("sends texts, bytes, forms and streams", async () => {
  await using server = await serve(async (request, response) => {
    const body = (await request.toArray()).join("");
    response.end(JSON.stringify({ type: request.headers["content-type"] ?? "", body }));
  });
  const fetch = createEgress().fetch({ reach: "loopback" });
  const form = new FormData();
  form.set("a", "b");
  const sent = async (body: NonNullable<RequestInit["body"]>) =>
    (await fetch(server.url, { method: "POST", body })).json();
  expect(await sent("text")).toEqual({ type: "text/plain;charset=UTF-8", body: "text" });
  expect(await sent(Buffer.from("bytes"))).toEqual({ type: "", body: "bytes" });
  expect(await sent(new URLSearchParams("a=b"))).toMatchObject({ body: "a=b" });
  expect(await sent(form)).toMatchObject({
    type: expect.stringContaining("multipart/form-data"),
    body: expect.stringContaining('name="a"'),
  });
  expect(await sent(ReadableStream.from([Buffer.from("one"), Buffer.from("two")]))).toMatchObject({ body: "onetwo" });
  expect(await sent(Readable.from([Buffer.from("of "), Buffer.from("Node")]))).toEqual({ type: "", body: "of Node" });
});

it("streams the body as it arrives, and closes the connection when it is cancelled", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  await using server = await serve((_, response) => {
    response.on("close", resolve);
    response.write("first");
  });
  const answer = await createEgress().fetch({ reach: "loopback" })(server.url);
  const reader = answer.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
  await reader?.cancel();
  await closed;
});

it("aborts with the reason of its signal, before the answer and during it", async () => {
  await using server = await serve((request, response) => {
    if (request.url === "/begun") response.write("first");
  });
  const fetch = createEgress().fetch({ reach: "loopback" });
  const early = new AbortController();
  const asking = fetch(server.url, { signal: early.signal });
  setImmediate(() => early.abort());
  await expect(asking).rejects.toMatchObject({ name: "AbortError" });
  const late = new AbortController();
  const answer = await fetch(`${server.url}begun`, { signal: late.signal });
  const reading = answer.text();
  setImmediate(() => late.abort());
  await expect(reading).rejects.toMatchObject({ name: "AbortError" });
});

it("decompresses an answer, and stops one that is too large, compressed or not", async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000));
  await using server = await serve((request, response) => {
    if (request.url === "/small") response.setHeader("content-encoding", "gzip").end(gzipSync("small"));
    else if (request.url === "/bomb") response.setHeader("content-encoding", "gzip").end(bomb);
    else if (request.url === "/parts") response.write(Buffer.alloc(60_000), () => response.end(Buffer.alloc(60_000)));
    else response.end(Buffer.alloc(60_000));
  });
  const fetch = createEgress().fetch({ reach: "loopback", maxBytes: 50_000 });
  expect(await (await fetch(`${server.url}small`)).text()).toBe("small");
  const whole = async (path: string) => (await fetch(`${server.url}${path}`)).text();
  for (const path of ["bomb", "parts", "plain"]) await expect(whole(path)).rejects.toMatchObject({ code: "too_large" });
});

it("distinguishes a broken connection from one that was never made", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { "content-length": 10 });
    response.write("half", () => response.destroy());
  });
  const fetch = createEgress().fetch({ reach: "loopback" });
  await expect(fetch(server.url)).rejects.toMatchObject({
    code: "upstream_failed",
    message: expect.stringContaining("closed the connection"),
  });
  await expect(fetch("http://127.0.0.1:1/")).rejects.toMatchObject({
    code: "upstream_failed",
    message: expect.stringContaining("cannot be reached (ECONNREFUSED)"),
  });
});

it("validates an address before it is stored, and skips a name that does not resolve yet", async () => {
  const names: Readonly<Record<string, string>> = {
    "push.example.org": "93.184.215.14",
    "inside.example.org": "10.0.0.7",
  };
  const egress = createEgress(async (name) => {
    const address = names[name];
    if (!address) throw new Error("ENOTFOUND");
    return [{ address, family: 4 }];
  });
  await egress.check("https://push.example.org/1", "public");
  await egress.check("https://later.example.org/1", "public");
  await egress.check("https://inside.example.org/1", "private");
  for (const url of [
    "https://inside.example.org/1",
    "https://[::1]/1",
    "https://user@push.example.org/1",
    "ftp://push.example.org",
  ]) {
    await expect(egress.check(url, "public"), url).rejects.toMatchObject({ code: "bad_request" });
  }
});

it("does not wait for an unresponsive name server: the name counts as unresolved", async () => {
  vi.useFakeTimers();
  try {
    const checked = createEgress(() => new Promise(() => {})).check("https://push.example.org/1", "public");
    await vi.advanceTimersByTimeAsync(2_000);
    await expect(checked).resolves.toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it("does not send custom headers and the body to another server after a redirect", async () => {
  const seen: (readonly [string, IncomingHttpHeaders, string])[] = [];
  const note: RequestListener = async (request, response) => {
    seen.push([request.method ?? "", request.headers, await text(request)]);
    response.end("there");
  };
  await using other = await serve(note);
  const statuses = [301, 302, 303, 307, 308];
  await using server = await serve((request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { location: other.url }).end();
  });
  const fetch = createEgress().fetch({ reach: "loopback", redirects: 1 });
  const headers = {
    accept: "text/plain",
    "x-tenant": "acme",
    "x-api-key": "k",
    cookie: "a=b",
    authorization: "Bearer s",
  };
  for (const status of statuses) await fetch(`${server.url}${status}`, { headers });
  expect(seen.map(([, given]) => [given.accept, given["x-tenant"], given["x-api-key"], given.cookie])).toEqual(
    statuses.map(() => ["text/plain", undefined, undefined, undefined]),
  );
  for (const status of [307, 308]) {
    const sending = fetch(`${server.url}${status}`, { method: "POST", headers, body: "private" });
    await expect(sending).rejects.toMatchObject({ code: "upstream_failed" });
  }
  await fetch(`${server.url}302`, { method: "POST", headers, body: "private" });
  expect(seen.map(([method, , body]) => `${method} ${body}`)).toEqual([...statuses, 302].map(() => "GET "));
});
