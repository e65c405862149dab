import { expect, test } from "vitest";
import type { Caller } from "../operations/accounts.ts";
import { toSender } from "./actors.ts";
import { senderAddress } from "./people.ts";

const caller = { kind: "api_key", accountId: "acc_1", username: "ann", scopes: ["chat"] } as unknown as Caller;

test("a request that names another sender is attributed to its own account", () => {
  const sender = toSender(caller, { name: "zoe", id: "zoe" });
  expect(senderAddress({ channelId: "web", sender })).toBe("web:user:ann");
});

test("an old message without an account counts for the sender name it has", () => {
  const sender = { id: "acc_1", name: "ann", isAdmin: false };
  expect(senderAddress({ channelId: "web", sender })).toBe("web:user:ann");
  expect(senderAddress({ channelId: "imA", sender: { ...sender, id: "42" } })).toBe("imA:user:42");
});
