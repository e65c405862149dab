import { isFields } from "./gateway-events.ts";

const COMMAND = 2;
const DEFERRED = 5;
const MESSAGE = 4;
const ONLY_FOR_PERSON = 64;
/** Notifies nobody whom the words of a command mention. */
const SILENT = { parse: [] };
const MAX_LENGTH = 2_000;

/**
 * Returns the answer to an interaction in place of the package's; undefined where that is right. A refused press is explained to its
 * person alone. A slash command is shown in the conversation: the package's answer promises another one within 15 minutes, by a token
 * that is lost with a restart, and replies are messages instead.
 */
export function answerInteraction(request: unknown, answer: string, refusal = ""): string | undefined {
  if (refusal !== "") return JSON.stringify({ type: MESSAGE, data: { content: refusal, flags: ONLY_FOR_PERSON } });
  if (!isFields(request) || request.type !== COMMAND || !isFields(request.data)) return undefined;
  const given: unknown = JSON.parse(answer);
  if (!isFields(given) || given.type !== DEFERRED) return undefined;
  const words = [`/${String(request.data.name)}`, ...listValues(request.data.options)].join(" ");
  const data = { content: words.slice(0, MAX_LENGTH), allowed_mentions: SILENT };
  return JSON.stringify({ type: MESSAGE, data });
}

/** Returns the names of subcommands and the values of options, in order. */
function listValues(options: unknown): readonly string[] {
  if (!Array.isArray(options)) return [];
  return options
    .filter(isFields)
    .flatMap(({ name, value, options: own }) =>
      value === undefined ? [String(name), ...listValues(own)] : [String(value)],
    );
}
