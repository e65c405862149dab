import { expect, it } from "vitest";
import { createClientFacts } from "./client-address.ts";

const request = (remoteAddress: string) => ({
  headers: { host: "h:1", "x-forwarded-for": "6.6.6.6, 9.9.9.9", "x-forwarded-proto": "https" },
  socket: { remoteAddress },
});

it("ignores forwarded headers of a peer that is not trusted", () => {
  expect(createClientFacts("10.0.0.0/8")(request("8.8.8.8"))).toMatchObject({
    address: "8.8.8.8",
    origin: "http://h:1",
  });
});

it("takes the last hop that no trusted proxy wrote", () => {
  expect(createClientFacts("10.0.0.0/8")(request("::ffff:10.0.0.1"))).toMatchObject({
    address: "9.9.9.9",
    origin: "https://h:1",
  });
});
