import Joi from "@hapi/joi";
import {
  type Attachment,
  BY_SERVICE,
  type Effect,
  type Gateway,
  type JobKind,
  type Jobs,
  jobKind,
  type Sessions,
  type Turn,
  toPlatformConversation,
} from "@parley/core";

export const LATE_STICKER_JOB = "sticker.add";
const MAX_MESSAGES_CHECKED = 20;
const TIMEOUT_MS = 30_000;
/** A much later sticker would not match the conversation. */
const RETRY = { attempts: 2, firstDelayMs: 1_000, maxDelayMs: 1_000 };

/** Data of the job that adds a late sticker. */
export interface LateStickerJobData {
  readonly session_id: string;
  readonly trace_id: string;
  readonly mood: string;
  readonly category: string;
  /** True when the sticker is also sent to the channel. */
  readonly is_sent: boolean;
}

export interface LateStickerDeps {
  readonly sessions: () => Sessions;
  readonly gateway: () => Gateway;
  /** Returns the picture requested during the turn, or another one; null when there is none. */
  readonly getPicture: (asked: LateStickerJobData, signal: AbortSignal) => Promise<Attachment | null>;
}

/** Creates the job that attaches a picture to an answer that was sent without it, and sends it afterwards. */
export function createLateStickerJob({ sessions, gateway, getPicture }: LateStickerDeps): JobKind {
  return jobKind<LateStickerJobData>({
    kind: LATE_STICKER_JOB,
    titles: { en: "Send a sticker after the answer", zh: "在回答之后发送表情" },
    schema: Joi.object<LateStickerJobData>({
      session_id: Joi.string().required(),
      trace_id: Joi.string().required(),
      mood: Joi.string().required(),
      category: Joi.string().required(),
      is_sent: Joi.boolean().required(),
    }),
    retry: RETRY,
    timeoutMs: TIMEOUT_MS,
    async run(asked, { signal, once }) {
      const session = await sessions().find(asked.session_id);
      if (!session) return;
      const { items } = await sessions().messages(session.id, {
        order: "desc",
        limit: MAX_MESSAGES_CHECKED,
        offset: 0,
      });
      const reply = items.find(
        ({ trace_id, role, kind }) => trace_id === asked.trace_id && role === "assistant" && kind === "normal",
      );
      // The message was deleted, or answered again.
      if (!reply) return;
      const sticker = await once("picture", () => getPicture(asked, signal));
      if (!sticker) return;
      await sessions().attach(session.id, reply.id, sticker);
      const place = asked.is_sent ? toPlatformConversation(session) : undefined;
      if (place)
        await once("deliver", () =>
          gateway().deliver({ ...place, text: "", attachments: [sticker], order: BY_SERVICE }),
        );
    },
  });
}

/** Creates the effect, committed with the answer, that sends the picture after it. */
export function createLateStickerEffect(
  jobs: Jobs,
  turn: Turn,
  wanted: Pick<LateStickerJobData, "mood" | "category">,
): Effect {
  const { session, inbound, capabilities, traceId } = turn;
  const isOutside = session.channel_id !== "web" && inbound.isOperatorOnly !== true;
  const asked: LateStickerJobData = {
    session_id: session.id,
    trace_id: traceId,
    mood: wanted.mood,
    category: wanted.category,
    is_sent: isOutside && capabilities.supports_file_send,
  };
  return jobs.effect(LATE_STICKER_JOB, asked, { key: traceId, traceId, priority: 10 });
}
