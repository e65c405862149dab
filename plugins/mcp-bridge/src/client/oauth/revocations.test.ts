import { type Egress, type JobContext, type Jobs, silentLogger } from "@parley/core";
import { memorySecrets } from "@parley/testing";
import { describe, expect, it } from "vitest";
import { createRevocations } from "./revocations.ts";
import type { SignIn } from "./sign-in-records.ts";

const server = { id: "far", url: "https://far.example/mcp" };
const metadata = { issuer: "https://far.example", revocation_endpoint: "https://far.example/revoke" };
const signIn = {
  client: { client_id: "c1" },
  redirectUrl: "https://bot.example/back",
  discovery: { authorizationServerUrl: "https://far.example", authorizationServerMetadata: metadata },
  tokens: { access_token: "at_1", refresh_token: "rt_1", token_type: "Bearer" },
} as unknown as SignIn;
function setUp(status: number, hasJobs = true) {
  const warned: unknown[] = [];
  const added: unknown[] = [];
  const posted: string[] = [];
  const call = async (url: string | URL, init?: RequestInit) => {
    posted.push(`${url} ${init?.body}`);
    return new Response(null, { status });
  };
  const jobs = {
    add: async (_kind: string, payload: unknown) => {
      added.push(payload);
      return { jobId: "job_1", isNew: true };
    },
  } as Pick<Jobs, "add"> as Jobs;
  const revocations = createRevocations({
    jobs: () => (hasJobs ? jobs : undefined),
    secrets: memorySecrets,
    egress: { fetch: () => call } as unknown as Egress,
    log: { ...silentLogger, warn: (message) => void warned.push(message) },
  });
  const run = (attempt: number) => {
    const context = { attempt, signal: new AbortController().signal } as JobContext;
    return Promise.resolve(revocations.kind.run(added.at(-1), context));
  };
  return { revocations, run, warned, added, posted };
}

describe("revoking an access token", () => {
  it("is stored as a job that hides the token, and sent by its run", async () => {
    const { revocations, run, added, posted } = setUp(200);
    await revocations.add(server, signIn);
    expect(posted).toEqual([]);
    expect(JSON.stringify(added)).not.toContain("rt_1");
    await run(1);
    expect(posted).toEqual(["https://far.example/revoke token=rt_1&client_id=c1"]);
  });

  it("is tried eight times, and the last failure is logged", async () => {
    const { revocations, run, warned } = setUp(503);
    await revocations.add(server, signIn);
    expect(revocations.kind.retry?.attempts).toBe(8);
    for (let attempt = 1; attempt < 8; attempt += 1) await expect(run(attempt)).rejects.toThrow("answered 503");
    expect(warned).toEqual([]);
    await expect(run(8)).rejects.toMatchObject({ code: "upstream_failed" });
    expect(warned).toEqual(["a server did not revoke its access: revoke it there"]);
  });

  it("ends at once when the server rejects it permanently", async () => {
    const { revocations, run, warned } = setUp(400);
    await revocations.add(server, signIn);
    await expect(run(1)).rejects.toMatchObject({ code: "permission_denied" });
    expect(warned).toHaveLength(1);
  });

  it("happens at once without jobs, and a failure does not stop the caller", async () => {
    const { revocations, posted, warned } = setUp(503, false);
    await revocations.add(server, signIn);
    expect([posted.length, warned.length]).toEqual([1, 1]);
  });

  it("is skipped when the server has no endpoint, or issued no token", async () => {
    const { revocations, added } = setUp(200);
    await revocations.add(server, { ...signIn, tokens: undefined });
    const authorizationServerMetadata = { issuer: metadata.issuer } as never;
    const discovery = { ...signIn.discovery, authorizationServerMetadata };
    await revocations.add(server, { ...signIn, discovery });
    expect(added).toEqual([]);
  });
});
