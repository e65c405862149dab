import {
  type Message,
  type RegexReplacement,
  type RegexRunner,
  type Turn,
  type TurnContext,
  type TurnStage,
  toTraceMessage,
} from "@parley/core";
import { expandMacros, type MacroValues, toMacroValues } from "@parley/core/characters";
import type { CharacterRecords } from "../records/character-records.ts";
import { charactersTexts } from "../texts.ts";
import type { RegexScript } from "./read-scripts.ts";

export interface ScriptStagesDeps {
  readonly records: Pick<CharacterRecords, "findSpeaker">;
  readonly timeZone: () => string;
  /** Returns undefined when no plugin runs expressions; scripts then change nothing. */
  readonly runner: () => RegexRunner | undefined;
}

/** Number of timeouts after which a script is suspended until the next start. */
const MAX_TIMEOUTS = 2;
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/** Milliseconds that all scripts of one stage may take; what is left then is not changed. */
const TOTAL_MS = 1_000;

/** The time of one run of a stage, and the scripts that had none. */
interface TimeLeft {
  ms: number;
  readonly skipped: Set<RegexScript>;
}

/** Applies the scripts of a turn's character to a text. */
type ApplyScripts = (
  turn: Turn,
  text: string,
  isWanted: (script: RegexScript) => boolean,
  left: TimeLeft,
) => Promise<string>;

/** Runs a stage within its time, and says in the trace which scripts had none. */
async function runTimed(context: Pick<TurnContext, "trace">, run: (left: TimeLeft) => Promise<Turn>): Promise<Turn> {
  const left: TimeLeft = { ms: TOTAL_MS, skipped: new Set() };
  const turn = await run(left);
  if (left.skipped.size > 0)
    context.trace({
      status: "build_request_failed",
      ...toTraceMessage(charactersTexts.message("trace_scripts_skipped", { count: left.skipped.size })),
    });
  return turn;
}

/** The stages that run the regex scripts of a card: on what the person writes, on answers, and on the prompt. */
export const SCRIPT_STAGES: readonly ((deps: ScriptStagesDeps) => TurnStage)[] = [
  (deps) => createInputStage(createApplication(deps)),
  (deps) => createReplyStage(createApplication(deps)),
  (deps) => createPromptStage(createApplication(deps)),
];

function hasCharacter({ session }: Turn): boolean {
  return session.character_id !== null && session.session_mode === "character";
}

function createInputStage(applyScripts: ApplyScripts): TurnStage {
  return {
    id: "characters.script-input",
    phase: "screen",
    after: ["filter.screen"],
    // A command is no message, and a regenerated one was changed when it came.
    concerns: (turn) => hasCharacter(turn) && turn.inbound.kind === "message" && !turn.text.startsWith("/"),
    run: (turn, context) =>
      runTimed(context, async (left) => {
        const text = await applyScripts(turn, turn.text, (script) => script.isForInput && isForNew(script), left);
        return { ...turn, text };
      }),
  };
}

function createReplyStage(applyScripts: ApplyScripts): TurnStage {
  return {
    id: "characters.script-reply",
    phase: "screen-reply",
    after: ["filter.screen-reply"],
    concerns: (turn) => hasCharacter(turn) && turn.replies.some(({ kind }) => kind === "normal"),
    run: (turn, context) =>
      runTimed(context, async (left) => {
        const replies: Turn["replies"][number][] = [];
        for (const reply of turn.replies) {
          const isWanted = (script: RegexScript) => script.isForReply && isForNew(script);
          const text = reply.kind === "normal" ? await applyScripts(turn, reply.text, isWanted, left) : reply.text;
          replies.push(text === reply.text ? reply : { ...reply, text });
        }
        return { ...turn, replies };
      }),
  };
}

function createPromptStage(applyScripts: ApplyScripts): TurnStage {
  return {
    id: "characters.script-prompt",
    phase: "context",
    after: ["sessions.history"],
    concerns: (turn) => hasCharacter(turn) && turn.replies.length === 0,
    run: (turn, context) =>
      runTimed(context, async (left) => {
        const { length } = turn.history;
        const history: Message[] = [];
        // One after the other and the newest first, so that the time is spent on what the answer depends on most.
        for (const [at, message] of [...turn.history.entries()].reverse()) {
          context.signal.throwIfAborted();
          const isTalk = message.kind === "normal" && message.role !== "system";
          const isWanted = (script: RegexScript) => isForPrompt(script, message, length - 1 - at);
          const content = isTalk ? await applyScripts(turn, message.content, isWanted, left) : message.content;
          history.unshift(content === message.content ? message : { ...message, content });
        }
        return { ...turn, history };
      }),
  };
}

/** Returns true when a script changes a new message where it is stored. */
function isForNew({ isPromptOnly, minDepth }: RegexScript): boolean {
  return !isPromptOnly && minDepth === 0;
}

function isForPrompt(script: RegexScript, { role }: Message, depth: number): boolean {
  const isForRole = role === "user" ? script.isForInput : script.isForReply;
  return script.isPromptOnly && isForRole && depth >= script.minDepth && depth <= script.maxDepth;
}

function createApplication({ records, timeZone, runner }: ScriptStagesDeps): ApplyScripts {
  const timeouts = new Map<string, number>();
  return async (turn, text, isWanted, left) => {
    const speaker = await records.findSpeaker(turn.session.character_id ?? "");
    const scripts = (speaker?.scripts ?? []).filter(
      (script) => isWanted(script) && (timeouts.get(toKey(script)) ?? 0) < MAX_TIMEOUTS,
    );
    const regexRunner = scripts.length === 0 || text === "" ? undefined : runner();
    if (!speaker || !regexRunner) return text;
    const values = toMacroValues(turn, timeZone(), speaker.nickname);
    const replacements = scripts.map((script) => toReplacement(script, values));
    const replaced = await regexRunner.replace(text, replacements, { totalMs: left.ms });
    left.ms = Math.max(0, left.ms - replaced.ms);
    for (const index of replaced.skipped) left.skipped.add(scripts[index] as RegexScript);
    for (const index of replaced.timeouts) {
      const key = toKey(scripts[index] as RegexScript);
      timeouts.set(key, (timeouts.get(key) ?? 0) + 1);
    }
    return replaced.text;
  };
}

function toKey({ pattern, flags }: RegexScript): string {
  return `/${pattern}/${flags}`;
}

function toReplacement(
  { pattern, flags, replacement, trim, substitution }: RegexScript,
  values: MacroValues,
): RegexReplacement {
  const fill = (text: string) => expandMacros(text, values);
  const escapeValue = (value: string) => value.replaceAll(SYNTAX, "\\$&");
  const escaped = { ...values, user: escapeValue(values.user), char: escapeValue(values.char) };
  const filled = { none: pattern, raw: fill(pattern), escaped: expandMacros(pattern, escaped) };
  return { pattern: filled[substitution], flags, replacement: fill(replacement), trim: trim.map(fill) };
}
