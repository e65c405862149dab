import { Summaries, toLocalized } from "@parley/core";
import { expect, it } from "vitest";
import { createMessage, createTestSession, startChat } from "../test-setup.ts";

const request = {
  session: createTestSession(),
  messages: [createMessage("user", "Hi. How are you?"), createMessage("assistant", "Well! And you?")],
  maxChars: 60,
};
const never = new AbortController().signal;

it("a summary is written by the model and limited in length", async () => {
  await using chat = await startChat({ steps: [{ say: "x".repeat(100) }] });
  expect(await chat.get(Summaries).summarize({ ...request, previous: "before" }, never)).toHaveLength(60);
  expect(JSON.stringify(chat.calls[0]?.prompt)).toContain("before");
});

it("a summary consists of first sentences when the model is offline", async () => {
  await using chat = await startChat({ protocol: "offline" });
  expect(await chat.get(Summaries).summarize(request, never)).toBe("Ann: Hi.\nMia: Well!");
});

it("a summary fails like a turn does", async () => {
  await using chat = await startChat({ steps: [{ fail: "timeout" }] });
  await expect(chat.get(Summaries).summarize(request, never)).rejects.toMatchObject({ code: "timed_out" });
});

it("a summary needs something to summarize", async () => {
  await using chat = await startChat();
  const empty = chat.get(Summaries).summarize({ ...request, messages: [] }, never);
  const rejected = await empty.then(String, (error) => toLocalized(error));
  expect(rejected).toEqual({ en: "there is nothing to summarise", zh: "没有可总结的内容" });
});
