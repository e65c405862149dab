import type { ChannelAdapter, ChannelLink } from "@parley/core";

/** Failure of the platform at the next send, as far as the test's platform can simulate it. */
export type PlatformFault =
  /** Asks to wait for a second. */
  | "throttle"
  /** Rejects permanently: the conversation or the permission. */
  | "refuse"
  /** Rejects the credentials. */
  | "auth"
  /** Fails without executing the send. */
  | "fail"
  /** Executes the send, and closes the connection before it responds. */
  | "reset-after";

/** A user of the platform, played by the test. */
export interface FakePlatform extends AsyncDisposable {
  /** The platform's id of the conversation. */
  readonly conversation: string;
  /**
   * Delivers a message as the platform does; a repeated id is a redelivery. Resolves when the adapter has
   * acknowledged it to the platform, rejects when it was rejected.
   */
  say(id: string, text: string): Promise<void>;
  /** Resolves with the next text that the adapter sends to the conversation. */
  heard(): Promise<string>;
  /** Returns all messages visible in the conversation. */
  shown?(): readonly string[];
  /** Delivers the account's own message back, as some platforms do. */
  echo?(id: string, text: string): Promise<void>;
  /** Delivers an event that is no message. */
  other?(id: string): Promise<void>;
  /** Sends a message in a group; `mentioned` when it mentions the bot. Resolves like `say`. */
  sayInGroup?(id: string, text: string, mentioned: boolean): Promise<void>;
  /** Sends a document without text. Resolves like `say`. */
  sayFile?(id: string, name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Presses the button with this label below the adapter's last message; a repeated id is a redelivery. Resolves like
   * `say`.
   */
  press?(id: string, label: string): Promise<void>;
  /** Resolves with the bytes of the next file that the adapter sends to the conversation. */
  heardFile?(): Promise<Uint8Array>;
  /** Messages in the platform's format without a required field, such as the conversation. May reject like `say`. */
  readonly incomplete?: readonly (() => Promise<void>)[];
  /** Makes the next send fail. */
  fail?(fault: PlatformFault): void;
  /** Makes the platform accept the next send and never respond. Not needed by adapters that send by `io.fetch`. */
  hang?(): void;
  /** Sends bytes that are not an event of the platform, such as half a frame. Not needed for webhooks. Resolves when sent. */
  garble?(): Promise<void>;
  /** Sends a reply to a message of the platform. Resolves like `say`. */
  sayReply?(id: string, text: string, repliedId: string): Promise<void>;
  /** Returns the platform's id of the message that the adapter's last text replies to. */
  repliedTo?(): string | undefined;
  /** Ends the connection without a close frame; resolves when there is a new one. Only for adapters that connect. */
  drop?(): Promise<void>;
}

/** An adapter, and the test's own platform for it. */
export interface ChannelAdapterCase {
  readonly adapter: ChannelAdapter;
  /** Settings of a working channel. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Environment variables that the settings name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * The setting with the variable of the secret that incoming requests or connections must prove, if any. A channel
   * whose variable is unset must reject everyone.
   */
  readonly inboundSecretSetting?: string;
  /** @deprecated Use `inboundSecretSetting`. */
  readonly secretSetting?: string;
  /** Maximum length of one message, counted by `lengthOf`. */
  readonly maxPart?: number;
  /** Length of a text as the platform counts it, such as in bytes. Default: UTF-16 units. */
  readonly lengthOf?: (text: string) => number;
  /** Maximum length of an inbound message in UTF-16 units. Default: 3,000 are tested. */
  readonly maxInbound?: number;
  /** Fields the platform does not send: messages lack them, and duplicates are not recognized. */
  readonly lacks?: readonly ("dedupeKey" | "platformMessageId")[];
  /** Faults that `fail` can simulate. Default: all. */
  readonly faults?: readonly PlatformFault[];
  /** Maximum count of messages in reply to one message; further ones are omitted. Absent: unlimited. */
  readonly maxParts?: number;
  /** False when the platform expects no acknowledgement: `say` then resolves once the message is on its way. Default true. */
  readonly acknowledges?: boolean;
  /**
   * Connects a user to the link. Rejects when the adapter does not admit them. `up` resolves once the link has
   * reported that it is connected; adapters with outgoing connections wait for it.
   */
  connect(link: ChannelLink, up: () => Promise<void>): Promise<FakePlatform>;
  /** Makes the platform reject the next send permanently; absent where it rejects an unknown conversation by itself. */
  refuseNext?(): Promise<void>;
}

/** Creates a fresh case for each check. */
export type MakeCase = () => Promise<ChannelAdapterCase> | ChannelAdapterCase;
