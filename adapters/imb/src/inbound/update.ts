/** The parts of an update that are read. */
export interface Update {
  readonly update_id: number;
  readonly message?: BotMessage;
  readonly edited_message?: BotMessage;
  readonly callback_query?: {
    readonly id: string;
    readonly from: BotUser;
    readonly data?: string;
    readonly message?: BotMessage;
  };
}

export interface BotUser {
  readonly id: number;
  readonly is_bot?: boolean;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly username?: string;
  /** Language of the sender's client. */
  readonly language_code?: string;
}

export interface BotMessage {
  readonly message_id: number;
  readonly message_thread_id?: number;
  readonly is_topic_message?: boolean;
  readonly from?: BotUser;
  readonly sender_chat?: { readonly id: number; readonly title?: string };
  readonly chat: {
    readonly id: number;
    readonly type: "private" | "group" | "supergroup" | "channel";
    readonly title?: string;
  };
  readonly date?: number;
  readonly text?: string;
  readonly caption?: string;
  readonly entities?: readonly Entity[];
  readonly caption_entities?: readonly Entity[];
  /** New id of the group, sent in the old chat; and its old id, sent in the new one. */
  readonly migrate_to_chat_id?: number;
  readonly migrate_from_chat_id?: number;
  readonly reply_to_message?: BotMessage;
  /** Quoted part of the message that is replied to. */
  readonly quote?: { readonly text?: string; readonly entities?: readonly Entity[] };
  /** The story that is replied to, without its content. */
  readonly reply_to_story?: { readonly chat?: NamedChat };
  /** The message that is replied to, if it is in another chat. */
  readonly external_reply?: Partial<BotMessage> & { readonly origin?: ForwardOrigin };
  readonly forward_origin?: ForwardOrigin;
  /** Origin of a forwarded message, as API servers before 7.0 send it. */
  readonly forward_from?: BotUser;
  readonly forward_sender_name?: string;
  readonly forward_from_chat?: NamedChat;
  readonly forward_signature?: string;
  /** Id that the messages of one album have in common. */
  readonly media_group_id?: string;
  /** A picture in several sizes. */
  readonly photo?: readonly BotFile[];
  readonly document?: BotFile;
  readonly audio?: BotFile & { readonly title?: string; readonly performer?: string };
  readonly voice?: BotFile;
  readonly video?: BotFile;
  readonly video_note?: BotFile;
  readonly animation?: BotFile;
  readonly sticker?: BotFile & {
    readonly emoji?: string;
    readonly is_animated?: boolean;
    readonly is_video?: boolean;
  };
  readonly dice?: { readonly emoji?: string; readonly value?: number };
  readonly location?: { readonly latitude: number; readonly longitude: number };
  readonly venue?: {
    readonly title?: string;
    readonly address?: string;
    readonly location?: { readonly latitude: number; readonly longitude: number };
  };
  readonly contact?: { readonly phone_number?: string; readonly first_name?: string; readonly last_name?: string };
  readonly poll?: {
    readonly question?: string;
    readonly description?: string;
    readonly options?: readonly { readonly text?: string; readonly voter_count?: number }[];
    readonly is_closed?: boolean;
  };
  readonly checklist?: {
    readonly title?: string;
    readonly tasks?: readonly { readonly text?: string; readonly completion_date?: number }[];
  };
  readonly invoice?: {
    readonly title?: string;
    readonly description?: string;
    readonly currency?: string;
    readonly total_amount?: number;
  };
  /** Paid files: the platform describes them without their content. */
  readonly paid_media?: { readonly paid_media?: readonly { readonly type?: string }[] };
  readonly game?: { readonly title?: string; readonly description?: string; readonly text?: string };
  readonly story?: { readonly id?: number; readonly chat?: NamedChat };
  readonly giveaway?: Prize & { readonly chats?: readonly NamedChat[]; readonly winners_selection_date?: number };
  readonly giveaway_winners?: Prize & { readonly chat?: NamedChat; readonly winners?: readonly BotUser[] };
  readonly gift?: { readonly gift?: { readonly sticker?: { readonly emoji?: string } }; readonly text?: string };
  /** People and chats that someone chose with a button of the bot. */
  readonly users_shared?: { readonly users?: readonly Partial<BotUser>[] };
  readonly chat_shared?: NamedChat;
  readonly reply_markup?: { readonly inline_keyboard?: readonly (readonly Button[])[] };
}

/** A chat with its title, or a private chat with the name of the person. */
export interface NamedChat {
  readonly id?: number;
  readonly title?: string;
  readonly username?: string;
  readonly first_name?: string;
  readonly last_name?: string;
}

interface Prize {
  readonly prize_description?: string;
  readonly premium_subscription_month_count?: number;
  readonly prize_star_count?: number;
  readonly winner_count?: number;
}

/** A button below a message, and the address that it opens. */
export interface Button {
  readonly text?: string;
  readonly url?: string;
  readonly callback_data?: string;
  readonly web_app?: { readonly url?: string };
  readonly login_url?: { readonly url?: string };
}

export interface ForwardOrigin {
  readonly type?: string;
  readonly sender_user?: BotUser;
  readonly sender_user_name?: string;
  readonly sender_chat?: NamedChat;
  readonly chat?: NamedChat;
  readonly author_signature?: string;
}

/** Reference to a file; the platform offers no files over 20 MB. */
export interface BotFile {
  readonly file_id: string;
  readonly file_name?: string;
  readonly mime_type?: string;
  readonly file_size?: number;
}

/** A formatted part of a text; offset and length are in UTF-16 units. */
export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly user?: BotUser;
  /** Address of a `text_link`. */
  readonly url?: string;
}

/** The bot's identity, from `getMe`. */
export interface BotIdentity {
  readonly id: number;
  readonly username: string;
}
