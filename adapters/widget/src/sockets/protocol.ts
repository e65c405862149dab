// The protocol between the script and the service. Both import this file, and it imports nothing: the script has no other part of the service.

export const PROTOCOL_VERSION = 1;
/** Maximum length of a visitor's message in code points. */
export const MAX_TEXT = 8_000;
/** Maximum count of files with one message. */
export const MAX_FILES = 5;

/** Look of the chat, as the channel's settings have it. */
export interface WidgetConfig {
  readonly title: string;
  readonly greeting: string;
  readonly color: string;
  readonly position: "right" | "left";
  readonly require_consent: boolean;
  readonly consent_text: string;
  readonly files: boolean;
  readonly max_file_bytes: number;
}

/** Frames that the script sends, by `type`. */
export interface ClientFrames {
  /** First frame: identifies the visitor, or asks for a new one. Repeated, it asks for the history again. */
  readonly hello: { readonly version: number; readonly visitor?: string; readonly language?: string };
  readonly message: { readonly text: string; readonly temp_id: string; readonly files: readonly string[] };
  /** Presses an item of an element; answered like a message. */
  readonly action: { readonly element_id: string; readonly item_id: string; readonly temp_id: string };
  readonly ping: Readonly<Record<string, never>>;
}
export type ClientFrameType = keyof ClientFrames;

/** A file as visitors see it. */
export interface FileView {
  readonly name: string;
  /** Address that can be read for an hour; relative to the service when it is a stored file. */
  readonly url: string;
  readonly type: string;
  readonly size?: number;
}

/** A choice; with an address it is a link. */
export interface ItemView {
  readonly id: string;
  readonly label: string;
  readonly style?: "primary" | "danger";
  readonly url?: string;
}

export interface ButtonsView {
  readonly type: "buttons";
  readonly id: string;
  readonly items: readonly ItemView[];
}

export interface SelectView {
  readonly type: "select";
  readonly id: string;
  readonly placeholder: string;
  readonly items: readonly ItemView[];
}

export interface CardView {
  readonly type: "card";
  readonly title: string;
  readonly text: string;
  /** https address of a picture. */
  readonly image?: string;
  readonly buttons?: ButtonsView;
}

/** A part of a message that visitors use instead of writing. */
export type ElementView = ButtonsView | SelectView | CardView;

/** A pressed item. */
export interface Pressed {
  readonly element_id: string;
  readonly item_id: string;
}

/** A message as visitors see it. */
export interface MessageView {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly files: readonly FileView[];
  readonly elements?: readonly ElementView[];
  /** Time after which its elements cannot be pressed any more: ISO 8601 UTC. */
  readonly elements_expire_at?: string;
  /** The item that the visitor pressed, on the message that the press became. */
  readonly pressed?: Pressed;
  /** ISO 8601 UTC. */
  readonly time: string;
  /** The script's own id of a visitor's message. */
  readonly temp_id?: string;
  /** Name of the character that wrote it. */
  readonly sender?: string;
  /** True for a visitor's message that could not be answered. */
  readonly failed?: true;
}

/** A frame that the service sends. Scripts ignore unknown types. */
export type ServerFrame =
  | {
      readonly type: "welcome";
      readonly version: number;
      readonly visitor: string;
      readonly history: readonly MessageView[];
      /** True while a person answers in place of the AI. */
      readonly operator: boolean;
    }
  /** The message is stored and will not be lost; `id` is its trace id. */
  | { readonly type: "ack"; readonly temp_id: string; readonly id: string }
  | (MessageView & { readonly type: "message"; readonly completes?: string })
  /** The visitor pressed an item on another page; `id` is the trace id of the message with its label. */
  | (Pressed & { readonly type: "pressed"; readonly id: string; readonly temp_id: string })
  /** The text of an unfinished answer, from this offset on. */
  | { readonly type: "delta"; readonly id: string; readonly from: number; readonly text: string }
  | { readonly type: "typing" }
  | { readonly type: "presence"; readonly operator: boolean }
  | { readonly type: "pong" }
  | {
      readonly type: "error";
      readonly code: string;
      readonly error: string;
      readonly temp_id?: string;
      readonly retry_after_s?: number;
    };
