import {
  type Channels,
  type Characters,
  type Clock,
  findChannelTimeZone,
  GROUP_MEMORY,
  type InboundMessage,
  listPresent,
  resolveConversationSettings,
  type Sessions,
  type Settings,
  type Turn,
  type TurnContext,
  type TurnStage,
  turnData,
} from "@parley/core";
import { decideAnswer, type GroupSettings } from "./decide.ts";
import { type JudgeDeps, judgeMessage } from "./judge.ts";
import { containsKeyword } from "./keywords.ts";
import type { LoopBudget } from "./loop-budget.ts";
import type { RecentTalk, RememberedLine } from "./recent-talk.ts";

/** Messages in which answers that nobody asked for are looked for. */
const SEARCHED_MESSAGES = 100;

export interface GroupDeps extends JudgeDeps {
  readonly talk: RecentTalk;
  readonly loops: LoopBudget;
  readonly channels: () => Pick<Channels, "get"> | undefined;
  readonly sessions: () => Pick<Sessions, "messages">;
  readonly characters: () => Pick<Characters, "faces"> | undefined;
  readonly settings: Settings;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly random: () => number;
}

/** Set on turns in which the bot joins in unasked. */
const UNPROMPTED = turnData<{ readonly trigger: string }>("groups");

/** Creates the stage that decides whether a message of a group is answered. The message is recorded before. */
export function createDecisionStage(deps: GroupDeps): TurnStage {
  return {
    id: "groups.decide",
    phase: "record-user",
    after: ["sessions.record-user"],
    usesStorage: true,
    concerns: ({ inbound }) => isGroupTalk(inbound),
    async run(turn, context) {
      const { inbound, session, text } = turn;
      const id = inbound.platformMessageId;
      if (inbound.kind !== "message") {
        if (id !== undefined) deps.talk.remove(session.id, id);
        return turn;
      }
      const line = toLine(deps, turn);
      const before = deps.talk.list(session.id, line.atMs);
      if (text !== "") deps.talk.add(session.id, line);
      if (line.isBot) deps.loops.count(session.id, deps.clock.monotonic());
      if (isExcluded(inbound) || turn.replies.length > 0) return turn;
      return decide(deps, turn, { line, before }, context);
    },
  };
}

/** Creates the stage that marks answers nobody asked for, and remembers what the bot said. */
export function createSpokenStage({ talk, loops, clock }: GroupDeps): TurnStage {
  return {
    id: "groups.spoken",
    phase: "decorate",
    concerns: ({ inbound, replies }) => isGroupTalk(inbound) && replies.length > 0,
    async run(turn) {
      const { session, inbound, replies } = turn;
      loops.count(session.id, clock.monotonic());
      const own = {
        channelId: inbound.channelId,
        senderId: "",
        sender: session.sender_name,
        isOwn: true,
        isBot: false,
        answersId: inbound.sender.id,
      };
      for (const { text } of replies)
        talk.add(session.id, { ...own, text, atMs: clock.now(), isStored: true, platformMessageId: undefined });
      const unprompted = UNPROMPTED.of(turn);
      if (!unprompted) return turn;
      const mark = { unprompted: unprompted.trigger };
      return { ...turn, replies: replies.map((reply) => ({ ...reply, metadata: { ...reply.metadata, ...mark } })) };
    },
  };
}

interface ReceivedLine {
  readonly line: RememberedLine;
  readonly before: readonly RememberedLine[];
}

