import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type DefinedPlugin, definePlugin, type SocketEndpoint, SocketEndpoints } from "@parley/core";
import { describe, expect, test } from "vitest";
import { type Parley, startParley } from "../harness/parley.ts";

const UNKNOWN = ["/", "/nowhere", "/api/health", "/api/wss", "/ws", "/ws/imAnd", "//", "/api/ws/below"];
/** Less than the time an endpoint may take to answer. */
const AT_ONCE_MS = 3_000;

function dial({ address }: Parley): Socket {
  return connect(Number(new URL(address).port), "127.0.0.1");
}

function formatRequest(path: string, headers = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n${headers}Sec-WebSocket-Key: ${"A".repeat(22)}==\r\n\r\n`;
}

/** Returns everything received until the other side closes. */
async function readUntilClosed(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await once(socket, "close", { signal: AbortSignal.timeout(AT_ONCE_MS) });
  return Buffer.concat(chunks).toString();
}

function createEndpointPlugin(id: string, endpoint: SocketEndpoint): DefinedPlugin {
  return definePlugin({ id, register: ({ contribute }) => contribute(SocketEndpoints, () => endpoint) });
}

function createGreetingEndpoint(path: string, includesBelow: boolean): SocketEndpoint {
  return { path, includesBelow, take: ({ url }, stream) => stream.end(`HTTP/1.1 200 ${url}\r\n\r\n`) };
}

const NOT_FOUND = "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

describe("an upgrade request", () => {
  test.each([
    ["every first-party plugin", ""],
    ["no plugin that takes sockets", "[plugins]\nweb = off\nima = off\n"],
  ])("to an unknown path is answered 404 and closed at once, with %s", async (_what, config) => {
    await using parley = await startParley({ config });
    const answers = await Promise.all(
      UNKNOWN.map(async (path) => {
        const socket = dial(parley);
        socket.write(formatRequest(path));
        return [path, await readUntilClosed(socket)];
      }),
    );
    expect(answers).toEqual(UNKNOWN.map((path) => [path, NOT_FOUND]));
  });

  test("to an unknown path is rejected also on a reused connection", async () => {
    await using parley = await startParley();
    const socket = dial(parley);
    socket.write("GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    await once(socket, "data");
    socket.write(formatRequest("/nowhere"));
    expect(await readUntilClosed(socket)).toContain(NOT_FOUND);
  });

  test("to another protocol is ignored: the request is answered normally", async () => {
    await using parley = await startParley();
    const socket = dial(parley);
    socket.write(formatRequest("/api/health", "Upgrade: h2c\r\n"));
    const [answer] = await once(socket, "data");
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  });
});

describe("a plugin's socket endpoint", () => {
  test.each([
    ["/doors", "/doors?of=one", "200 /doors?of=one"],
    ["/doors/below", "/doors/below", "404 Not Found"],
    ["what lies below an open one", "/wide/below/it", "200 /wide/below/it"],
    ["what only begins like it", "/widen", "404 Not Found"],
  ])("%s", async (_what, path, status) => {
    const plugins = [
      createEndpointPlugin("narrow", createGreetingEndpoint("/doors", false)),
      createEndpointPlugin("wide", createGreetingEndpoint("/wide", true)),
    ];
    await using parley = await startParley({ plugins });
    const socket = dial(parley);
    socket.write(formatRequest(path));
    expect((await readUntilClosed(socket)).split("\r\n")[0]).toBe(`HTTP/1.1 ${status}`);
  });

  test("that fails answers 500 and closes", async () => {
    const broken: SocketEndpoint = {
      path: "/broken",
      take: () => {
        throw new Error("cannot");
      },
    };
    await using parley = await startParley({ plugins: [createEndpointPlugin("broken", broken)] });
    const socket = dial(parley);
    socket.write(formatRequest("/broken"));
    expect(await readUntilClosed(socket)).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/);
  });

  test("at the path of another one causes its plugin to be skipped", async () => {
    const plugins = [
      createEndpointPlugin("first", createGreetingEndpoint("/one", false)),
      createEndpointPlugin("second", createGreetingEndpoint("/one", true)),
    ];
    await using parley = await startParley({ plugins });
    const failures = parley.host.control.plugins().flatMap(({ failure }) => failure ?? []);
    expect(failures).toEqual([expect.stringMatching(/^adds the socket door \/one, which 'first.*' adds already$/)]);
  });
});
