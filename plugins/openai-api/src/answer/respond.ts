import { Readable } from "node:stream";
import { AppError, formatFailure, HTTP_STATUS, type RawReply, rawReply } from "@parley/core";
import { toOpenAiError } from "../error-form.ts";
import type { CompletionBody } from "../request/body.ts";
import { type CompletionHead, toChunk, toCompletion, toToolCallDelta, toUsageChunk } from "./completion.ts";
import type { AnswerEnd, RunningAnswer } from "./running-answer.ts";
import { cutAtStop, findStop } from "./stop-texts.ts";

/** Data of a response besides the answer. */
export interface Responding {
  readonly head: CompletionHead;
  readonly body: CompletionBody;
  readonly signal: AbortSignal;
  /** Language of error messages. */
  readonly language: string;
  /** Reports an error that is not meant for the client. */
  readonly onUnexpected: (error: unknown) => void;
}

/** Sends the answer whole, or as a stream. What fails before the first piece is an error of the request. */
export async function respond(answer: RunningAnswer, responding: Responding): Promise<RawReply> {
  const { body, head } = responding;
  const headers = answer.sessionId === undefined ? {} : { "x-parley-session": answer.sessionId };
  const pieces = cutAtStop(answer.pieces, body.stop, answer.stop);
  if (!body.stream) {
    for await (const _ of pieces);
    const end = cutEnd(await answer.end, body.stop);
    const type = "application/json";
    return rawReply({ body: JSON.stringify(toCompletion(head, end)), type, headers: { ...NO_STORE, ...headers } });
  }
  const first = await pieces.next();
  if (first.done) await answer.end;
  const events = writeEvents(answer, { ...responding, first, pieces });
  return rawReply({
    body: Readable.from(events, { objectMode: false }),
    type: "text/event-stream",
    headers: { ...NO_STORE, ...headers },
  });
}

const NO_STORE = { "cache-control": "no-store" };

function cutEnd(end: AnswerEnd, stops: readonly string[]): AnswerEnd {
  const at = findStop(end.text, stops);
  return at === undefined ? end : { ...end, text: end.text.slice(0, at), finishReason: "stop" };
}

interface Writing extends Responding {
  readonly first: IteratorResult<string>;
  readonly pieces: AsyncGenerator<string>;
}

async function* writeEvents(answer: RunningAnswer, writing: Writing): AsyncGenerator<string> {
  const { head, body, first, pieces } = writing;
  try {
    yield toEvent(toChunk(head, { role: "assistant", content: "" }));
    if (!first.done) yield toEvent(toChunk(head, { content: first.value }));
    for await (const piece of pieces) yield toEvent(toChunk(head, { content: piece }));
    const end = cutEnd(await answer.end, body.stop);
    if (end.refusal !== null) yield toEvent(toChunk(head, { refusal: end.refusal }));
    if (end.toolCalls.length > 0) yield toEvent(toChunk(head, toToolCallDelta(end.toolCalls)));
    yield toEvent(toChunk(head, {}, end.finishReason));
    if (body.stream_options?.include_usage) yield toEvent(toUsageChunk(head, end));
    yield "data: [DONE]\n\n";
  } catch (error) {
    if (writing.signal.aborted) return;
    yield toEvent({ error: describeError(error, writing) });
  }
}

function toEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function describeError(error: unknown, { language, onUnexpected, head }: Responding) {
  if (!AppError.is(error) || error.code === "internal") {
    onUnexpected(error);
    return toOpenAiError({ status: 500, code: "internal", message: `internal error (${head.id})` });
  }
  const { code, detail } = error;
  const message = formatFailure({ error: error.message, code, detail }, language);
  return toOpenAiError({ status: HTTP_STATUS[code], code, message, detail });
}
