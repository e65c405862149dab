import Joi from "@hapi/joi";
import {
  AppError,
  Databases,
  type Scope,
  type Tool,
  type ToolCaller,
  ToolConfirmations,
  type ToolContext,
  ToolGuard,
} from "@parley/core";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { startBridge } from "../test-setup.ts";

const caller: ToolCaller = { audience: "mcp", id: "session", confirms: true };
const context: ToolContext = {
  signal: new AbortController().signal,
  traceId: "gw_1",
  callerId: "key_1",
  progress: () => {},
};

const row = (change: Partial<Tool> = {}): Tool => ({
  name: "act",
  purpose: "Acts",
  args: Joi.object({ text: Joi.string() }),
  scope: "gateway.read",
  risk: "read",
  audience: ["mcp"],
  run: async () => "done",
  ...change,
});

const call = async (change: Partial<Tool>, args: unknown = {}, who: Partial<ToolCaller> = {}, mcp = {}) => {
  await using bridge = await startBridge({ tools: [row(change)], mcp });
  return await bridge.get(ToolGuard).call("act", args, { ...caller, ...who }, context);
};

describe("the tool guard", () => {
  it("runs a call that passes all checks", async () => {
    expect(await call({}, { text: "x" })).toBe("done");
  });

  it.each<[string, Partial<Tool>, unknown, Partial<ToolCaller>, string]>([
    ["another audience", { audience: ["ai"] }, {}, {}, "not_found"],
    ["a switch that is off", { enabledBy: "send_message_enabled" }, {}, {}, "permission_denied"],
    ["a missing scope", { scope: "channels.send" }, {}, {}, "permission_denied"],
    ["a high risk without confirm", { risk: "high" }, {}, {}, "confirmation_required"],
    ["a confirm that is not the boolean", { risk: "high" }, { confirm: "true" }, {}, "confirmation_required"],
    ["wrong arguments", {}, { text: 5 }, {}, "bad_request"],
    ["a text for a number", { args: Joi.object({ n: Joi.number() }) }, { n: "5" }, {}, "bad_request"],
    ["unknown arguments", {}, { nonsense: 1 }, {}, "bad_request"],
    ["arguments that are no object", {}, [], {}, "bad_request"],
  ])("rejects %s", async (_, change, args, who, code) => {
    await expect(call(change, args, who)).rejects.toMatchObject({ code });
  });

  it.each<[Tool["risk"], readonly Scope[], string]>([
    ["read", [], "permission_denied"],
    ["read", ["write", "chat", "mcp"], "permission_denied"],
    ["read", ["read"], "done"],
    ["action", ["read", "write"], "permission_denied"],
    ["high", ["read", "write"], "permission_denied"],
    ["action", ["admin"], "done"],
    ["high", ["admin"], "done"],
  ])("passes the caller of a REST route on: %s for %j is %s", async (risk, scopes, expected) => {
    const result = call({ risk }, { confirm: true }, { scopes }).catch(({ code }) => code);
    expect(await result).toBe(expected);
  });

  it("checks switch before scope before confirm before arguments", async () => {
    const all: Partial<Tool> = { enabledBy: "send_message_enabled", scope: "channels.send", risk: "high" };
    const wrong = { nonsense: 1 };
    const on = { send_message_enabled: "true" };
    const admin = { ...on, admin: "true" };
    await expect(call(all, wrong)).rejects.toThrow(/send_message_enabled/);
    await expect(call(all, wrong, {}, on)).rejects.toThrow(/scope/);
    await expect(call(all, wrong, {}, admin)).rejects.toThrow(/confirm/);
    await expect(call(all, { ...wrong, confirm: true }, {}, admin)).rejects.toThrow(/nonsense/);
  });

  it("reports the first check that fails, whatever else is wrong", async () => {
    const cases = fc.record({
      isSwitchedOn: fc.boolean(),
      isGranted: fc.boolean(),
      risk: fc.constantFrom<Tool["risk"]>("read", "action", "high"),
      confirm: fc.constantFrom<unknown>(true, false, "true", 1, null, {}, [true], undefined),
      isPerson: fc.boolean(),
      fits: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ isSwitchedOn, isGranted, risk, confirm, isPerson, fits }) => {
        const change = { enabledBy: "send_message_enabled", scope: "channels.send", risk } as const;
        const mcp = { send_message_enabled: String(isSwitchedOn), admin: String(isGranted) };
        const args = { confirm, ...(fits ? { text: "x" } : { nonsense: 1 }) };
        const code = await call(change, args, { confirms: isPerson }, mcp).then(
          () => "done",
          (error: AppError) => error.code,
        );
        const isConfirmed = risk !== "high" || (isPerson && confirm === true);
        const [wanted = "done"] = [
          ...(isSwitchedOn && isGranted ? [] : ["permission_denied"]),
          ...(isConfirmed ? [] : ["confirmation_required"]),
          ...(fits ? [] : ["bad_request"]),
        ];
        expect(code).toBe(wanted);
      }),
      { numRuns: 150 },
    );
  });

  it("can skip the confirmation for a retry of one tool, and for no other", async () => {
    const mcp = { retry_require_confirmation: "false" };
    const retry = { risk: "high", confirmUnless: "retry_require_confirmation" } as const;
    const asked = vi.fn(async (_args: unknown, { isConfirmed }: ToolContext) => isConfirmed);
    expect(await call({ ...retry, run: asked }, {}, {}, mcp)).toBe(false);
    expect(await call({ ...retry, run: asked }, { confirm: true }, {}, mcp)).toBe(true);
    await expect(call({ risk: "high" }, {}, {}, mcp)).rejects.toMatchObject({ code: "confirmation_required" });
    await expect(call(retry)).rejects.toMatchObject({ code: "confirmation_required" });
  });

  it("accepts a client's confirm and hides it from the tool", async () => {
    const run = vi.fn(async () => "done");
    await call({ risk: "high", run }, { confirm: true, text: "x" });
    expect(run).toHaveBeenCalledWith({ text: "x" }, expect.anything());
  });

  it("aborts a tool that takes too long", async () => {
    const slow = call({ timeoutMs: 10, run: () => new Promise(() => {}) });
    await expect(slow).rejects.toMatchObject({ code: "timed_out" });
  });

  it("rejects the same action a fourth time within a minute, and polling only after 600", async () => {
    await using bridge = await startBridge({ tools: [row({ risk: "action" }), row({ name: "look" })] });
    const guard = bridge.get(ToolGuard);
    for (let times = 0; times < 3; times += 1) await guard.call("act", { text: "x" }, caller, context);
    const fourth = guard.call("act", { text: "x" }, caller, context);
    await expect(fourth).rejects.toMatchObject({ code: "rate_limited", retryAfterS: 60 });
    for (let times = 0; times < 597; times += 1) await guard.call("look", {}, caller, context);
    await expect(guard.call("look", {}, caller, context)).rejects.toMatchObject({ code: "rate_limited" });
    bridge.clock.advance(60_001);
    expect(await guard.call("act", { text: "x" }, caller, context)).toBe("done");
  });

  it("lists tools by audience and name", async () => {
    await using bridge = await startBridge({
      tools: [row({ name: "b" }), row({ name: "a" }), row({ audience: ["ai"] })],
    });
    expect(
      bridge
        .get(ToolGuard)
        .list("mcp")
        .map(({ name }) => name),
    ).toEqual(["a", "b"]);
  });
});

