import Joi from "@hapi/joi";
import { type LocalizedError, localizedErrorShape } from "@parley/core";
import { answerFields, listData, listQuery, type Page, shape } from "@parley/core/http";

/** Criteria for the recipients of a broadcast, all of which must match; a missing one does not restrict them. Channels or sessions are required. */
export interface Audience {
  /** Selects only conversations of these channels. */
  readonly channel_ids?: readonly string[];
  /** Selects only these conversations. */
  readonly session_ids?: readonly string[];
  readonly kind: "all" | "private" | "group";
  readonly tag?: string;
  readonly folder?: string;
  /** Selects only conversations with a message within this number of days. */
  readonly active_days?: number;
}

export type BroadcastState = "running" | "stopped" | "done";
/** State of one recipient; `sent` means that the message is on its way to the platform. */
export const RECIPIENT_STATES = ["waiting", "sent", "delivered", "failed"] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

/** One text to many conversations. */
export interface Broadcast {
  readonly id: string;
  readonly text: string;
  readonly audience: Audience;
  readonly per_minute: number;
  readonly state: BroadcastState;
  readonly error: LocalizedError | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly counts: Readonly<Record<RecipientState, number>>;
  /** Number of failed recipients to whom nothing was sent, so that a retry is safe. */
  readonly retriable: number;
}

export interface Recipient {
  readonly session_id: string;
  readonly name: string;
  readonly channel_id: string;
  readonly state: RecipientState;
  readonly error: LocalizedError | null;
  readonly trace_id: string;
  readonly updated_at: string;
}

export interface Preview {
  readonly total: number;
  readonly channels: readonly { readonly id: string; readonly count: number; readonly connected: boolean }[];
  /** The first recipients of the broadcast. */
  readonly items: readonly Pick<Recipient, "session_id" | "name" | "channel_id">[];
}

const MAX_SESSION_IDS = 5000;

const audienceSchema = Joi.object<Audience>({
  channel_ids: Joi.array().items(Joi.string().max(64)).min(1).max(200).unique(),
  session_ids: Joi.array().items(Joi.string().max(200)).min(1).max(MAX_SESSION_IDS).unique(),
  kind: Joi.string().valid("all", "private", "group").default("all"),
  tag: Joi.string().max(40),
  folder: Joi.string().max(60),
  active_days: Joi.number().integer().min(1).max(3650),
}).or("channel_ids", "session_ids");

export interface PreviewBody {
  readonly audience: Audience;
}
export const previewBody = Joi.object<PreviewBody, true>({ audience: audienceSchema.required() });

export interface BroadcastDraft {
  readonly text: string;
  readonly audience: Audience;
  readonly per_minute: number;
  /** Number of recipients in the preview, which prevents sending to others by accident. */
  readonly expected: number;
  readonly temp_id?: string;
}
export const broadcastDraft = Joi.object<BroadcastDraft>({
  text: Joi.string().trim().min(1).max(8000).required(),
  audience: audienceSchema.required(),
  per_minute: Joi.number().integer().min(1).max(600).default(60).description("Maximum number of messages per minute"),
  expected: Joi.number().integer().min(1).required().description("Number of conversations in the preview"),
  temp_id: Joi.string()
    .min(1)
    .max(128)
    .description("Id chosen by the caller: a repeated request starts no second broadcast"),
});

export interface ContinueBody {
  readonly failed: boolean;
}
export const continueBody = Joi.object<ContinueBody, true>({
  failed: Joi.boolean().default(false).description("Also retries failed recipients to whom nothing was sent"),
});

export interface RecipientQuery extends Page {
  readonly state?: RecipientState;
}
export const recipientQuery = listQuery<RecipientQuery>({ state: Joi.string().valid(...RECIPIENT_STATES) });

const { id, text, time, flag, count, texts, word, orNull, listOf } = answerFields;

export const broadcastShape = shape<Broadcast>(
  {
    id,
    text,
    audience: shape<Audience>(
      {
        channel_ids: texts.optional(),
        session_ids: texts.optional(),
        kind: word("all", "private", "group"),
        tag: text.optional(),
        folder: text.optional(),
        active_days: count.optional(),
      },
      "Audience",
    ),
    per_minute: count,
    state: word("running", "stopped", "done"),
    error: orNull(localizedErrorShape),
    created_by: text,
    created_at: time,
    updated_at: time,
    counts: shape({ waiting: count, sent: count, delivered: count, failed: count }),
    retriable: count,
  },
  "Broadcast",
);
export const broadcastList = listData(broadcastShape);
const sessionFields = { session_id: id, name: text, channel_id: id };
export const recipientList = listData(
  shape<Recipient>(
    {
      ...sessionFields,
      state: word(...RECIPIENT_STATES),
      error: orNull(localizedErrorShape),
      trace_id: id,
      updated_at: time,
    },
    "BroadcastRecipient",
  ),
);
export const previewData = shape<Preview>(
  { total: count, channels: listOf(shape({ id, count, connected: flag })), items: listOf(shape(sessionFields)) },
  "BroadcastPreview",
);
