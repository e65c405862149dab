import { collectionsContract, databasesContract, memoryCollections, memoryDatabases, testTurn } from "@parley/testing";
import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AppError,
  CONTRACT_VERSION,
  canonicalSessionId,
  definePlugin,
  derivedId,
  HTTP_STATUS,
  newId,
  newTraceId,
  normalizeChannelId,
  orderStages,
  runTurn,
  safeJoin,
  sessionIdOf,
  sessionKey,
  type Turn,
  type TurnPhase,
  type TurnStage,
  turnData,
} from "./index.ts";

collectionsContract("in memory", memoryCollections);
databasesContract("in memory", memoryDatabases);

describe("channel and session ids (spec 2.2)", () => {
  test.each([
    ["imA", "imA"],
    ["imA_group", "imA"],
    ["imA_private", "imA"],
    ["imA_group_42_user", "imA:group:42"],
    ["imA_group_42", "imA:group:42"],
    ["imA_group:42", "imA:group:42"],
    ["imA_private_7", "imA:private:7"],
    ["imA_private:7", "imA:private:7"],
    ["web:sess_1", "web:sess_1"],
    ["imB", "imB"],
    ["anything else", "anything else"],
  ])("are converted: %s is %s", (raw, canonical) => {
    expect(normalizeChannelId(raw)).toBe(canonical);
    expect(normalizeChannelId(canonical)).toBe(canonical);
  });

  test("a session has one id in the API and one key for rules", () => {
    expect(canonicalSessionId("web:sess_1")).toBe("sess_1");
    expect(sessionKey("sess_1")).toBe("web:sess_1");
    expect(sessionKey("imA:group:42")).toBe("imA:group:42");
    expect(sessionIdOf("web", "sess_1")).toBe("sess_1");
    expect(sessionIdOf("imB", "42")).toBe("imB:42");
  });
});

describe("ids", () => {
  test("of one process sort by creation, also when the clock stops or is set back", () => {
    const ids = [5, 5, 5, 3, 6, 6].map((ms) => newId("x", ms));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toMatch(/^x_[0-9a-z]{20}$/);
  });

  test("that are derived are the same for the same seed, and differ for others", () => {
    expect(derivedId("msg", "gw_1", "user")).toBe(derivedId("msg", "gw_1", "user"));
    expect(derivedId("msg", "gw_1", "user")).not.toBe(derivedId("msg", "gw_1u", "ser"));
    expect(derivedId("msg", "a")).toMatch(/^msg_[0-9a-z]{20}$/);
  });

  test("of traces contain their time", () => {
    expect(newTraceId(Date.parse("2026-01-06T10:15:00Z"))).toMatch(/^gw_20260106_101500_[0-9a-f]{8}$/);
  });

  test("of traces from the same second differ", () => {
    const at = Date.parse("2026-01-06T10:15:00Z");
    expect(new Set(Array.from({ length: 300_000 }, () => newTraceId(at))).size).toBe(300_000);
  });
});

describe("safeJoin", () => {
  test.each([
    "",
    "..",
    "../x",
    "a/../../x",
    "/etc/passwd",
    "C:\\x",
    "c:x",
    "a\\b",
    "a//b",
    "a/",
    "x\u0000",
    "a\nb",
    ".hidden",
    "x.",
    " x",
    "con",
    "aux.txt",
    "_meta/x",
    "a".repeat(201),
    `${"a/".repeat(11)}a`,
  ])("rejects %j", (name) => {
    expect(() => safeJoin("/data", name)).toThrow(AppError);
  });

  test.each([["a.txt"], ["dir/a b.txt"], ["图片/猫.png"]])("accepts %s", (name) => {
    expect(safeJoin("/data", name)).toBe(`/data/${name}`);
  });

  test("never leaves its folder, whatever the name", () => {
    assert(
      property(string({ unit: "binary" }), (name) => {
        try {
          return safeJoin("/data", name).startsWith("/data/");
        } catch (error) {
          return AppError.is(error) && error.code === "bad_request";
        }
      }),
    );
  });
});

