const DONE_LINE = /^data:\s*\[DONE\]/;
const REASON_PATTERN = /"finish_reason"\s*:\s*"/;
const CALLS_PATTERN = /"tool_calls"\s*:\s*\[/;

/**
 * Adds a finish reason before `[DONE]` to a stream of OpenAI's chat protocol that has none, because the library would
 * take the answer for an interrupted one. A stream without `[DONE]` was interrupted, and stays unchanged.
 */
export function createFinishReasonRewriter(): (line: string) => string {
  let isFinished = false;
  let hasCalls = false;
  return (text) => {
    isFinished ||= REASON_PATTERN.test(text);
    hasCalls ||= CALLS_PATTERN.test(text);
    if (isFinished || !DONE_LINE.test(text)) return text;
    isFinished = true;
    const reason = hasCalls ? "tool_calls" : "stop";
    return `data: {"choices":[{"index":0,"delta":{},"finish_reason":"${reason}"}]}\n\n${text}`;
  };
}
