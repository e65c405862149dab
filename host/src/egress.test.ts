import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
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
])("refuses the address %s to public callers", async (host) => {
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
])("refuses the address %s also where private ones may be reached", async (host) => {
  const fetch = createEgress().fetch({ reach: "private", timeoutMs: 1_000 });
  await expect(fetch(`http://${host}:9/`)).rejects.toMatchObject({ code: "bad_request" });
});

it("refuses a public name that resolves to a private address", async () => {
  const fetch = createEgress(async () => [{ address: "10.0.0.1", family: 4 }]).fetch({ reach: "public" });
  await expect(fetch("http://rebound.example/")).rejects.toMatchObject({ code: "bad_request" });
});

it("refuses a redirect to an address that its policy forbids", async () => {
  const server = createServer((_, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const fetch = createEgress().fetch({ reach: "loopback", redirects: 3 });
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: "bad_request" });
  server.close();
});