describe("a turn", () => {
  const stage = (phase: TurnPhase, run: (turn: Turn) => Partial<Turn>): TurnStage => ({
    id: `test.${phase}`,
    phase,
    run: async (turn) => ({ ...turn, ...run(turn) }),
  });
  const empty = { replies: [], history: [], prompt: [], attachments: [] };
  const start = { traceId: "trace_1", session: { id: "s" }, text: "", ...empty } as unknown as Turn;
  const adds = (phase: TurnPhase, word: string) => stage(phase, ({ text }) => ({ text: `${text}${word} ` }));
  const context = { signal: new AbortController().signal } as never;

  test("runs its stages by phase, whatever their order of registration", async () => {
    const stages = [adds("record-reply", "c"), adds("screen", "a"), adds("answer", "b")];
    expect((await runTurn(start, { stages, context })).text).toBe("a b c ");
  });

  test("that is stopped skips the remaining stages", async () => {
    const stopping = stage("command", () => ({ stopped: { by: "test", reason: "filtered" } }));
    const stages = [adds("screen", "a"), stopping, adds("answer", "b")];
    expect((await runTurn(start, { stages, context })).text).toBe("a ");
  });

  test("skips the stages that it does not concern", async () => {
    const unconcerned = { ...adds("screen", "a"), concerns: ({ text }: Turn) => text !== "" };
    const stages = [unconcerned, adds("answer", "b"), { ...unconcerned, phase: "after" as const }];
    expect((await runTurn(start, { stages, context })).text).toBe("b a ");
  });

  test("asks the record of a replay before it asks the stage", async () => {
    const stages = [
      { ...adds("screen", "a"), concerns: () => false },
      { ...adds("answer", "b"), concerns: () => true },
    ];
    const isRecorded = ({ id }: { readonly id: string }) => id === "test.screen";
    const replay = { signal: new AbortController().signal, isRecorded } as never;
    expect((await runTurn(start, { stages, context: replay })).text).toBe("a ");
  });

  test("names the stage that cannot tell whether it is concerned", async () => {
    const cause = new TypeError("no such field");
    const failing: TurnStage = {
      ...adds("screen", "a"),
      concerns() {
        throw cause;
      },
    };
    await expect(runTurn(start, { stages: [failing], context })).rejects.toThrow(
      "stage 'test.screen' in phase screen failed: no such field",
    );
  });

  test("orders the stages of a phase by their dependencies, else by registration", () => {
    const one = (id: string, after: readonly string[] = [], phase: TurnPhase = "context"): TurnStage => ({
      ...adds(phase, ""),
      id,
      after,
    });
    const ids = (stages: readonly TurnStage[]) => orderStages(stages).map(({ id }) => id);
    expect(ids([one("z", [], "answer"), one("a", ["c"]), one("b"), one("c", ["nobody"])])).toEqual([
      "b",
      "c",
      "a",
      "z",
    ]);
    expect(() => orderStages([one("a", ["b"]), one("b", ["a"]), one("c")])).toThrow(
      "stages wait for each other: a (after b); b (after a)",
    );
  });

  test.each([
    ["nothing", undefined],
    ["an empty object", {}],
    ["a turn without its replies", { ...start, replies: undefined }],
    ["another turn", { ...start, traceId: "trace_2" }],
  ])("fails and names the stage when one returns %s", async (_what, returned) => {
    const wrong: TurnStage = { id: "acme.mood", phase: "context", run: async () => returned as never };
    await expect(runTurn(start, { stages: [wrong], context })).rejects.toThrow(
      "stage 'acme.mood' in phase context gave no turn",
    );
  });

  test("names the stage that throws, and passes on an error that is meant for people", async () => {
    const throwing = (thrown: unknown): TurnStage => ({
      id: "acme.mood",
      phase: "context",
      run: () => {
        throw thrown;
      },
    });
    const cause = new Error("boom");
    const failed = runTurn(start, { stages: [throwing(cause)], context });
    await expect(failed).rejects.toMatchObject({ message: "stage 'acme.mood' in phase context failed: boom", cause });
    const error = new AppError("unavailable", "no model answers");
    await expect(runTurn(start, { stages: [throwing(error)], context })).rejects.toBe(error);
  });

  test("carries notes of a plugin to its later stages, separate from those of others", () => {
    const mood = turnData<{ readonly mood: string }>("characters");
    const turn = mood.with(turnData<number>("dice").with(testTurn(), 6), { mood: "happy" });
    expect(mood.of(turn)).toEqual({ mood: "happy" });
    expect(mood.of(testTurn())).toBeUndefined();
    expect(turn.data).toEqual({ dice: 6, characters: { mood: "happy" } });
  });

  test("can continue from a phase, and reports the end of each", async () => {
    const over: string[] = [];
    const stages = [adds("screen", "a"), adds("decorate", "b")];
    const onPhase = async (phase: TurnPhase) => void over.push(phase);
    expect((await runTurn(start, { stages, context, from: "decorate", onPhase })).text).toBe("b ");
    expect(over).toEqual(["decorate", "record-reply", "after"]);
  });
});

test("an error is recognised by its shape, also when another copy of the contract created it", () => {
  const foreign = Object.assign(new Error("no"), { code: "not_found", retryAfterS: undefined });
  expect(AppError.is(foreign)).toBe(true);
  expect(AppError.is(new Error("no"))).toBe(false);
  expect(AppError.is(Object.assign(new Error(), { code: "ENOENT", retryAfterS: 1 }))).toBe(false);
});

test("every code has the status that the contract defines", () => {
  expect(HTTP_STATUS).toEqual({
    bad_request: 400,
    confirmation_required: 400,
    unauthorized: 401,
    permission_denied: 403,
    not_found: 404,
    conflict: 409,
    too_large: 413,
    rate_limited: 429,
    internal: 500,
    upstream_failed: 502,
    unavailable: 503,
    timed_out: 504,
  });
});

test("a plugin is stamped with the contract it was built for", () => {
  expect(definePlugin({ id: "x", register() {} }).contract).toBe(CONTRACT_VERSION);
});
