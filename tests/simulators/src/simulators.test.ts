import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createFaults, type FaultKind } from "./faults.ts";
import { startImaBridge } from "./ima-bridge.ts";
import { startImaBotServer } from "./imabot-server.ts";
import { startImbServer } from "./imb-server.ts";
import { decodeFrame, encodeFrame } from "./imc-frames.ts";
import { startImcServer } from "./imc-server.ts";
import { startModelServer } from "./model-server.ts";
import { type Platform, type SimulatorOptions, startPlatformServer } from "./platform-server.ts";
import { startReceiver } from "./receiver.ts";
import { postUntilAccepted } from "./webhook.ts";

type Answer = "done" | "tooMany" | "serverError";

/** A minimal service: it sends one message and records the texts of incoming events. */
interface Service {
  readonly conversation: string;
  readonly heard: readonly string[];
  /** Sends a message; rejects when the connection ends before the answer. */
  send(text: string): Promise<Answer>;
}

interface Simulated {
  readonly platform: Platform<unknown>;
  readonly service: Service;
}

const CASES = {
  async imA(options: SimulatorOptions) {
    const platform = await startImaBridge(options);
    const received: string[] = [];
    const answers = new Map<string, (answer: Answer) => void>();
    const socket = await dialSocket(platform.address, (frame) => {
      const { echo, status, message } = JSON.parse(frame.toString("utf8"));
      if (echo === undefined) return void received.push(message[0].data.text);
      answers.get(echo)?.(status === "ok" ? "done" : /slow down/.test(message) ? "tooMany" : "serverError");
    });
    const send = async (text: string) => {
      if (socket.readyState !== WebSocket.OPEN) throw new Error("it has ended");
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      answers.set(text, resolve);
      socket.once("close", () => reject(new Error("it ended")));
      const params = { user_id: 501, message: [{ type: "text", data: { text } }] };
      socket.send(JSON.stringify({ action: "send_private_msg", params, echo: text }));
      return promise;
    };
    return { platform, service: { conversation: "private:501", heard: received, send } };
  },
  async imAbot(options: SimulatorOptions) {
    const platform = await startImaBotServer(options);
    const received: string[] = [];
    const ready = Promise.withResolvers<void>();
    await dialSocket(`${platform.address.replace("http", "ws")}/ws`, (frame, socket) => {
      const { op, t, d } = JSON.parse(frame.toString("utf8"));
      if (op === 10) socket.send(JSON.stringify({ op: 2, d: {} }));
      if (t === "READY") ready.resolve();
      if (t === "C2C_MESSAGE_CREATE") received.push(d.content);
    });
    await ready.promise;
    const send = (content: string) =>
      postEvent(`${platform.address}/v2/users/U1/messages`, { content }, { authorization: "QQBot t-0" });
    return { platform, service: { conversation: "private:U1", heard: received, send } };
  },
  async imB(options: SimulatorOptions) {
    const platform = await startImbServer(options);
    const { url, bodies } = await startWebhook();
    platform.useWebhook({ url, secret_token: "s" });
    return {
      platform,
      service: {
        conversation: "501",
        get heard() {
          return bodies.map(({ message }) => (message as { text: string }).text);
        },
        send: (text) => postEvent(`${platform.address}/bot42:secret/sendMessage`, { chat_id: 501, text }),
      },
    };
  },
  async imC(options: SimulatorOptions) {
    const platform = await startImcServer(options);
    const received: string[] = [];
    const dial = () =>
      dialSocket(`${platform.address.replace("http", "ws")}/ws`, (bytes, socket) => {
        const { method, headers, payload } = decodeFrame(bytes);
        received.push(JSON.parse(JSON.parse(payload.toString("utf8")).event.message.content).text);
        socket.send(encodeFrame({ method, headers, payload: Buffer.from('{"code":200}') }));
      });
    const socket = await dial();
    // Continues over another connection, as services do.
    socket.once("close", () => void dial().catch(() => undefined));
    const send = (text: string) =>
      postEvent(
        `${platform.address}/open-apis/im/v1/messages?receive_id_type=chat_id`,
        { receive_id: "oc_1", content: JSON.stringify({ text }), uuid: text },
        { authorization: "Bearer t-0" },
      );
    return { platform, service: { conversation: "oc_1", heard: received, send } };
  },
  async receiver(options: SimulatorOptions) {
    const platform = await startReceiver(options);
    const { url, bodies } = await startWebhook();
    platform.useWebhook({ url, headers: {} });
    return {
      platform,
      service: {
        conversation: "u1",
        get heard() {
          return bodies.map(({ content }) => String(content));
        },
        send: (content) => postEvent(platform.address, { conversation_id: "u1", content }),
      },
    };
  },
} satisfies Readonly<Record<string, (options: SimulatorOptions) => Promise<Simulated>>>;

