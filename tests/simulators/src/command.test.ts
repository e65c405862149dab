import { PassThrough } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { simulate } from "./command.ts";

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** Runs the command as from a terminal. */
function runCommand(...args: readonly string[]) {
  const input = new PassThrough();
  const lines: string[] = [];
  const stop = new AbortController();
  const code = simulate({ args, input, print: (line) => void lines.push(line), signal: stop.signal });
  ended.push(async () => {
    stop.abort();
    await code;
  });
  const line = (fits: RegExp) =>
    expect
      .poll(() => lines.find((one) => fits.test(one)), { interval: 5 })
      .toBeDefined()
      .then(() => lines.find((one) => fits.test(one)) ?? "");
  return { input, lines, code, line };
}

test("typed text is sent on the platform, and the bot's messages there are printed", async () => {
  const { input, line } = runCommand("imB");
  const [, address = ""] = /^ready (http:\S+)$/.exec(await line(/^ready /)) ?? [];
  const body = JSON.stringify({ chat_id: 501, text: "good morning" });
  const headers = { "content-type": "application/json" };
  input.write("501 hello\n");
  const updates = await fetch(`${address}/bot42:secret/getUpdates`, {
    method: "POST",
    body: '{"timeout":20}',
    headers,
  });
  expect(await updates.json()).toMatchObject({ result: [{ message: { text: "hello" } }] });
  await fetch(`${address}/bot42:secret/sendMessage`, { method: "POST", body, headers });
  expect(await line(/^501 good morning$/)).toBe("501 good morning");
  input.write("?\n");
  await line(/^write <conversation> <text>$/);
});

test("text that no service takes is reported", async () => {
  const { input, line } = runCommand("generic");
  await line(/^ready /);
  input.write("u1 hello\n");
  expect(await line(/^not taken: /)).toContain("webhook");
});

test("a model answers every request, until it is stopped", async () => {
  const { line, input } = runCommand("model");
  const [, address = ""] = /^ready (http:\S+)$/.exec(await line(/^ready /)) ?? [];
  input.end();
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hello" }] });
  const answer = await fetch(`${address}/chat/completions`, { method: "POST", body });
  expect(JSON.stringify(await answer.json())).toContain("hello");
});

test.each([[], ["imX"], ["imB", "--wrong"], ["imB", "--port", "many"]])("%j is explained", async (...args) => {
  const { code, lines } = runCommand(...args.flat());
  expect(await code).toBe(1);
  expect(lines.join()).toContain("parley-simulate <imA|imAbot|imB|imC|generic|model>");
});