describe("a confirmation request", () => {
  const asks = { ...context, sessionId: "sess_1", callerId: "user_1" };
  const model = { ...caller, audience: "ai" as const, confirms: false };
  const tool = row({ risk: "high", audience: ["ai"] });
  const started = () => startBridge({ tools: [tool] });
  const person = (id: string, isAdmin: boolean) => ({ id, accountId: id, isAdmin });
  const admin = person("user_9", true);

  it("is shown once, answered once, and only by its requester or an administrator", async () => {
    await using bridge = await started();
    const answers = bridge.get(ToolConfirmations);
    const running = bridge.get(ToolGuard).call("act", { text: "x", confirm: true }, model, asks);
    const { payload } = await bridge.events.next(({ type }) => type === "exec_confirm_request");
    expect(payload).toMatchObject({ tool: "act", summary: 'act {"text":"x"}', expires_at: "2026-01-06T10:17:00.000Z" });
    const stranger = { sessionId: "sess_1", approved: true, by: person("user_2", false) };
    expect(() => answers.answer(stranger)).toThrow(expect.objectContaining({ code: "permission_denied" }));
    expect(() => answers.answer({ ...stranger, sessionId: "sess_2" })).toThrow("nothing is waiting for approval");
    answers.answer({ ...stranger, by: admin });
    expect(await running).toBe("done");
    expect(() => answers.answer({ ...stranger, by: admin })).toThrow("nothing is waiting for approval");
    expect(await bridge.audit()).toMatchObject([{ confirm_by: "user_9", status: "completed" }]);
  });

  it("expires after two minutes, and with its turn", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await using bridge = await started();
      const guard = bridge.get(ToolGuard);
      const late = expect(guard.call("act", {}, model, asks)).rejects.toMatchObject({ code: "confirmation_required" });
      await bridge.events.next(({ type }) => type === "exec_confirm_request");
      await vi.advanceTimersByTimeAsync(120_000);
      await late;
      const stop = new AbortController();
      const stopped = expect(guard.call("act", {}, model, { ...asks, signal: stop.signal })).rejects.toThrow("stopped");
      await vi.advanceTimersByTimeAsync(0);
      stop.abort(new Error("stopped"));
      await stopped;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is not possible outside a conversation, where nobody can answer", async () => {
    await using bridge = await started();
    const rejected = bridge.get(ToolGuard).call("act", { confirm: true }, model, context);
    await expect(rejected).rejects.toMatchObject({ code: "confirmation_required" });
    expect(bridge.events.published.filter(({ type }) => type === "exec_confirm_request")).toEqual([]);
  });
});

