import { join } from "node:path";
import { LiveEvents } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const SERVER = join(import.meta.dirname, "..", "harness", "mcp", "mcp-tool-server.ts");

let parley: Parley;
let api: Client;
beforeAll(async () => {
  parley = await startParley({
    config: `[mcp]\nenabled = true\n[mcp_client]\nserver.good = "${process.execPath}" "${SERVER}" good\n`,
    env: { PATH: process.env.PATH ?? "" },
  });
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

interface Answered {
  readonly replies: readonly { readonly content: string }[];
}

test("a confirmation cannot be answered by an API key, whatever its scopes", async () => {
  const entry = { name: "asking", transport: "stdio", command: process.execPath, args: [SERVER, "good"] };
  await api.post("/api/mcp-servers", { id: "asking", ...entry, confirm_tools: ["*"] });
  await api.post("/api/mcp-servers/asking/connect", {});
  const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "program", scopes: ["admin"] });
  const program = api.as(secret);
  const session = (await api.post<{ id: string }>("/api/sessions", {})).id;
  const asked = new Promise<string>((resolve) => {
    const stop = parley.host.get(LiveEvents).subscribe(({ type, payload }) => {
      if (type !== "exec_confirm_request") return;
      stop();
      resolve(String(payload.request_id));
    });
  });
  const chat = `/api/sessions/${session}/chat`;
  const answering = program.post<Answered>(chat, { content: '/tool mcp__asking__echo {"text":"hello"}' });
  const request_id = await asked;

  const row = `/api/confirmations/${request_id}`;
  expect(await program.send("POST", row, { body: { approved: true } })).toMatchObject({ status: 403 });
  expect((await program.post<Answered>(chat, { content: "/confirm" })).replies[0]?.content).toContain(
    "a person is asked",
  );
  using socket = await openSocket(program);
  const frame = { type: "confirm_exec", session_id: session, request_id, approved: true };
  expect(await socket.ask(frame)).toMatchObject({ ok: false, code: "permission_denied" });

  expect((await api.post<Answered>(chat, { content: "/confirm" })).replies[0]?.content).toBe("Allowed.");
  expect((await answering).replies[0]?.content).toContain("echo: hello");
});
