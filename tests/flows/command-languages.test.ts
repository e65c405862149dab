import { ChatCommands, type InboundMessage } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

let fake: FakeChannel;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  fake = createFakeChannel();
  parley = await startParley({ plugins: [fake.plugin] });
  api = await parley.signIn();
  await api.post("/api/channels", {
    id: fake.id,
    name: "Fake",
    type: fake.id,
    transport: "bridge",
    config: { rate_limits: { user: 0, conversation: 0 } },
    capabilities: { supports_stop: true },
  });
  await api.put("/api/settings", { admin_ids: ["fake:ada"] });
});
afterAll(() => parley[Symbol.asyncDispose]());

/** Invalid input by command, and commands that require an administrator. */
const MISTAKES: Readonly<Record<string, readonly string[]>> = {
  "/help": ["/help nowhere"],
  "/new": ["/new"],
  "/undo": ["/undo"],
  "/retry": ["/retry"],
  // It takes no arguments, and its answer has the name of the model.
  "/stats": [],
  "/stop": ["/stop now"],
  "/model": ["/model nowhere"],
  "/persona": ["/persona nowhere"],
  "/set": ["/set nowhere", "/set quiet_hours soon"],
  "/memory": [
    "/memory what",
    "/memory forget",
    "/memory forget 7",
    "/memory forget roses",
    "/memory correct 7",
    "/memory correct 7 roses",
  ],
  "/msg_filter": [
    "/msg_filter what",
    "/msg_filter add",
    "/msg_filter add '  '",
    "/msg_filter add roses sideways",
    "/msg_filter add ( regex",
    `/msg_filter add ${"x".repeat(1_001)}`,
    "/msg_filter del",
    "/msg_filter del rule_7",
    "/msg_filter del rule_7 -g 42",
    "/msg_filter list -g",
    "/msg_filter on now",
  ],
  "/confirm": ["/confirm"],
  "/deny": ["/deny this"],
  "/roll": ["/roll six", "/roll 9999d6"],
};

const replyTo = async (text: string, language: string, isAdmin = true): Promise<string> => {
  const before = fake.sent.length;
  const id = isAdmin ? "ada" : "eve";
  const sender: InboundMessage["sender"] = { id, name: id, isAdmin: false, language };
  await fake.say(id, text, { sender, conversation: { id, isGroup: false } });
  await eventually(() => expect(fake.sent.length).toBeGreaterThan(before));
  return fake.sent.at(-1)?.text ?? "";
};

/** Removes everything except the service's own sentences: commands, arguments, setting names and the user's words. */
function keepOwnWords(text: string, written: string): string {
  const theirs = new Set(written.split(/[\s']+/).filter((word) => word !== ""));
  return text
    .split("\n")
    .filter((line) => !line.startsWith("/") || /\p{Script=Han}/u.test(line))
    .join(" ")
    .replaceAll(/\[[a-z|]+\]|-g\b|\/\w+/g, " ")
    .split(/\s+|(?<=\p{Script=Han})|(?=\p{Script=Han})|[“”"'：:]/u)
    .filter((word) => !theirs.has(word))
    .join(" ")
    .replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, "");
}

test("every command has a test with wrong arguments", () => {
  const names = parley.host.all(ChatCommands).map(({ name }) => name);
  expect(Object.keys(MISTAKES).toSorted()).toEqual(names.toSorted());
});

test.each(Object.values(MISTAKES).flat())("%s is answered in the language of its sender", async (text) => {
  const [chinese, english] = [await replyTo(text, "zh-CN"), await replyTo(text, "en")];
  expect(english).not.toMatch(/\p{Script=Han}/u);
  expect(keepOwnWords(chinese, text)).not.toMatch(/[a-z]{2,}[ ,.]+[a-z]{2,}/i);
});

test("an invalid rule is rejected, not stored", async () => {
  expect(await replyTo(`/msg_filter add ${"x".repeat(1_001)}`, "en")).toBe(
    "pattern: must not be longer than 1000 characters",
  );
  expect(await api.get("/api/message-filter")).toMatchObject({ invalid: [] });
});

test.each(["/tool fly {}", "/tool roll_dice two"])("%s is described by the offline companion in it", async (text) => {
  const [chinese, english] = [await replyTo(text, "zh-CN"), await replyTo(text, "en")];
  expect([chinese, english]).toEqual([
    expect.stringMatching(/\p{Script=Han}/u),
    expect.not.stringMatching(/\p{Script=Han}/u),
  ]);
});

test.each(["/model", "/msg_filter"])("the fact that %s applies to administrators too", async (text) => {
  expect(keepOwnWords(await replyTo(text, "zh", false), text)).toBe(" 仅限管理员使用");
});
