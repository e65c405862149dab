import type { ChannelConfig, ChannelIo, InboundKind, InboundMessage } from "@parley/core";
import { createKeyedQueue } from "@parley/core/async";
import type { KnownPackage } from "../packages/known-packages.ts";
import type { MemoryState } from "../sdk/memory-state.ts";
import type { SdkAdapter } from "../sdk/sdk-adapter.ts";
import type { SdkLogger } from "../sdk/sdk-logger.ts";
import { readSdkMessage } from "../sdk/sdk-message.ts";
import { currentWork } from "./request-work.ts";
import { toInbound } from "./to-inbound.ts";
import { type SdkAction, toPlace, toPress } from "./to-press.ts";

export interface ChatInstanceOptions {
  readonly channel: Pick<ChannelConfig, "id">;
  readonly io: Pick<ChannelIo, "accept" | "log">;
  readonly state: MemoryState;
  readonly logger: SdkLogger;
  readonly known: KnownPackage | undefined;
  /** Returns the names by which the bot is mentioned. */
  readonly botNames: () => readonly string[];
}

/** A message, or the function that parses it, for which it may ask the platform. */
type Parsed = unknown;

/** A message that was deleted. */
interface DeletedMessage {
  readonly adapter: SdkAdapter;
  readonly threadId: string;
  readonly messageId: string;
}

interface SlashCommand {
  readonly adapter: SdkAdapter;
  readonly channelId: string;
  readonly command: string;
  readonly text: string;
  readonly user: { readonly userId: string; readonly userName?: string; readonly fullName?: string };
  readonly triggerId?: string;
  readonly raw?: unknown;
}

const ignore = async () => undefined;

/** Events that the gateway has no kind for. */
const IGNORED_EVENTS = {
  processReaction: ignore,
  processModalSubmit: ignore,
  processOptionsLoad: ignore,
  processModalClose() {},
  processAgentSessionStopped() {},
  processAgentSessionTitleChanged() {},
  processAppContextChanged() {},
  processAppHomeOpened() {},
  processAssistantContextChanged() {},
  processAssistantThreadStarted() {},
  processInstalled() {},
  processUninstalled() {},
  processMemberJoinedChannel() {},
  abortTurn: ignore,
};

/**
 * Creates what stands for the Chat SDK's `Chat` before its adapters: messages go to the gateway, which does what the SDK does with locks,
 * queues and handlers. Events that the gateway has no kind for are left out.
 */
export function createChatInstance({ channel, io, state, logger, known, botNames }: ChatInstanceOptions): object {
  const queue = createKeyedQueue();
  /** Runs one event of a conversation after those before it, as part of the request that brought it. */
  const run = (threadId: string, event: () => Promise<void>): Promise<void> => {
    const task = queue(threadId, event);
    const work = currentWork.getStore();
    if (work) work.add(task);
    else task.catch((error: unknown) => io.log.warn("an event of the platform could not be accepted", { error }));
    return task;
  };
  const acceptParsed = (adapter: SdkAdapter, threadId: string, kind: InboundKind, parsed: Parsed) => {
    const work = currentWork.getStore();
    return run(threadId, async () => {
      const message = readSdkMessage(typeof parsed === "function" ? await parsed() : parsed);
      const { raw, edition } = work?.events ?? {};
      const context = { channelId: channel.id, adapter, known, botNames: botNames(), raw, edition };
      const inbound = toInbound(context, edition === undefined ? kind : "edit", message);
      if (inbound) await (work?.accept ?? io.accept)(inbound);
    });
  };
  const acceptRecall = (deleted: DeletedMessage) => {
    const accept = currentWork.getStore()?.accept ?? io.accept;
    return run(deleted.threadId, async () => void (await accept(toRecall(channel.id, deleted))));
  };
  const acceptCommand = ({ adapter, channelId, command, text, user, triggerId, raw }: SlashCommand) => {
    const accept = currentWork.getStore()?.accept ?? io.accept;
    return run(channelId, async () => {
      await accept({
        ...toPlace(channel.id, adapter, channelId),
        kind: "message",
        sender: { id: user.userId, name: user.fullName || user.userName || user.userId, isAdmin: false },
        text: text === "" ? command : `${command} ${text}`,
        attachments: [],
        addressed: true,
        source: channel.id,
        ...toCommandKey(triggerId, raw),
      });
    });
  };
  const acceptPress = async (action: SdkAction) => {
    const work = currentWork.getStore();
    const press = toPress(channel.id, known, action);
    if (press && work) await run(press.conversation.id, () => work.press(press));
  };
  return {
    getLogger: () => logger,
    getState: () => state,
    getUserName: () => "parley",
    processMessage: (adapter: SdkAdapter, threadId: string, message: Parsed) =>
      acceptParsed(adapter, threadId, "message", message),
    handleIncomingMessage: (adapter: SdkAdapter, threadId: string, message: Parsed) =>
      acceptParsed(adapter, threadId, "message", message),
    processMessageUpdated: (event: { adapter: SdkAdapter; threadId: string; message: Parsed }) =>
      acceptParsed(event.adapter, event.threadId, "edit", event.message),
    processMessageDeleted: acceptRecall,
    processSlashCommand: acceptCommand,
    processAction: acceptPress,
    ...IGNORED_EVENTS,
  };
}

/** Returns the event of a deletion. */
export function toRecall(channelId: string, { adapter, threadId, messageId }: DeletedMessage): InboundMessage {
  return {
    ...toPlace(channelId, adapter, threadId),
    kind: "recall",
    sender: { id: "", name: "", isAdmin: false },
    text: "",
    attachments: [],
    addressed: true,
    source: channelId,
    dedupeKey: `recall ${threadId} ${messageId}`,
    platformMessageId: messageId,
  };
}

/** Returns the key of a command: its trigger, or the id of its interaction. */
function toCommandKey(triggerId: string | undefined, raw: unknown): Pick<InboundMessage, "dedupeKey"> {
  const id = triggerId ?? (typeof raw === "object" && raw !== null ? Reflect.get(raw, "id") : undefined);
  return typeof id === "string" && id !== "" ? { dedupeKey: `command ${id}` } : {};
}
