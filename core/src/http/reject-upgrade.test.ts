import { Duplex } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { rejectUpgrade } from "./reject-upgrade.ts";

afterEach(() => void vi.useRealTimers());

test("a client that does not read the rejection is disconnected after two seconds", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stream = new Duplex({ read() {}, write() {} });
  rejectUpgrade(stream, "404 Not Found");
  vi.advanceTimersByTime(1_999);
  expect(stream.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(stream.destroyed).toBe(true);
});

test("a rejection has the given text, and the connection is closed once it is read", async () => {
  let response = "";
  const stream = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      response += chunk;
      done();
    },
  });
  rejectUpgrade(stream, "429 Refused", { headers: { "Retry-After": "5" }, body: "ä" });
  await new Promise((resolve) => stream.once("close", resolve));
  expect(response).toBe("HTTP/1.1 429 Refused\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 2\r\n\r\nä");
});
