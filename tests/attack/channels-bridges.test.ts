import { once } from "node:events";
import { connect } from "node:net";
import { type ChannelStatus, fillDetail } from "@parley/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Shown {
  readonly id: string;
  readonly status: Pick<ChannelStatus, "connected" | "warnings" | "warning_details">;
}

describe("a bridge that connects to the service", () => {
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    parley = await startParley({ env: { IMA_ACCESS_TOKEN: "sesame & more" } });
    api = await parley.signIn();
  });
  beforeEach(async () => {
    await set({ mode: "reverse_ws", access_token_env: "IMA_ACCESS_TOKEN" });
  });
  afterAll(() => parley[Symbol.asyncDispose]());

  const set = async (config: object) => {
    await api.post("/api/channels/imA/toggle", { enabled: false });
    await api.put("/api/channels/imA", { config });
    await api.post("/api/channels/imA/toggle", { enabled: true });
  };
  const status = async () => {
    const { items } = await api.get<{ readonly items: readonly Shown[] }>("/api/channels?limit=100");
    return items.find(({ id }) => id === "imA")?.status;
  };
  /** Returns the status of an upgrade request; 101 when it was accepted. */
  const dialUpgrade = async (headers: Readonly<Record<string, string>>, query = ""): Promise<number> => {
    const socket = new WebSocket(`${parley.address.replace("http", "ws")}/ws/imA${query}`, { headers });
    const opened = once(socket, "open").then(() => 101);
    const rejected = once(socket, "unexpected-response").then(([, { statusCode }]) => statusCode as number);
    opened.catch(() => undefined);
    rejected.catch(() => undefined);
    const code = await Promise.race([opened, rejected]);
    if (code === 101) {
      // An event with the account identifies the peer as a bridge.
      socket.send(JSON.stringify({ post_type: "meta_event", meta_event_type: "lifecycle", self_id: 1, time: 1 }));
      await eventually(async () => expect((await status())?.connected).toBe(true));
    }
    socket.on("error", () => undefined);
    socket.terminate();
    return code;
  };
  const token = "sesame & more";

  test.each([
    ["the header Authorization: Bearer", { authorization: `Bearer ${token}` }, ""],
    ["the header Authorization: Token", { authorization: `Token ${token}` }, ""],
    ["the query, as those on a browser's WebSocket must", {}, `?access_token=${encodeURIComponent(token)}`],
  ])("may send its token in %s", async (_where, headers, query) => {
    expect(await dialUpgrade(headers, query)).toBe(101);
  });

  test.each([
    ["a wrong token in the header", { authorization: "Bearer sesame" }, ""],
    ["a wrong token in the query", {}, "?access_token=sesame"],
    ["no token", {}, ""],
    ["a right token beside a wrong one", { authorization: `Bearer ${token}` }, "?access_token=no"],
    ["a right token twice", {}, `?access_token=no&access_token=${encodeURIComponent(token)}`],
  ])("with %s is rejected, and the channel shows that", async (_what, headers, query) => {
    expect(await dialUpgrade(headers as Readonly<Record<string, string>>, query)).toBe(401);
    await eventually(async () => {
      const { warnings = [], warning_details = [] } = (await status()) ?? {};
      expect(warning_details.map((detail) => fillDetail(detail ?? {}, "zh"))).toEqual([
        expect.stringMatching("已拒绝一个网桥："),
      ]);
      expect(warnings.join()).toContain("rejected");
      expect(warnings.join()).not.toContain("sesame");
    });
  });

  test("clears the warning once it is accepted", async () => {
    await dialUpgrade({ authorization: "Bearer no" });
    await dialUpgrade({ authorization: `Bearer ${token}` });
    expect((await status())?.warnings).toEqual([]);
  });

  test("without a configured token causes a warning", async () => {
    await set({ mode: "reverse_ws", access_token_env: "" });
    await eventually(async () => expect((await status())?.warnings.join()).toContain("no access token"));
  });

  test("that is rejected cannot keep its connection open, whatever it sends", async () => {
    const { hostname, port } = new URL(parley.address);
    const stream = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    stream.on("error", () => undefined);
    const over = new Promise((resolve) => stream.once("close", resolve));
    const ended = once(stream.resume(), "end");
    stream.write("GET /ws/imA HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    await ended;
    // The attacker keeps its side open, so the service must destroy the connection.
    await eventually(() => {
      stream.write("more");
      expect(stream.destroyed).toBe(true);
    });
    await over;
  });
});
