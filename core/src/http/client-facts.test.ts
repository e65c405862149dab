import { hostname } from "node:os";
import { describe, expect, it, test } from "vitest";
import { createClientFacts, parseNetworks } from "./client-facts.ts";

const request = (remoteAddress: string, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { host: "h:1", "x-forwarded-for": "6.6.6.6, 9.9.9.9", "x-forwarded-proto": "https", ...headers },
  socket: { remoteAddress },
});
const behindProxy = createClientFacts({ web: { trusted_proxies: "10.0.0.0/8" }, boundTo: "0.0.0.0" });

it("forwarded headers of an untrusted peer are ignored", () => {
  expect(behindProxy(request("8.8.8.8", { "x-forwarded-host": "chat.example" }))).toEqual({
    address: "8.8.8.8",
    isTls: false,
    origin: "http://h:1",
    isOwnHost: false,
  });
});

it("the last hop before the trusted proxies is the client, and the proxy's host name counts", () => {
  expect(behindProxy(request("::ffff:10.0.0.1", { "x-forwarded-host": "chat.example" }))).toEqual({
    address: "9.9.9.9",
    isTls: true,
    origin: "https://chat.example",
    isOwnHost: true,
  });
});

describe("a host name of this service", () => {
  const web = { public_base_url: "https://chat.example/x", allowed_hosts: "parley, other.lan" };
  const isOwn = (host: string, boundTo: string, url = "/") =>
    createClientFacts({ web, boundTo })({ url, headers: { host }, socket: { remoteAddress: "127.0.0.1" } }).isOwnHost;

  test.each([
    "localhost:5000",
    "LOCALHOST",
    "127.0.0.1:5000",
    "127.0.0.9",
    "[::1]:5000",
    "chat.example",
    "chat.example:8443",
    "parley:5000",
    "other.lan",
    hostname(),
  ])("is %s, wherever the service listens", (host) => {
    expect([isOwn(host, "127.0.0.1"), isOwn(host, "0.0.0.0")]).toEqual([true, true]);
  });

  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "chat.example.evil.example",
    "a b",
    "",
    "localhost@evil.example",
    "evil.example@localhost",
    "localhost, evil.example",
    "localhost/evil.example",
    "localhost#evil.example",
  ])("is not %j", (host) => {
    expect([isOwn(host, "127.0.0.1"), isOwn(host, "0.0.0.0")]).toEqual([false, false]);
  });

  test("is any address when others can reach the service, else only one of this machine", () => {
    const seen = (boundTo: string) => ["192.168.1.5:5000", "[fd00::5]"].map((host) => isOwn(host, boundTo));
    expect([seen("127.0.0.1"), seen("::1"), seen("0.0.0.0"), seen("::"), seen("192.168.1.5")].flat()).toEqual([
      ...[false, false, false, false],
      ...[true, true, true, true, true, true],
    ]);
  });

  test("is also checked for a request target with a host", () => {
    expect(isOwn("localhost", "127.0.0.1", "http://evil.example/metrics")).toBe(false);
    expect(isOwn("localhost", "127.0.0.1", "http://localhost:5000/metrics")).toBe(true);
  });

  test("may be missing, because only programs omit it", () => {
    expect(createClientFacts({ web, boundTo: "127.0.0.1" })({ headers: {}, socket: {} }).isOwnHost).toBe(true);
  });
});

test("entries that are no network are reported and ignored", () => {
  const { list, wrong } = parseNetworks("10.0.0.1, 10.1.0.0/16,, fd00::/8, proxy.lan, 10.0.0.0/99, 10.0.0.0/x");
  expect(wrong).toEqual(["proxy.lan", "10.0.0.0/99", "10.0.0.0/x"]);
  expect(list.rules).toHaveLength(3);
});