describe("the audit log", () => {
  const audited = async (change: Partial<Tool>, args: unknown, mcp = {}) => {
    await using bridge = await startBridge({ tools: [row(change)], mcp });
    await bridge
      .get(ToolGuard)
      .call("act", args, caller, context)
      .catch(() => {});
    const items = await bridge.audit();
    return items.map(({ status, result, params, high_risk }) => ({ status, result, params, high_risk }));
  };

  it.each<[string, Partial<Tool>, unknown, object]>([
    ["completed", { risk: "action" }, { text: "x" }, { status: "completed", result: "ok", params: '{"text":"x"}' }],
    [
      "failed",
      { risk: "action", run: () => Promise.reject(new AppError("conflict", "no")) },
      {},
      { status: "failed", result: "conflict" },
    ],
    ["invalid", { risk: "action" }, { text: 1 }, { status: "validation_failed", result: "bad_request" }],
    ["unconfirmed", { risk: "high" }, {}, { status: "confirmation_required", high_risk: 1 }],
    ["denied", { risk: "action", scope: "channels.send" }, {}, { status: "denied", result: "permission_denied" }],
  ])("has a row for a call that was %s", async (_, change, args, expected) => {
    expect(await audited(change, args)).toMatchObject([expected]);
  });

  it("is streamed to subscribers", async () => {
    await using bridge = await startBridge({ tools: [row({ risk: "action" })] });
    await bridge.get(ToolGuard).call("act", { text: "x" }, caller, context);
    expect(bridge.events.published).toMatchObject([
      { type: "mcp_event", durable: false, payload: { event: "tool_call", tool: "act", status: "completed" } },
    ]);
  });

  it("has no row for reading tools, nor when it is off", async () => {
    expect(await audited({}, {})).toEqual([]);
    expect(await audited({ risk: "action" }, {}, { audit_enabled: "false" })).toEqual([]);
  });

  it("prevents a call whose row cannot be written", async () => {
    const run = vi.fn(async () => "done");
    await using bridge = await startBridge({ tools: [row({ risk: "action", run })] });
    await bridge
      .get(Databases)
      .main.write([{ query: { compile: () => ({ sql: "drop table mcp_audit", parameters: [] }) } as never }]);
    const rejected = bridge.get(ToolGuard).call("act", {}, caller, context);
    await expect(rejected).rejects.toMatchObject({ code: "unavailable" });
    expect(run).not.toHaveBeenCalled();
  });
});
