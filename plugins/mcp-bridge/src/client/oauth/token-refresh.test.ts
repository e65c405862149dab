import { silentLogger } from "@parley/core";
import { createTestClock, memoryRecordStore, memorySecrets } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SIGN_INS } from "../document-kinds.ts";
import { createSealedRecords } from "./sealed-records.ts";
import { listSignInSecrets, type SignIn } from "./sign-in-records.ts";
import { createTokenRefresh } from "./token-refresh.ts";

const server = { id: "far", url: "https://far.example/mcp" };
const signIn = (access_token: string, refresh_token: string) =>
  ({
    client: { client_id: "c1" },
    redirectUrl: "https://bot.example/back",
    discovery: { authorizationServerUrl: "https://far.example" },
    tokens: { access_token, refresh_token, token_type: "Bearer" },
  }) as SignIn;

/** Simulates processes on the same rows; `answer` is the server's answer to a refresh. */
async function setUp(answer: (refreshToken: string) => Response | Promise<Response>) {
  const stored = memoryRecordStore({ kinds: () => [], documents: () => [SIGN_INS as never] }).documents(SIGN_INS);
  const signIns = createSealedRecords<SignIn>({ stored, secrets: memorySecrets, kind: "sign-in" }, listSignInSecrets);
  await signIns.put(server, signIn("at_1", "rt_1"));
  const posted: string[] = [];
  const callFor = () =>
    (async (_input: string | URL, init?: RequestInit) => {
      const token = new URLSearchParams(String(init?.body)).get("refresh_token") ?? "";
      posted.push(token);
      return answer(token);
    }) as typeof fetch;
  const clock = createTestClock();
  const process = () => createTokenRefresh({ collection: stored, signIns, callFor, clock, log: silentLogger });
  return { stored, signIns, clock, posted, process };
}
const fresh = () => Response.json({ access_token: "at_2", refresh_token: "rt_2", token_type: "Bearer" });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("an expired token", () => {
  it("is renewed by one process, and the others use what it stored", async () => {
    const answer = Promise.withResolvers<Response>();
    const { posted, process } = await setUp(() => answer.promise);
    const [one, other] = [process()(server, "at_1"), process()(server, "at_1")];
    await vi.waitFor(() => expect(posted).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(posted).toEqual(["rt_1"]);
    answer.resolve(fresh());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all([one, other])).toEqual(["at_2", "at_2"]);
    expect(posted).toEqual(["rt_1"]);
  });

  it("is renewed by the next process when the server was overloaded for the first", async () => {
    let isWeak = true;
    const { posted, process } = await setUp(() =>
      isWeak ? Response.json({ error: "temporarily_unavailable" }, { status: 503 }) : fresh(),
    );
    await expect(process()(server, "at_1")).rejects.toMatchObject({ code: "upstream_failed" });
    isWeak = false;
    expect(await process()(server, "at_1")).toBe("at_2");
    expect(posted).toEqual(["rt_1", "rt_1"]);
  });

  it("is renewed even if the renewing process has ended", async () => {
    const { stored, clock, posted, process } = await setUp(fresh);
    await stored.update("far", (found) => ({ ...found, taken: "a process that is gone" }));
    const renewed = process()(server, "at_1");
    await vi.advanceTimersByTimeAsync(29_000);
    expect(posted).toEqual([]);
    clock.advance(30_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await renewed).toBe("at_2");
    expect(await stored.get("far")).not.toHaveProperty("taken");
  });

  it("does not overwrite a new sign-in, and is not restored after a sign-out", async () => {
    const answer = Promise.withResolvers<Response>();
    const { signIns, posted, process } = await setUp(() => answer.promise);
    const renewed = process()(server, "at_1");
    await vi.waitFor(() => expect(posted).toHaveLength(1));
    await signIns.put(server, signIn("at_9", "rt_9"));
    answer.resolve(fresh());
    expect(await renewed).toBe("at_9");
    await signIns.remove("far");
    expect(await process()(server, "at_9")).toBeUndefined();
  });

  it("that the server does not renew disables calls until a person signs in", async () => {
    const { signIns, process } = await setUp(() => Response.json({ error: "invalid_grant" }, { status: 400 }));
    expect(await process()(server, "at_1")).toBeUndefined();
    expect((await signIns.get(server))?.tokens).toBeUndefined();
    await signIns.put(server, signIn("at_9", "rt_9"));
    expect(await process()(server, "at_1")).toBe("at_9");
  });
});