async function dialSocket(url: string, onFrame: (frame: Buffer, socket: WebSocket) => void): Promise<WebSocket> {
  const socket = new WebSocket(url);
  socket.on("message", (frame: Buffer) => onFrame(frame, socket));
  await once(socket, "open");
  onTestFinished(() => socket.terminate());
  return socket;
}

/** Starts a webhook that accepts everything. */
async function startWebhook() {
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse((await request.toArray()).join("")));
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies };
}

async function postEvent(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  await response.text();
  return response.status === 429 ? "tooMany" : response.status >= 500 ? "serverError" : "done";
}

const listFaultKinds = ({ platform: { injected } }: Simulated) => injected.map(({ kind }) => kind);

describe.each(Object.entries(CASES))("%s", (_name, start: (options: SimulatorOptions) => Promise<Simulated>) => {
  const started = async (options: SimulatorOptions = {}): Promise<Simulated> => {
    const simulated = await start(options);
    onTestFinished(() => simulated.platform[Symbol.asyncDispose]());
    return simulated;
  };
  const certain = (kind: FaultKind, seed = 1) => started({ faults: { seed, [kind]: 1 } });

  test("without faults shows sent messages, delivers typed ones, and counts the calls", async () => {
    const simulated = await started();
    const { platform, service } = simulated;
    await platform.say(service.conversation, "hello");
    await vi.waitFor(() => expect(service.heard).toEqual(["hello"]), { interval: 2 });
    const seen = platform.waitFor(() => platform.shown(service.conversation)[0]);
    expect(await service.send("hi")).toBe("done");
    expect(await seen).toBe("hi");
    expect(platform.calls).toHaveLength(1);
    expect(listFaultKinds(simulated)).toEqual([]);
  });

  test("rejects calls above the rate limit, without an effect", async () => {
    const simulated = await certain("tooMany");
    expect(await simulated.service.send("hi")).toBe("tooMany");
    expect(simulated.platform.shown(simulated.service.conversation)).toEqual([]);
    expect(listFaultKinds(simulated)).toEqual(["tooMany"]);
  });

  test("answers a call as failed, whether it had an effect or not", async () => {
    const outcomes = new Set<boolean>();
    for (let seed = 1; outcomes.size < 2; seed += 1) {
      const { platform, service } = await certain("serverError", seed);
      expect(await service.send("hi")).toBe("serverError");
      const isDone = platform.injected[0]?.isDone === true;
      expect(platform.shown(service.conversation)).toEqual(isDone ? ["hi"] : []);
      outcomes.add(isDone);
    }
  });

  test("never answers a call over a half-open connection", async () => {
    const { platform, service } = await certain("halfOpen");
    const answer = service.send("hi");
    await platform.waitFor(() => platform.injected.length > 0);
    await platform[Symbol.asyncDispose]();
    await expect(answer).rejects.toThrow();
  });

  test("reports success for a call without an effect", async () => {
    const { platform, service } = await certain("lyingOk");
    expect(await service.send("hi")).toBe("done");
    expect(platform.shown(service.conversation)).toEqual([]);
  });

  test("answers a call late, and sends an event late", async () => {
    const simulated = await certain("delay");
    const { platform, service } = simulated;
    expect(await service.send("hi")).toBe("done");
    await platform.say(service.conversation, "hello");
    await vi.waitFor(() => expect(service.heard).toEqual(["hello"]), { interval: 2 });
    expect(listFaultKinds(simulated)).toEqual(["delay", "delay"]);
  });

  test("sends an event twice", async () => {
    const { platform, service } = await certain("duplicate");
    await platform.say(service.conversation, "hello");
    await vi.waitFor(() => expect(service.heard).toEqual(["hello", "hello"]), { interval: 2 });
  });

  test("sends an event after the one that follows it", async () => {
    const isFirstOnly = (seed: number, about: string) => {
      const faults = createFaults({ seed, reorder: 0.5 });
      return faults.ofEvent(about).isReordered && !faults.ofEvent(about).isReordered;
    };
    const { conversation } = (await started()).service;
    const seed = Array.from({ length: 100 }, (_, one) => one).find((one) => isFirstOnly(one, conversation)) ?? 0;
    const { platform, service } = await started({ faults: { seed, reorder: 0.5 } });
    await Promise.all(["first", "second"].map((text) => platform.say(conversation, text)));
    await vi.waitFor(() => expect(service.heard).toEqual(["second", "first"]), { interval: 2 });
  });

  test("injects the same faults for the same seed and the same calls", async () => {
    const faults = { seed: 11, tooMany: 0.2, serverError: 0.2, lyingOk: 0.2, duplicate: 0.3, delay: 0.3 };
    const run = async () => {
      const { platform, service } = await started({ faults });
      for (let time = 0; time < 10; time += 1) {
        await service.send(`answer ${time}`);
        await platform.say(service.conversation, `said ${time}`);
      }
      return platform.injected;
    };
    const first = await run();
    expect(first.length).toBeGreaterThan(3);
    expect(await run()).toEqual(first);
  });

  test("leaves nothing when it stops: no connection, no timer, no waiting caller", async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const { platform, service } = await start({ faults: { seed: 1, delay: 1, longestDelayMs: 60_000 } });
    const sending = platform.say(service.conversation, "too late");
    const answer = service.send("too late");
    const waiting = platform.waitFor(() => false);
    await platform.waitFor(() => platform.calls.length > 0 || platform.injected.length > 1);
    await platform[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
    await sending;
    await expect(answer).rejects.toThrow();
    await expect(waiting).rejects.toThrow("stopped");
    await expect(service.send("after the end")).rejects.toThrow();
    const left = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    expect(left).toBeLessThanOrEqual(before);
  });
});

