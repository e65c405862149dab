import type {
  ChannelIo,
  Clock,
  Files,
  Gateway,
  InboundMessage,
  InboundPress,
  LinkState,
  Logger,
  Sender,
  UnaddressedReason,
} from "@parley/core";
import { checkInbound } from "@parley/core/channels";
import type { StoredChannel } from "../config/schema.ts";
import { completeText, isBlank } from "../inbound/inbound-text.ts";
import { startsWithWakeWord } from "../inbound/wake-words.ts";
import type { ChannelSecrets } from "../store/channel-secrets.ts";
import { channelsTexts } from "../texts.ts";
import { withAckTimeout } from "./timeouts.ts";

export interface ChannelIoDeps {
  readonly gateway: () => Gateway;
  /** Returns the value of a variable for a channel. */
  readonly secret: ChannelSecrets["get"];
  /** Returns the file storage; undefined when no plugin stores files. */
  readonly files: () => Files | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns the plugin that serves a type, under whose name its connections log. */
  readonly findPlugin?: (type: string) => string | undefined;
  /** Returns true when the platform's user is an administrator of the channel. */
  readonly isAdmin: (channelId: string, userId: string) => boolean;
  /** True for a text that begins with a command word. */
  readonly isCommand: (text: string) => boolean;
  /** Returns false when the settings allow no sends, so that nobody gets an answer. */
  readonly canSend: (channel: StoredChannel) => boolean;
}

/** Listens to one link of a channel. */
export interface LinkListener {
  /** Called when a message has arrived. */
  onInbound(atMs: number): void;
  onState(state: LinkState): void;
}

export interface ChannelIos {
  /** Creates the service functions for one connection of a channel. */
  create(channel: StoredChannel, listener: LinkListener, fetch: ChannelIo["fetch"]): ChannelIo;
  /** Creates the function that normalizes an adapter's message and passes it to `take`. */
  createAccept(channel: StoredChannel, listener: LinkListener, take: ChannelIo["accept"]): ChannelIo["accept"];
}

export function createChannelIos(deps: ChannelIoDeps): ChannelIos {
  const { gateway, secret, files, clock, log, findPlugin, isAdmin, isCommand, canSend } = deps;
  const requireFiles = (): Files => {
    const found = files();
    if (!found) throw channelsTexts.error("unavailable", "no_files");
    return found;
  };
  /**
   * Returns why a message is not for the bot; undefined when it is: always outside groups, inside by the channel's setting, and for
   * commands. A conversation's own settings, and those that let the bot join in, are applied in the turn.
   */
  const findUnaddressedReason = (channel: StoredChannel, message: InboundMessage): UnaddressedReason | undefined => {
    const { conversation, text } = message;
    const { group_trigger } = channel.config;
    if (!canSend(channel)) return "cannot_send";
    if (!isAllowed(channel, message)) return "not_allowed";
    if (isBlank(message)) return "empty";
    if (!conversation.isGroup || group_trigger === "all" || isCommand(text)) return undefined;
    if (group_trigger === "never") return "groups_off";
    return message.isCalled ? undefined : "not_mentioned";
  };
  /** Returns the sender as the service knows them: administrator and account fields from an adapter are ignored. */
  const toSender = (channel: StoredChannel, given: Sender): Sender => {
    const { accountId: _accountId, ...fields } = applyLanguage(channel, given);
    return { ...fields, isAdmin: isAdmin(channel.id, given.id) };
  };
  const createAccept: ChannelIos["createAccept"] = (channel, listener, take) => async (message) => {
    checkInbound(message, channel.id);
    listener.onInbound(clock.now());
    const sender = toSender(channel, message.sender);
    const { unaddressedReason: _given, isCalled: _called, ...received } = message;
    const rest = { ...received, ...(isCalled(channel, message) && { isCalled: true as const }) };
    const unaddressedReason = findUnaddressedReason(channel, rest);
    const addressing = unaddressedReason ? { addressed: false, unaddressedReason } : { addressed: true };
    const accepted = take(completeText({ ...rest, source: channel.id, sender, ...addressing }));
    // After a timeout the platform sends the message again, and the stored one makes that a duplicate.
    return channel.transport === "webhook" ? withAckTimeout(accepted) : accepted;
  };
  const createPress = (channel: StoredChannel, listener: LinkListener) => async (received: InboundPress) => {
    checkInbound(received, channel.id);
    listener.onInbound(clock.now());
    const sender = toSender(channel, received.sender);
    const press = { ...received, sender, source: channel.id, addressed: isAllowed(channel, received) };
    const accepted = gateway().press?.(press);
    if (!accepted) throw channelsTexts.error("unavailable", "no_presses");
    return channel.transport === "webhook" ? withAckTimeout(accepted) : accepted;
  };
  return {
    createAccept,
    create: (channel, listener, fetch) => ({
      accept: createAccept(channel, listener, (message) => gateway().accept(message)),
      press: createPress(channel, listener),
      moved: (move) => gateway().moved({ ...move, channelId: channel.id }),
      report: (state) => listener.onState(state),
      secret: (variable) => secret(channel, variable),
      fetch,
      files: {
        open: async (url) => requireFiles().open(url),
        link: (url, seconds) => requireFiles().link(url, seconds),
      },
      log: log.child({ channel: channel.id, ...toLogFields(findPlugin?.(channel.type)) }),
    }),
  };
}

function toLogFields(plugin: string | undefined): { readonly plugin?: string } {
  return plugin === undefined ? {} : { plugin };
}

/** Applies the language of the channel, if set, to every sender. */
function applyLanguage({ config }: StoredChannel, sender: Sender): Sender {
  const { language } = config;
  return typeof language === "string" && language !== "auto" ? { ...sender, language } : sender;
}

/** Returns true for a group message that mentions the bot, replies to it, or begins with a wake word. */
function isCalled({ config }: StoredChannel, { conversation, addressed, text }: InboundMessage): boolean {
  return conversation.isGroup && (addressed || startsWithWakeWord(config.wake_words, text));
}

/** Returns true when the channel's lists allow an answer; other messages are still recorded. */
function isAllowed(
  { config }: StoredChannel,
  { sender, conversation }: Pick<InboundMessage, "sender" | "conversation">,
): boolean {
  const isOn = (list: unknown) => Array.isArray(list) && [sender.id, conversation.id].some((id) => list.includes(id));
  const isOpen = !Array.isArray(config.allow) || config.allow.length === 0;
  return (isOpen || isOn(config.allow)) && !isOn(config.deny);
}
