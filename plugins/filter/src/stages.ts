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
  toTraceMessage,
} from "@parley/core";
import { isFilterCommand } from "./commands.ts";
import type { FilterEngine } from "./engine/engine.ts";
import type { HitHistory } from "./engine/hit-history.ts";
import { filterTexts } from "./texts.ts";

export interface StageDeps {
  readonly engine: FilterEngine;
  readonly history: Pick<HitHistory, "recordHit">;
  /** Returns the operator's notice to senders of blocked messages; when empty, none is sent on channels. */
  readonly notice: () => string;
  readonly events: LiveEvents;
  readonly channels: () => Channels | undefined;
  readonly adapters: () => readonly ChannelAdapter[];
  readonly log: Logger;
}

/** Creates the stage that filters user messages before any other processing. */
export function createFilterInputStage(deps: StageDeps): TurnStage {
  return {
    id: "filter.screen",
    phase: "screen",
    concerns: (turn) => isFiltered(turn) && hasRules(deps, turn, "user"),
    async run(turn, context) {
      const result = await applyFilter(deps, turn, turn.text, "user", turn.attachments.length > 0);
      traceFilter(deps, "user", result, context);
      const seen = recordHit(deps, turn, "user", result, turn.text);
      if (!result.blocked) return { ...seen, text: result.text, filter: mergeFilterResult(turn, result) };
      publishBlocked(deps, turn, "user", result.rules);
      await deleteFromPlatform(deps, turn, context);
      const own = deps.notice();
      return {
        ...seen,
        text: "",
        filter: mergeFilterResult(turn, result),
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

/** Creates the stage that filters replies before they are shown or stored. */
export function createFilterReplyStage(deps: StageDeps): TurnStage {
  return {
    id: "filter.screen-reply",
    phase: "screen-reply",
    guardsStream: (turn) => hasRules(deps, turn, "ai"),
    concerns: (turn) => hasRules(deps, turn, "ai"),
    async run(turn, context) {
      const replies: Reply[] = [];
      let filter = turn.filter;
      let seen = turn;
      for (const [index, reply] of turn.replies.entries()) {
        // Answers of commands are not texts of the AI, and the list of rules must stay readable.
        if (reply.kind === "command") {
          replies.push(reply);
          continue;
        }
        const result = await applyFilter(deps, turn, reply.text, "ai", reply.attachments.length > 0);
        traceFilter(deps, "ai", result, context);
        seen = recordHit(deps, seen, "ai", result, reply.text, index);
        const thinking =
          reply.thinking === undefined ? undefined : await applyFilter(deps, turn, reply.thinking, "ai", false);
        filter = mergeFilterResult({ ...turn, filter }, result);
        if (result.blocked) publishBlocked(deps, turn, "ai", result.rules);
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

/** True for an administrator's filter command, which is never filtered so that rules can always be removed. */
function isFilterAdminCommand({ inbound, text }: Turn): boolean {
  return inbound.kind === "message" && inbound.sender.isAdmin && isFilterCommand(text);
}

function isFiltered(turn: Turn): boolean {
  const { kind } = turn.inbound;
  return (kind === "message" || kind === "edit") && !isFilterAdminCommand(turn);
}

function hasRules({ engine }: StageDeps, { session }: Turn, target: "user" | "ai"): boolean {
  return engine.hasRulesFor(target, session.channel_id, session.id);
}

function applyFilter(
  { engine }: StageDeps,
  { session }: Turn,
  text: string,
  target: "user" | "ai",
  hasAttachments: boolean,
) {
  return engine.apply({ text, target, channelId: session.channel_id, sessionId: session.id, hasAttachments });
}

function recordHit(
  { history }: StageDeps,
  turn: Turn,
  direction: "user" | "ai",
  { filtered, blocked, rules }: FilterResult,
  text: string,
  index?: number,
): Turn {
  return filtered ? history.recordHit(turn, { direction, blocked, rules }, text, index) : turn;
}

function mergeFilterResult({ filter }: Turn, { rules, filtered, blocked }: FilterResult): Turn["filter"] {
  return {
    rules: [...new Set([...filter.rules, ...rules])],
    filtered: filter.filtered || filtered,
    blocked: filter.blocked || blocked,
  };
}

const BLOCKED = toTraceMessage(filterTexts.message("trace_blocked"));
const TEXT_REMOVED = toTraceMessage(filterTexts.message("trace_removed"));
const RULES_SKIPPED = toTraceMessage(filterTexts.message("trace_skipped"));

function traceFilter(
  { engine }: StageDeps,
  side: "user" | "ai",
  { filtered, blocked, rules, skipped }: FilterResult,
  context: TurnContext,
): void {
  if (filtered) {
    const message = blocked ? BLOCKED : TEXT_REMOVED;
    const actions = Object.fromEntries(rules.map((id) => [id, engine.getAction(id) ?? null]));
    context.trace({ status: "filtered", ...message, metadata: { what: "filter", side, blocked, rules, actions } });
  }
  if (skipped.length > 0) {
    context.trace({ status: "filtered", ...RULES_SKIPPED, metadata: { what: "filter", side, skipped } });
  }
}

function publishBlocked(
  { events, notice }: StageDeps,
  turn: Turn,
  direction: "user" | "ai",
  rules: readonly string[],
): void {
  const { session, traceId, inbound } = turn;
  if (cameFromPlatform(turn)) return;
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

/** Deletes a blocked message on the platform, if the adapter can; a rejection is ignored. */
async function deleteFromPlatform(
  { channels, adapters, log }: StageDeps,
  turn: Turn,
  context: TurnContext,
): Promise<void> {
  const { inbound } = turn;
  const { platformMessageId, channelId, conversation } = inbound;
  if (!conversation.isGroup || platformMessageId === undefined || !cameFromPlatform(turn)) return;
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

/** True when the message came from a platform; otherwise its sender at the console or API waits for the notice. */
function cameFromPlatform({ inbound: { channelId, source } }: Turn): boolean {
  return channelId !== "web" && source === channelId;
}
