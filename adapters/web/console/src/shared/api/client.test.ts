import { afterEach, expect, it, vi } from "vitest";
import { ApiError, fetchData, fetchRaw, onSignedOut } from "./client.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  onSignedOut(() => {});
});

const answers = (status: number, body: object) =>
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status }));

it("uploads and downloads notice the end of a login, like other requests", async () => {
  let ends = 0;
  onSignedOut(() => {
    ends += 1;
  });
  answers(401, { success: false, error: "sign in", code: "unauthorized" });
  await expect(fetchRaw("/api/personality/export")).rejects.toBeInstanceOf(ApiError);
  await expect(fetchData("/api/knowledge/files", { method: "POST" })).rejects.toMatchObject({ status: 401 });
  expect(ends).toBe(2);
  answers(200, { success: true, message: "", data: { id: "a" } });
  expect(await fetchData("/api/knowledge/files")).toEqual({ id: "a" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await expect(fetchRaw("/api/upload")).rejects.toMatchObject({ code: "network", status: 0 });
});
