import {
  type ChannelIo,
  type Clock,
  checkInbound,
  type Files,
  type Gateway,
  type InboundMessage,
  type LinkState,
  type Logger,
  type Sender,
} from "@parley/core";
import { isBlank, withWholeText } from "./inbound-text.ts";
import type { KeptSecrets } from "./kept-secrets.ts";
import { inTime } from "./limits.ts";
import type { StoredChannel } from "./records.ts";
import { channelFailure } from "./said-failures.ts";
import { isCalled } from "./wake-words.ts";

export interface ChannelIoParts {
  readonly gateway: () => Gateway;
  /** A variable's value for a channel. */
  readonly secret: KeptSecrets["value"];
  /** Undefined where no plugin keeps files. */
  readonly files: () => Files | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** The plugin that serves a type: it writes what its links say. */
  readonly servedBy?: (type: string) => string | undefined;
  /** Administrators of a channel: its platform's user ids. */
  readonly isAdmin: (channelId: string, userId: string) => boolean;
  /** A text that begins with the word of a command. */
  readonly isCommand: (text: string) => boolean;
  /** False: its settings leave no way to send, so nobody is answered. */
  readonly canSend: (channel: StoredChannel) => boolean;
}

/** The link that it is for. */
export interface LinkListener {
  /** A message has come in. */
  heard(atMs: number): void;
  reported(state: LinkState): void;
}

export interface ChannelIos {
  /** What an adapter is given of the service for one link of a channel. */
  of(channel: StoredChannel, listener: LinkListener, fetch: ChannelIo["fetch"]): ChannelIo;
  /** What an adapter hands over, as the service knows it, for whoever takes it. */
  accepting(channel: StoredChannel, listener: LinkListener, take: ChannelIo["accept"]): ChannelIo["accept"];
}

export function createChannelIos(parts: ChannelIoParts): ChannelIos {
  const { gateway, secret, files, clock, log, servedBy, isAdmin, isCommand, canSend } = parts;
  const kept = (): Files => {
    const found = files();
    if (!found) throw channelFailure("unavailable", "no_files");
    return found;
  };
  /** In a group the channel's own setting decides; a command always means the bot. */
  const isAddressed = ({ config }: StoredChannel, { conversation, addressed, text }: InboundMessage): boolean => {
    if (!conversation.isGroup || config.group_trigger === "all") return true;
    return isCommand(text) || (config.group_trigger !== "never" && (addressed || isCalled(config.wake_words, text)));
  };
  const accepting: ChannelIos["accepting"] = (channel, listener, take) => async (message) => {
    checkInbound(message, channel.id);
    listener.heard(clock.now());
    // What an adapter says about administrators and accounts counts for nothing.
    const { accountId: _accountId, ...given } = spoken(channel, message.sender);
    const sender = { ...given, isAdmin: isAdmin(channel.id, message.sender.id) };
    const mayAnswer = canSend(channel) && isAllowed(channel, message) && !isBlank(message);
    const addressed = mayAnswer && isAddressed(channel, message);
    const accepted = take(withWholeText({ ...message, source: channel.id, sender, addressed }));
    // A platform that waits for the answer to its call is told to come again: what is stored later is a copy then.
    return channel.transport === "webhook" ? inTime(accepted) : accepted;
  };
  return {
    accepting,
    of: (channel, listener, fetch) => ({
      accept: accepting(channel, listener, (message) => gateway().accept(message)),
      moved: (move) => gateway().moved({ ...move, channelId: channel.id }),
      report: (state) => listener.reported(state),
      secret: (variable) => secret(channel, variable),
      fetch,
      files: { open: async (url) => kept().open(url), link: (url, seconds) => kept().link(url, seconds) },
      log: log.child({ channel: channel.id, ...writtenBy(servedBy?.(channel.type)) }),
    }),
  };
}

function writtenBy(plugin: string | undefined): { readonly plugin?: string } {
  return plugin === undefined ? {} : { plugin };
}

/** A channel that has a language of its own speaks it to everybody. */
function spoken({ config }: StoredChannel, sender: Sender): Sender {
  const { language } = config;
  return typeof language === "string" && language !== "auto" ? { ...sender, language } : sender;
}

/** Who may be answered at all, by the channel's lists; what is not answered is noted all the same. */
function isAllowed({ config }: StoredChannel, { sender, conversation }: InboundMessage): boolean {
  const isOn = (list: unknown) => Array.isArray(list) && [sender.id, conversation.id].some((id) => list.includes(id));
  const isOpen = !Array.isArray(config.allow) || config.allow.length === 0;
  return (isOpen || isOn(config.allow)) && !isOn(config.deny);
}
