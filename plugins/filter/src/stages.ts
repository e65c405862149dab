import {
  type ChannelAdapter,
  type Channels,
  FILTER_NOTICE,
  type FilterResult,
  type LiveEvents,
  type Logger,
  messageFiltered,
  type Reply,
  type Turn,
  type TurnContext,
  type TurnStage,
} from "@parley/core";
import { isFilterCommand } from "./commands.ts";
import type { FilterEngine } from "./engine.ts";
import type { HitHistory } from "./hit-history.ts";

export interface StageParts {
  readonly engine: FilterEngine;
  readonly history: Pick<HitHistory, "noted">;
  /** What the sender of a blocked message is told, in the operator's words; "": nothing on channels. */
  readonly notice: () => string;
  readonly events: LiveEvents;
  readonly channels: () => Channels | undefined;
  readonly adapters: () => readonly ChannelAdapter[];
  readonly log: Logger;
}

/** What users say, before anything else happens with it. */
export function screenStage(parts: StageParts): TurnStage {
  return {
    id: "filter.screen",
    phase: "screen",
    async run(turn, context) {
      const { kind } = turn.inbound;
      if ((kind !== "message" && kind !== "edit") || isEscape(turn)) return turn;
      const result = await judged(parts, turn, turn.text, "user", turn.attachments.length > 0);
      traceOf(parts, "user", result, context);
      const seen = noted(parts, turn, "user", result, turn.text);
      if (!result.blocked) return { ...seen, text: result.text, filter: filterOf(turn, result) };
      tellBlocked(parts, turn, "user", result.rules);
      await withdraw(parts, turn, context);
      const own = parts.notice();
      return {
        ...seen,
        text: "",
        filter: filterOf(turn, result),
        stopped: {
          by: "filter.screen",
          reason: "filtered",
          notice: own || FILTER_NOTICE,
          ...(own !== "" && { told: own }),
        },
      };
    },
  };
}

/** What the AI says, before anybody sees it or it is stored. */
export function screenReplyStage(parts: StageParts): TurnStage {
  return {
    id: "filter.screen-reply",
    phase: "screen-reply",
    guardsStream: ({ session }) => parts.engine.applies("ai", session.channel_id, session.id),
    async run(turn, context) {
      const replies: Reply[] = [];
      let filter = turn.filter;
      let seen = turn;
      for (const [index, reply] of turn.replies.entries()) {
        // What a command answers was not said by the AI; the list of rules must stay readable.
        if (reply.kind === "command") {
          replies.push(reply);
          continue;
        }
        const result = await judged(parts, turn, reply.text, "ai", reply.attachments.length > 0);
        traceOf(parts, "ai", result, context);
        seen = noted(parts, seen, "ai", result, reply.text, index);
        const thinking =
          reply.thinking === undefined ? undefined : await judged(parts, turn, reply.thinking, "ai", false);
        filter = filterOf({ ...turn, filter }, result);
        if (result.blocked) tellBlocked(parts, turn, "ai", result.rules);
        else {
          const filtered = result.filtered || thinking?.filtered === true;
          replies.push({
            ...reply,
            text: result.text,
            ...(thinking && { thinking: thinking.text }),
            ...(filtered && { filtered }),
          });
        }
      }
      const isBlocked = turn.replies.length > 0 && replies.length === 0;
      return { ...seen, replies, filter: { ...filter, blocked: isBlocked } };
    },
  };
}

/** An administrator's own command: so that a rule can always be taken back. */
function isEscape({ inbound, text }: Turn): boolean {
  return inbound.kind === "message" && inbound.sender.isAdmin && isFilterCommand(text);
}

function judged(
  { engine }: StageParts,
  { session }: Turn,
  text: string,
  target: "user" | "ai",
  hasAttachments: boolean,
) {
  return engine.apply({ text, target, channelId: session.channel_id, sessionId: session.id, hasAttachments });
}

function noted(
  { history }: StageParts,
  turn: Turn,
  direction: "user" | "ai",
  { filtered, blocked, rules }: FilterResult,
  text: string,
  index?: number,
): Turn {
  return filtered ? history.noted(turn, { direction, blocked, rules }, text, index) : turn;
}

function filterOf({ filter }: Turn, { rules, filtered, blocked }: FilterResult): Turn["filter"] {
  return {
    rules: [...new Set([...filter.rules, ...rules])],
    filtered: filter.filtered || filtered,
    blocked: filter.blocked || blocked,
  };
}

function traceOf(
  { engine }: StageParts,
  side: "user" | "ai",
  { filtered, blocked, rules, skipped }: FilterResult,
  context: TurnContext,
): void {
  if (filtered) {
    const message = blocked ? "blocked by the filter" : "text removed by the filter";
    const actions = Object.fromEntries(rules.map((id) => [id, engine.actionOf(id) ?? null]));
    context.trace({ status: "filtered", message, metadata: { what: "filter", side, blocked, rules, actions } });
  }
  if (skipped.length > 0) {
    const message = "rules that took too long were skipped";
    context.trace({ status: "filtered", message, metadata: { what: "filter", side, skipped } });
  }
}

function tellBlocked(
  { events, notice }: StageParts,
  turn: Turn,
  direction: "user" | "ai",
  rules: readonly string[],
): void {
  const { session, traceId, inbound } = turn;
  if (isOfPlatform(turn)) return;
  events.publish(
    messageFiltered({
      sessionId: session.id,
      channelId: session.channel_id,
      direction,
      rules,
      tempId: direction === "user" ? (inbound.tempId ?? null) : null,
      traceId,
      ...(direction === "user" && { notice: notice() }),
    }),
  );
}

/** Takes a blocked message back on the platform, where its adapter does that; a refusal changes nothing here. */
async function withdraw({ channels, adapters, log }: StageParts, turn: Turn, context: TurnContext): Promise<void> {
  const { inbound } = turn;
  const { platformMessageId, channelId, conversation } = inbound;
  if (!conversation.isGroup || platformMessageId === undefined || !isOfPlatform(turn)) return;
  const type = channels()?.get(channelId)?.type;
  const isMeant = adapters().some((adapter) => adapter.type === type && adapter.withdrawsBlocked);
  const link = channels()?.link(channelId);
  if (!isMeant || !link?.recall) return;
  try {
    await context.once("filter.withdraw", async () =>
      link.recall?.(platformMessageId, conversation.id, context.signal),
    );
  } catch (error) {
    log.warn("a blocked message could not be withdrawn on the platform", { channel: channelId, error });
  }
}

/** It came in by its own channel; else somebody at the console or an interface waits for the word. */
function isOfPlatform({ inbound: { channelId, source } }: Turn): boolean {
  return channelId !== "web" && source === channelId;
}