describe("an event over a half-open connection", () => {
  const faults = { seed: 1, halfOpen: 1 };

  test.each(["imB", "receiver"] as const)(
    "is posted again by %s, which has not received the response",
    async (name) => {
      const { platform, service } = await CASES[name]({ faults });
      onTestFinished(() => platform[Symbol.asyncDispose]());
      await platform.say(service.conversation, "hello");
      expect(service.heard).toEqual(["hello", "hello"]);
    },
  );

  test.each(["imA", "imAbot"] as const)("is lost with the socket of %s, which no longer responds", async (name) => {
    const { platform, service } = await CASES[name]({ faults });
    await platform.say(service.conversation, "hello");
    expect(platform.injected).toEqual([expect.objectContaining({ kind: "halfOpen", call: "event" })]);
    const answer = service.send("anybody?");
    await platform[Symbol.asyncDispose]();
    await expect(answer).rejects.toThrow();
    expect(service.heard).toEqual([]);
  });

  test("is sent to the resumed session at imAbot, and to the next connection at imC", async () => {
    await using bot = await startImaBotServer({ faults });
    const url = `${bot.address.replace("http", "ws")}/ws`;
    const first = await dialSocket(url, () => undefined);
    first.send(JSON.stringify({ op: 2, d: {} }));
    await vi.waitFor(() => expect(bot.connections().identified).toBe(1), { interval: 2 });
    await bot.say("private:U1", "hello");
    const received: string[] = [];
    const second = await dialSocket(url, (frame) => received.push(JSON.parse(frame.toString("utf8")).t));
    second.send(JSON.stringify({ op: 6, d: { seq: 0 } }));
    await vi.waitFor(() => expect(received).toContain("C2C_MESSAGE_CREATE"), { interval: 2 });

    const { platform, service } = await CASES.imC({ faults });
    onTestFinished(() => platform[Symbol.asyncDispose]());
    const sending = platform.say(service.conversation, "hello");
    platform.drop();
    await sending;
    expect(service.heard).toEqual(["hello"]);
  });
});

