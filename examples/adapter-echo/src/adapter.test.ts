import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { createInterface } from "node:readline";
import { channelAdapterContract, type FakePlatform } from "@parley/testing";
import { createLineAdapter } from "./adapter.ts";

let ports: number;

channelAdapterContract("echo", async () => {
  const port = await freePort();
  ports = port;
  return {
    adapter: createLineAdapter(),
    config: { port, token_env: "ECHO_TOKEN", pause_ms: 300 },
    secrets: { ECHO_TOKEN: "sesame" },
    inboundSecretSetting: "token_env",
    connect: () => person("alice", "sesame"),
  };
});

/** Connects a user, who repeats each line until it is stored, and receives replies. */
async function person(name: string, token: string): Promise<FakePlatform> {
  const socket = connect(ports, "127.0.0.1");
  await once(socket, "connect");
  const lines = createInterface({ input: socket });
  const waiting = new Set<(line: string | undefined) => void>();
  lines.on("line", (line) => {
    for (const take of [...waiting]) take(line);
  });
  socket.on("close", () => {
    for (const take of [...waiting]) take(undefined);
  });
  socket.on("error", () => {});
  const answer = (fits: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const take = (line: string | undefined) => {
        if (line !== undefined && !fits.test(line)) return;
        waiting.delete(take);
        if (line === undefined || line === "refused") reject(new Error("the line is closed"));
        else resolve(line);
      };
      waiting.add(take);
    });
  const welcome = answer(/^(welcome|refused)$/);
  socket.write(`hello ${name} ${token}\n`);
  await welcome;
  return {
    conversation: name,
    async say(id, text) {
      const stored = answer(new RegExp(`^stored ${id}$`));
      socket.write(`${id} ${text}\n`);
      await stored;
    },
    heard: async () => (await answer(/^say /)).split(" ").slice(2).join(" "),
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
