import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { AppError, fillDetail, silentLogger, systemClock } from "@parley/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DEFAULTS, type Entry } from "../servers/entry.ts";
import { type Connection, type ConnectionDeps, createConnection } from "./connection.ts";
import type { DialedTransport } from "./dial.ts";

const entry = {
  ...DEFAULTS,
  id: "there",
  name: "There",
  transport: "streamable-http",
  url: "http://127.0.0.1/mcp",
  auto_connect: true,
} as Entry;

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

/** Simulates a server in this process, and counts the connections that were requested. */
function createServers(failures: Error[] = [], onCall = () => {}) {
  const open: Server[] = [];
  let dialCount = 0;
  let running = 0;
  let maxConcurrent = 0;
  const dial = async (): Promise<DialedTransport> => {
    dialCount += 1;
    const failure = failures.shift();
    if (failure) throw failure;
    const [here, there] = InMemoryTransport.createLinkedPair();
    const server = new Server({ name: "there", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: "look", inputSchema: { type: "object" } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, async () => {
      onCall();
      running += 1;
      maxConcurrent = Math.max(maxConcurrent, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { content: [{ type: "text", text: "seen" }] };
    });
    open.push(server);
    await server.connect(there);
    return { transport: here, cause: () => undefined, close: (client) => client.close() };
  };
  return { dial, dialCount: () => dialCount, maxConcurrent: () => maxConcurrent, open };
}

type TestServers = Pick<ReturnType<typeof createServers>, "dial">;
const toDeps = ({ dial }: TestServers, change: Partial<Entry> = {}): ConnectionDeps => ({
  entry: () => ({ ...entry, ...change }),
  dial,
  version: "1",
  isOurs: async (mark) => mark === "ours",
  clock: systemClock,
  log: silentLogger,
  random: () => 1,
  mask: (text) => text.replaceAll("secret", "***"),
  onChange: () => {},
});
const connectionTo = (there: TestServers, change: Partial<Entry> = {}) => createConnection(toDeps(there, change));

/** To a server that lists its tools in a way of its own. */
const listing = (tools: unknown, next: object = {}) => {
  const dial = async (): Promise<DialedTransport> => {
    const [here, there] = InMemoryTransport.createLinkedPair();
    const server = new Server({ name: "there", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools, ...next }) as object);
    await server.connect(there);
    return { transport: here, cause: () => undefined, close: (client) => client.close() };
  };
  return connectionTo({ dial }, { auto_connect: false });
};

const look = { tool: "look", args: {}, isRead: true, signal: new AbortController().signal, progress: () => {} };

describe("a connection to an MCP server", () => {
  it("that was opened by hand is restored after an outage, until it is closed by hand", async () => {
    const there = createServers();
    const connection = connectionTo(there, { auto_connect: false });
    await connection.connect();
    const gone = new Error("connect ECONNREFUSED");
    const failures = [gone, gone];
    const dial = there.dial;
    there.dial = async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return dial();
    };
    await there.open[0]?.close();
    expect(connection.status().isConnected).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(connection.status().isConnected).toBe(true);
    await connection.call(look);
    await connection.disconnect();
    const before = there.dialCount();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(there.dialCount()).toBe(before);
    expect(connection.status().isConnected).toBe(false);
  });

  it("that was never opened by hand is not retried automatically", async () => {
    const there = createServers([new Error("connect ECONNREFUSED")]);
    const connection = connectionTo(there, { auto_connect: false });
    await expect(connection.connect()).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(there.dialCount()).toBe(1);
  });

  it("reports malformed answers of a server in Chinese too", async () => {
    const connection = listing("secret");
    await expect(connection.connect()).rejects.toMatchObject({ code: "upstream_failed" });
    const { lastError, lastErrorDetail } = connection.status();
    expect(lastError).toBe("the server answered with an error: the server's list of tools is not a list");
    expect(fillDetail(lastErrorDetail ?? {}, "zh")).toBe("服务器返回了错误：服务器给出的工具列表不是列表");
  });

  it("reports omitted tools in Chinese too", async () => {
    const inputSchema = { type: "object" };
    const deep = Array.from({ length: 20 }).reduce<object>((inner) => ({ inner }), {});
    const connection = listing([
      { name: "", inputSchema },
      { name: "form" },
      { name: "deep", inputSchema: { ...inputSchema, properties: deep } },
      { name: "far", inputSchema: { ...inputSchema, $ref: "https://elsewhere.example" } },
      { name: "large", inputSchema: { ...inputSchema, description: "x".repeat(70_000) } },
    ]);
    await connection.connect();
    expect(connection.warnings().map(({ detail }) => fillDetail(detail ?? {}, "zh"))).toEqual([
      "未采用工具“”：名称为空，或超过 200 个字符",
      "未采用工具“form”：inputSchema 无效",
      "未采用工具“deep”：参数定义超过 16 层",
      "未采用工具“far”：参数定义引用了其他文档",
      "未采用工具“large”：参数定义超过 64 KiB",
    ]);
  });

  it("warns of tools beyond the pages that it reads", async () => {
    const connection = listing([{ name: "look", inputSchema: { type: "object" } }], { nextCursor: "more" });
    await connection.connect();
    expect(connection.tools()).toHaveLength(1);
    expect(connection.warnings().map(({ error }) => error)).toEqual([expect.stringContaining("only the first 1 tool")]);
  });

  it("hides secrets in every language", async () => {
    const connection = connectionTo(createServers([new AppError("rate_limited", "wrong secret")]), {
      auto_connect: false,
    });
    await expect(connection.connect()).rejects.toThrow();
    const { lastErrorDetail } = connection.status();
    expect(fillDetail(lastErrorDetail ?? {}, "zh")).toContain("wrong ***");
    expect(JSON.stringify(lastErrorDetail)).not.toContain("secret");
  });

  it("is one attempt, however many callers request it at once", async () => {
    const there = createServers();
    const connection = connectionTo(there);
    await Promise.all([connection.connect(), connection.connect(), connection.connect()]);
    await connection.connect();
    expect(there.dialCount()).toBe(1);
    expect(connection.tools()).toHaveLength(1);
  });

  it("is retried with growing delays, and not at all once it is closed", async () => {
    const down = () => new AppError("upstream_failed", "down");
    const there = createServers(Array.from({ length: 4 }, down));
    const connection = connectionTo(there);
    await expect(connection.connect()).rejects.toThrow("down");
    for (const [wait, tries] of [
      [999, 1],
      [1, 2],
      [1999, 2],
      [1, 3],
      [4000, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(wait);
      expect(there.dialCount()).toBe(tries);
    }
    await connection.disconnect();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, Error, Partial<Entry>]>([
    ["a server that refuses", new StreamableHTTPError(401, "who are you"), {}],
    ["what may not be started", new AppError("permission_denied", "not on the list"), {}],
    ["an entry without auto_connect", new AppError("upstream_failed", "down"), { auto_connect: false }],
    ["an entry that is switched off", new AppError("upstream_failed", "down"), { enabled: false }],
  ])("is not retried for %s", async (_, failure, change) => {
    const connection = connectionTo(createServers([failure]), change);
    await expect(connection.connect()).rejects.toThrow();
    expect(connection.status()).toMatchObject({ isConnected: false, lastError: expect.any(String) });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("hides secrets and terminal control codes", async () => {
    const there = createServers([new AppError("upstream_failed", "\u001b[31mwrong secret")]);
    const connection = connectionTo(there, { auto_connect: false });
    await expect(connection.connect()).rejects.toThrow();
    expect(connection.status().lastError).toBe("wrong ***");
  });

  it("that is lost is restored", async () => {
    const there = createServers();
    const connection = connectionTo(there);
    await connection.connect();
    await there.open[0]?.close();
    expect(connection.status().isConnected).toBe(false);
    expect(connection.tools()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(connection.status().isConnected).toBe(true);
  });

  it("stays open when a tool answers with an error, whatever its code", async () => {
    const there = createServers([], () => {
      throw new McpError(-32_000, "not today");
    });
    const connection = connectionTo(there);
    await connection.connect();
    await expect(connection.call(look)).rejects.toMatchObject({
      code: "upstream_failed",
      message: expect.stringContaining("not today"),
    });
    expect(connection.status()).toMatchObject({ isConnected: true, lastError: null });
  });

  it.each([
    [20, 20_000],
    [1, 10_000],
  ])("has a startup timeout: of an entry with %s s, %s ms", async (timeout_s, ms) => {
    const dial = async (): Promise<DialedTransport> => {
      const [here] = InMemoryTransport.createLinkedPair();
      return { transport: here, cause: () => undefined, close: (client) => client.close() };
    };
    const connection = connectionTo({ dial }, { timeout_s, auto_connect: false });
    const late = expect(connection.connect()).rejects.toMatchObject({ code: "timed_out" });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(connection.status()).toMatchObject({ isConnecting: true });
    await vi.advanceTimersByTimeAsync(1);
    await late;
  });

  it("runs four calls at a time", async () => {
    const there = createServers();
    const connection = connectionTo(there);
    await connection.connect();
    await Promise.all(Array.from({ length: 12 }, () => connection.call(look)));
    expect(there.maxConcurrent()).toBe(4);
  });

  it("is renewed after a thousand calls, so that nothing accumulates", async () => {
    const there = createServers();
    const connection = connectionTo(there);
    await connection.connect();
    for (let calls = 0; calls < 1000; calls += 1) await connection.call(look);
    await vi.waitFor(() => expect(there.dialCount()).toBe(2));
    await vi.waitFor(() => expect(connection.status().isConnected).toBe(true));
    await connection.call(look);
  });

  it("reports that an attempt is running, until it has ended", async () => {
    const connection = connectionTo(createServers([new AppError("upstream_failed", "down")]), { auto_connect: false });
    const attempt = connection.connect();
    expect(connection.status()).toMatchObject({ isConnected: false, isConnecting: true });
    await expect(attempt).rejects.toThrow("down");
    expect(connection.status()).toMatchObject({ isConnecting: false });
    await connection.connect();
    expect(connection.status()).toMatchObject({ isConnected: true, isConnecting: false });
  });

  it("reports each state once", async () => {
    const steps: unknown[] = [];
    const connection: Connection = createConnection({
      ...toDeps(createServers([new AppError("upstream_failed", "down")]), { auto_connect: false }),
      onChange() {
        const { isConnected, isConnecting, lastError } = connection.status();
        steps.push([isConnected, isConnecting, lastError]);
      },
    });
    await expect(connection.connect()).rejects.toThrow("down");
    await connection.connect();
    await connection.disconnect();
    expect(steps).toEqual([
      [false, true, null],
      [false, false, "down"],
      [false, true, "down"],
      [true, false, null],
      [false, false, null],
    ]);
  });

  it("fails calls while it is closed", async () => {
    await expect(connectionTo(createServers()).call(look)).rejects.toMatchObject({ code: "unavailable" });
  });
});
