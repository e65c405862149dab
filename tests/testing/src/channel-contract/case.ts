import type { ChannelAdapter, ChannelLink } from "@parley/core";

/** How the platform fails the next send, as far as the test's platform can simulate it. */
export type PlatformFault =
  /** Asks to wait a second. */
  | "throttle"
  /** Refuses for good: the conversation, the permission. */
  | "refuse"
  /** Refuses the credentials. */
  | "auth"
  /** Fails, and has not done it. */
  | "fail"
  /** Does it, and the connection ends before it says so. */
  | "reset-after";

/** One user of the platform, as the test plays it. */
export interface FakePlatform extends AsyncDisposable {
  /** The platform's id of the conversation. */
  readonly conversation: string;
  /**
   * Delivers a message as the platform does; a repeated id is a redelivery. Resolves when the adapter has
   * acknowledged it to the platform, rejects when it was rejected.
   */
  say(id: string, text: string): Promise<void>;
  /** The next text that the adapter sends to the conversation. */
  heard(): Promise<string>;
  /** Returns all messages visible in the conversation. */
  shown?(): readonly string[];
  /** The account's own message comes back, as some platforms send it. */
  echo?(id: string, text: string): Promise<void>;
  /** Something that is no message: a service event. */
  other?(id: string): Promise<void>;
  /** Says something in a group; `mentioned`: to the bot. Resolves like `say`. */
  sayInGroup?(id: string, text: string, mentioned: boolean): Promise<void>;
  /** Sends a document, with nothing else. Resolves like `say`. */
  sayFile?(id: string, name: string, bytes: Uint8Array): Promise<void>;
  /** The bytes of the next file that the adapter sends to the conversation. */
  heardFile?(): Promise<Uint8Array>;
  /** Messages in the platform's format without a required field, such as the conversation. May reject like `say`. */
  readonly incomplete?: readonly (() => Promise<void>)[];
  /** Makes the next send fail. */
  fail?(fault: PlatformFault): void;
  /** The platform takes the next send and never answers it. Adapters that send by `io.fetch` do not need it. */
  hang?(): void;
  /** Sends bytes that are no event of the platform at all, such as half a frame. Webhooks do not need it. Resolves when sent. */
  garble?(): Promise<void>;
  /** Says something in answer to a message of the platform. Resolves like `say`. */
  sayReply?(id: string, text: string, repliedId: string): Promise<void>;
  /** The platform's id of the message that the last text of the adapter answers. */
  repliedTo?(): string | undefined;
  /** Ends the connection without a word; resolves when there is a new one. Only for adapters that connect. */
  drop?(): Promise<void>;
}

/** An adapter, and a platform of the test's own that it talks to. */
export interface ChannelAdapterCase {
  readonly adapter: ChannelAdapter;
  /** Settings of a channel that works. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The environment: variables that the settings name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * The setting with the variable of the secret that incoming requests or connections must prove, if any. A channel
   * whose variable is unset must reject everyone.
   */
  readonly inboundSecretSetting?: string;
  /** @deprecated Use `inboundSecretSetting`. */
  readonly secretSetting?: string;
  /** The longest text the platform takes in one message, counted by `lengthOf`. */
  readonly maxPart?: number;
  /** Length of a text as the platform counts it, such as in bytes. Default: UTF-16 units. */
  readonly lengthOf?: (text: string) => number;
  /** The longest text that somebody can say in one message, in UTF-16 units. Default: 3,000 are tried. */
  readonly maxInbound?: number;
  /** Fields the platform does not send: messages lack them, and duplicates are not recognized. */
  readonly lacks?: readonly ("dedupeKey" | "platformMessageId")[];
  /** The faults that `fail` can play. Default: all. */
  readonly faults?: readonly PlatformFault[];
  /** Maximum replies to one message; more are left out. Absent: unlimited. */
  readonly maxParts?: number;
  /** False where the platform wants no word that a message was taken: `say` resolves when it is on its way. Default true. */
  readonly acknowledges?: boolean;
  /**
   * A user who reaches the link. Rejects when the adapter does not let them in. `up` resolves once the link has reported that
   * it is connected: adapters that connect outwards wait for it.
   */
  connect(link: ChannelLink, up: () => Promise<void>): Promise<FakePlatform>;
  /** Makes the platform refuse the next send for good; absent: a conversation nobody knows is refused by itself. */
  refuseNext?(): Promise<void>;
}

/** A fresh case for each check. */
export type MakeCase = () => Promise<ChannelAdapterCase> | ChannelAdapterCase;
