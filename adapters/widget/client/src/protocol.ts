// The frames of version 1, as `src/sockets/frames.ts` of the service has them.
export const PROTOCOL_VERSION = 1;
export const MAX_TEXT = 8_000;
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

export interface FileView {
  readonly name: string;
  /** Absolute, or a path of the service. */
  readonly url: string;
  readonly type: string;
  readonly size?: number;
}

export interface MessageView {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly files: readonly FileView[];
  readonly time: string;
  readonly temp_id?: string;
  readonly sender?: string;
  readonly failed?: boolean;
}

/** A frame of the service. Unknown types are ignored. */
export type ServerFrame =
  | {
      readonly type: "welcome";
      readonly visitor: string;
      readonly history: readonly MessageView[];
      readonly operator: boolean;
    }
  | { readonly type: "ack"; readonly temp_id: string; readonly id: string }
  | (MessageView & { readonly type: "message"; readonly completes?: string })
  | { readonly type: "delta"; readonly id: string; readonly from: number; readonly text: string }
  | { readonly type: "typing" }
  | { readonly type: "presence"; readonly operator: boolean }
  | { readonly type: "pong" }
  | { readonly type: "error"; readonly code: string; readonly error: string; readonly temp_id?: string };
