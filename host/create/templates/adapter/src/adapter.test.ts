import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { channelAdapterContract, type PlatformFault } from "@parley/testing";
import { afterEach } from "vitest";
import { acmeAdapter } from "./adapter.ts";

const STATUS: Readonly<Partial<Record<PlatformFault, number>>> = { throttle: 429, refuse: 403, auth: 401, fail: 503 };
const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

// Tests everything that an adapter must do, on a simulated Acme. Features that it does not simulate are skipped, and listed in the table
// at the end.
channelAdapterContract("acme", async () => {
  const received: string[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const { user, text } = JSON.parse((await request.toArray()).join(""));
    const answer = user === "ann" ? status : 404;
    status = 200;
    if (answer === 200) received.push(text);
    response.writeHead(answer).end();
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return {
    adapter: acmeAdapter,
    config: { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    secrets: { ACME_WORD: "sesame" },
    inboundSecretSetting: "word_env",
    maxPart: 1_000,
    faults: ["throttle", "refuse", "auth", "fail"],
    async connect(link) {
      const post = async (message: object) => {
        const headers = { "x-acme-word": "sesame" };
        await link.receive?.({ headers, body: Buffer.from(JSON.stringify(message)), address: "127.0.0.1" });
      };
      await post({ id: "0" });
      let next = 0;
      return {
        conversation: "ann",
        say: (id, text) => post({ id, user: "ann", text }),
        other: (id) => post({ id, user: "ann" }),
        incomplete: [() => post({ id: "80", text: "from nowhere" })],
        fail(fault) {
          status = STATUS[fault] ?? 200;
        },
        async heard() {
          while (received.length <= next) await new Promise((resolve) => setImmediate(resolve));
          next += 1;
          return received[next - 1] ?? "";
        },
        async [Symbol.asyncDispose]() {},
      };
    },
  };
});
