const DONE_LINE = /^data:\s*\[DONE\]/;
const REASON_PATTERN = /"finish_reason"\s*:\s*"/;
const CALLS_PATTERN = /"tool_calls"\s*:\s*\[/;

/**
 * Rewrites a stream of OpenAI's chat protocol so that its end has a finish reason: some servers send `[DONE]` without one, and
 * the library takes that for an interrupted answer. A stream without `[DONE]` stays unchanged, since it was interrupted.
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