async function decide(deps: GroupDeps, turn: Turn, received: ReceivedLine, context: TurnContext): Promise<Turn> {
  const { session, inbound } = turn;
  const { clock, loops, random } = deps;
  if (loops.isSpent(session.id, clock.monotonic())) return toSilent(turn, "loop_budget");
  const channel = deps.channels()?.get(inbound.channelId);
  const words = readWords(channel?.config.wake_words);
  const settings = readSettings(deps, turn);
  const isKeyword = settings.group_trigger === "keywords" && containsKeyword(words, turn.text);
  const decision = await decideAnswer(settings, {
    atMs: clock.now(),
    isCalled: isCalled(inbound, channel?.config.group_trigger) || isKeyword,
    listUnprompted: () => listUnprompted(deps, session.id),
    judge: async () => {
      const names = [...words, session.sender_name, ...(await listCharacterNames(deps, session))].filter(
        (name) => name !== "",
      );
      return judgeMessage(deps, { ...received, names }, session.id, context);
    },
    random,
  });
  const answered: Turn = { ...turn, inbound: { ...inbound, addressed: true } };
  if (decision === "called") return answered;
  if (decision === "unprompted") return UNPROMPTED.with(answered, { trigger: settings.group_trigger });
  return toSilent(turn, decision);
}

/** Returns the names by which people call the characters that are present. */
async function listCharacterNames({ characters }: GroupDeps, session: Turn["session"]): Promise<readonly string[]> {
  const faces = await characters()?.faces(listPresent(session));
  return [...(faces?.values() ?? [])].flatMap(({ name, nickname = "" }) => [name, nickname]);
}

/** True for a message that calls the bot. What a plugin accepts by itself says so only by `addressed`. */
function isCalled({ isCalled, addressed }: InboundMessage, triggerOfChannel: unknown): boolean {
  return isCalled === true || (addressed && triggerOfChannel !== "all");
}

function toSilent(turn: Turn, unanswered: NonNullable<Turn["unansweredReason"]>): Turn {
  const { unaddressedReason } = turn.inbound;
  // The cause that was found on arrival says the same in more detail.
  const isSame = unanswered === "not_addressed" && unaddressedReason === "not_mentioned";
  const isDenied = unanswered === "denied" && unaddressedReason === "groups_off";
  if (isSame || isDenied) return turn;
  const inbound = { ...turn.inbound, addressed: false };
  return { ...turn, inbound, stopped: { by: "groups.decide", reason: "ignored", unanswered } };
}

function readSettings(deps: GroupDeps, { session, inbound }: Turn): GroupSettings {
  const channel = deps.channels()?.get(inbound.channelId);
  return {
    ...resolveConversationSettings(session, { channelType: channel?.type ?? "", isGroup: true }),
    timeZone: findChannelTimeZone(channel, deps.settings),
  };
}

/** Returns the times of the answers that nobody asked for, newest first. */
async function listUnprompted({ sessions }: GroupDeps, sessionId: string): Promise<readonly number[]> {
  const { items } = await sessions().messages(sessionId, { order: "desc", limit: SEARCHED_MESSAGES, offset: 0 });
  return items
    .filter(({ metadata }) => metadata.unprompted !== undefined)
    .map(({ timestamp }) => Date.parse(timestamp));
}

function toLine({ clock, settings }: GroupDeps, { inbound, text }: Turn): RememberedLine {
  const { channelId, sender, replyTo, quoted, isCalled, platformMessageId, addressed } = inbound;
  return {
    channelId,
    senderId: sender.id,
    sender: sender.name,
    text,
    atMs: clock.now(),
    isOwn: false,
    isBot: sender.isBot === true,
    repliesToOther: (replyTo !== undefined || quoted !== undefined) && isCalled !== true,
    isStored: addressed || settings.get(GROUP_MEMORY),
    platformMessageId,
  };
}

function readWords(words: unknown): readonly string[] {
  return Array.isArray(words) ? words.map(String) : [];
}

function isGroupTalk({ conversation, channelId, source, isHidden }: InboundMessage): boolean {
  return conversation.isGroup && channelId !== "web" && source === channelId && isHidden !== true;
}

/** Returns true for a message that no setting for groups may let be answered. */
function isExcluded({ unaddressedReason }: InboundMessage): boolean {
  return unaddressedReason !== undefined && unaddressedReason !== "not_mentioned" && unaddressedReason !== "groups_off";
}
