import { eachLine } from "./stream-lines.ts";

const DONE = /^data:\s*\[DONE\]/;
const REASON = /"finish_reason"\s*:\s*"/;
const CALLS = /"tool_calls"\s*:\s*\[/;

/**
 * A stream of OpenAI's chat protocol whose end says why it ended: some servers send `[DONE]` and leave the reason out, and the
 * library takes that for an answer that broke off. One that ends without `[DONE]` stays as it is: it did break off.
 */
export function withFinish(response: Response): Response {
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const { status, statusText, headers } = response;
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(finishing())
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status, statusText, headers });
}

function finishing(): TransformStream<string, string> {
  let isFinished = false;
  let hasCalls = false;
  const line = (text: string): string => {
    isFinished ||= REASON.test(text);
    hasCalls ||= CALLS.test(text);
    if (isFinished || !DONE.test(text)) return text;
    isFinished = true;
    const reason = hasCalls ? "tool_calls" : "stop";
    return `data: {"choices":[{"index":0,"delta":{},"finish_reason":"${reason}"}]}\n\n${text}`;
  };
  return eachLine(line);
}
