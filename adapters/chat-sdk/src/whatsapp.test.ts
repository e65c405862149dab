import { startWhatsAppServer, WHATSAPP_APP, type WhatsAppFault, type WhatsAppServer } from "@parley/simulators";
import { channelAdapterContract, type PlatformFault } from "@parley/testing";
import { afterEach, describe, expect } from "vitest";
import { watchSent } from "../../../tests/harness/sent-messages.ts";
import { createTestAdapter } from "../../../tests/harness/test-adapter.ts";
import { readPackages } from "./packages/served-packages.ts";

const FAULTS: Readonly<Record<PlatformFault, WhatsAppFault>> = {
  throttle: { kind: "error", status: 429, code: 130_429 },
  refuse: { kind: "error", status: 400, code: 131_047 },
  auth: { kind: "error", status: 401, code: 190 },
  fail: { kind: "error", status: 503, code: 131_000 },
  "reset-after": { kind: "reset-after" },
};
const PERSON = `whatsapp:${WHATSAPP_APP.phoneNumberId}:501`;

describe("the real WhatsApp package", () => {
  const servers: WhatsAppServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  channelAdapterContract("chat-sdk:whatsapp", async () => {
    const server = await startWhatsAppServer();
    servers.push(server);
    const [served] = readPackages("whatsapp");
    if (!served) throw new Error("whatsapp is not known");
    return {
      adapter: createTestAdapter(served, () => import("@chat-adapter/whatsapp")),
      config: { apiUrl: server.address },
      secrets: {
        WHATSAPP_ACCESS_TOKEN: WHATSAPP_APP.accessToken,
        WHATSAPP_APP_SECRET: WHATSAPP_APP.appSecret,
        WHATSAPP_VERIFY_TOKEN: "verify",
        WHATSAPP_PHONE_NUMBER_ID: WHATSAPP_APP.phoneNumberId,
      },
      inboundSecretSetting: "appSecret_env",
      maxPart: 4_096,
      // The package does not pass on how long the platform asks to wait.
      faults: ["refuse", "auth", "fail", "reset-after"],
      async connect(link) {
        const post = async (message: object) => {
          const { body, headers } = server.createPost(PERSON, message);
          await link.receive?.({ headers, body: Buffer.from(body), address: "127.0.0.1" });
        };
        const query = "hub.mode=subscribe&hub.verify_token=verify&hub.challenge=c-7";
        const check = { method: "GET", query, headers: {}, body: new Uint8Array(), address: "127.0.0.1" } as const;
        expect(await link.receive?.(check)).toMatchObject({ status: 200, body: "c-7" });
        await post({ type: "system", id: "s" });
        return {
          conversation: PERSON,
          say: (id, text) => post({ id: `wamid.${id}`, text: { body: text } }),
          ...watchSent(server),
          other: () => post({ id: "wamid.o", type: "unsupported" }),
          fail: (fault) => void server.faults.push(FAULTS[fault]),
          hang: () => void server.faults.push({ kind: "hang" }),
          async [Symbol.asyncDispose]() {},
        };
      },
    };
  });
});
