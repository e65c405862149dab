import { silentLogger } from "@parley/core";
import { expect, test } from "vitest";
import { createHttpListener } from "./http-listener.ts";

test("a request during a restart gets a translatable message", async () => {
  await using front = await createHttpListener({ host: "127.0.0.1", port: 0, log: silentLogger });
  const answer = await fetch(`${front.address}/api/stats`);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("1");
  expect(JSON.parse(answer.headers.get("x-parley-error") ?? "")).toMatchObject({ key: "restarting" });
  expect(await answer.json()).toEqual({ success: false, error: "the service is restarting", code: "unavailable" });
});