describe("the model server", () => {
  const ask = async (baseUrl: string) => {
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hello" }] });
    const response = await fetch(`${baseUrl}/chat/completions`, { method: "POST", body });
    return { status: response.status, text: await response.text() };
  };

  test.each([
    ["tooMany", 429, "rate limit"],
    ["serverError", 500, "internal error"],
    ["lyingOk", 200, '"content":""'],
    ["delay", 200, "You said: hello"],
  ])("fails by seed: %s", async (kind, status, text) => {
    await using server = await startModelServer({ faults: { seed: 1, [kind]: 1 } });
    expect(await ask(server.baseUrl)).toEqual({ status, text: expect.stringContaining(text) });
    expect(server.injected).toEqual([expect.objectContaining({ kind, call: "chat", about: "hello" })]);
  });

  test("follows its script, then answers by default", async () => {
    const answer = ({ path }: { readonly path: string }) => ({ kind: "text" as const, text: `asked at ${path}` });
    await using server = await startModelServer({ answer });
    server.script.push({ kind: "text", text: "as written" });
    expect((await ask(server.baseUrl)).text).toContain("as written");
    expect((await ask(server.baseUrl)).text).toContain("asked at /v1/chat/completions");
  });

  test("never answers over a half-open connection", async () => {
    const server = await startModelServer({ faults: { seed: 1, halfOpen: 1 } });
    const answer = ask(server.baseUrl);
    await server.waitFor(() => server.injected.length > 0);
    await server[Symbol.asyncDispose]();
    await expect(answer).rejects.toThrow();
  });
});

describe("a simulator for another platform", () => {
  test("gives the answers of its own code, and 404 for others", async () => {
    const bare = await startPlatformServer({ options: {} });
    onTestFinished(() => bare.simulator[Symbol.asyncDispose]());
    expect((await fetch(`http://${bare.authority}/`)).status).toBe(404);
    const own = await startPlatformServer({ options: {}, serve: ({ body }) => ({ body: body() }) });
    onTestFinished(() => own.simulator[Symbol.asyncDispose]());
    const answer = await fetch(`http://${own.authority}/`, { method: "POST", body: '{"a":1}' });
    expect(await answer.json()).toEqual({ a: 1 });
  });

  test("does not start on a used port", async () => {
    const first = await startPlatformServer({ options: {} });
    onTestFinished(() => first.simulator[Symbol.asyncDispose]());
    const port = Number(first.authority.split(":")[1]);
    await expect(startPlatformServer({ options: { port } })).rejects.toThrow("EADDRINUSE");
  });

  test("posts an event again until it is accepted, and stops after the last attempt", async () => {
    const statuses = [503, 429, 200];
    const server = await startPlatformServer({
      options: {},
      serve: () => ({ status: statuses.shift() ?? 401, body: {} }),
    });
    onTestFinished(() => server.simulator[Symbol.asyncDispose]());
    const made = () => ({ url: `http://${server.authority}/`, body: "{}", headers: {} });
    await postUntilAccepted(made, server.stopping);
    expect(statuses).toEqual([]);
    await expect(postUntilAccepted(made, server.stopping, 3)).rejects.toThrow("401");
  });
});
