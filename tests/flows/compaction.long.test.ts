import type { Message, Session } from "@parley/core";
import type { List } from "@parley/core/http";
import { type ModelRequest, type ModelScript, startModelServer } from "@parley/simulators";
import { expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

const MESSAGES = 2_000;
const FACTS = 30;
const WINDOW_TOKENS = 8_000;
const TIMEOUT_MS = 1_200_000;
const CHATTER =
  "and then we walked along the shore until the evening, as we always do on such a day, talking of this and that. ";

const toFact = (at: number) => `My locker ${at} opens with ${7_000 + at}.`;
const isSummaryRequest = ({ body }: ModelRequest) =>
  JSON.stringify(body.messages[0]).includes("Summarize the conversation");
const textOf = ({ body }: ModelRequest) => body.messages.map(({ content }) => JSON.stringify(content)).join("\n");

/** Summarizes like a diligent model, and answers questions from what is in its prompt. */
function answer(request: ModelRequest): ModelScript {
  const text = textOf(request);
  if (isSummaryRequest(request)) {
    const facts = new Set(text.match(/My locker \d+ opens with \d+\./g));
    return { kind: "text", text: [...facts].join("\n") };
  }
  const asked = /What opens locker (\d+)\?/.exec(JSON.stringify(request.body.messages.at(-1)?.content))?.[1];
  const code = new RegExp(`My locker ${asked} opens with (\\d+)`).exec(text)?.[1];
  return { kind: "text", text: asked === undefined ? CHATTER : (code ?? "I do not know.") };
}

const waitForFolds = (api: Client) =>
  eventually(async () => {
    for (const status of ["waiting", "running"])
      expect((await api.get<List<unknown>>(`/api/jobs?kind=sessions.compact&status=${status}`)).total).toBe(0);
  });

test(
  "2,000 messages pass through a model of 8k tokens, and 30 questions are answered from the summaries",
  async () => {
    await using models = await startModelServer({ answer });
    await using parley = await startParley();
    const api = await parley.signIn();
    const fields = { name: "Small", model: "m", base_url: models.baseUrl, max_context_length: WINDOW_TOKENS };
    const { id } = await api.post<{ id: string }>("/api/ai-models", { ...fields, max_tokens: 500 });
    await api.post(`/api/ai-models/${id}/apply`, {});
    const session = (await api.post<Session>("/api/sessions", {})).id;
    const say = async (content: string) => {
      const { replies } = await api.post<{ replies: readonly Message[] }>(`/api/sessions/${session}/chat`, { content });
      expect(replies).toHaveLength(1);
      return replies[0]?.content;
    };
    for (let turn = 0; turn < MESSAGES / 2; turn += 1) {
      const at = turn % 33 === 0 ? turn / 33 : FACTS;
      await say(at < FACTS ? toFact(at) : `${turn} ${CHATTER}`);
    }
    await waitForFolds(api);
    const chat = models.requests.filter((request) => !isSummaryRequest(request));
    // A prompt never exceeds the model's window, by four characters a token.
    expect(Math.max(...chat.map(({ body }) => JSON.stringify(body).length / 4))).toBeLessThan(WINDOW_TOKENS);
    for (let at = 0; at < FACTS; at += 1) expect(await say(`What opens locker ${at}?`)).toBe(String(7_000 + at));
    const { archived_message_count, message_count } = await api.get<Session>(`/api/sessions/${session}`);
    expect(archived_message_count).toBeGreaterThan(1_500);
    expect(archived_message_count + message_count).toBeGreaterThanOrEqual(MESSAGES + 2 * FACTS);
  },
  TIMEOUT_MS,
);
