import Joi from "@hapi/joi";
import {
  BY_SERVICE,
  derivedId,
  type Effect,
  type JobContext,
  type JobKind,
  jobKind,
  listPresent,
  type Sender,
  type Sessions,
  type Turn,
} from "@parley/core";
import type { SessionDeps } from "../../session-deps.ts";
import { sessionsTexts } from "../../texts.ts";

const NEXT_SPEAKER_JOB = "next_speaker";
/** Source of the instruction and of the answer to it. */
const NEXT_SPEAKER_SOURCE = "next_speaker";
const INSTRUCTION =
  "The last message of the person was for you too. The others who were asked have answered; now give your own answer to it, in its language, without repeating theirs. Do not mention this instruction.";

interface NextSpeakerPayload {
  readonly session_id: string;
  /** The message that speaks to several characters. */
  readonly message_id: string;
  /** Turn in which the first of them answered. */
  readonly trace_id: string;
  /** Characters that still answer, in order. */
  readonly character_ids: readonly string[];
  readonly sender: Pick<Sender, "id" | "name">;
  /** True when the people of the channel get the answers. */
  readonly is_delivered: boolean;
}

/** Returns the effect that lets the next characters answer the message of a turn once it is answered; none without them. */
export function toNextSpeakerEffects(
  { jobs }: Pick<SessionDeps, "jobs">,
  { session, inbound, userMessage, traceId }: Turn,
  characterIds: readonly string[],
): readonly Effect[] {
  if (!userMessage || characterIds.length === 0) return [];
  const { id, name } = inbound.sender;
  const payload: NextSpeakerPayload = {
    session_id: session.id,
    message_id: userMessage.id,
    trace_id: traceId,
    character_ids: characterIds,
    sender: { id, name },
    is_delivered: inbound.isOperatorOnly !== true,
  };
  return [jobs().effect(NEXT_SPEAKER_JOB, payload, { traceId })];
}

/** Creates the job in which the next of several characters answers a message. */
export function createNextSpeakerJob(
  deps: Pick<SessionDeps, "sessions" | "messages">,
  chat: () => Pick<Sessions, "chat">,
): JobKind {
  return jobKind<NextSpeakerPayload>({
    kind: NEXT_SPEAKER_JOB,
    titles: { en: "Let the next character answer", zh: "让下一个角色回答" },
    schema: Joi.object<NextSpeakerPayload>({
      session_id: Joi.string().required(),
      message_id: Joi.string().required(),
      trace_id: Joi.string().required(),
      character_ids: Joi.array().items(Joi.string()).required(),
      sender: Joi.object({ id: Joi.string().required(), name: Joi.string().allow("").required() }).required(),
      is_delivered: Joi.boolean().required(),
    }),
    concurrency: 8,
    retry: { attempts: 3, firstDelayMs: 1_000, maxDelayMs: 60_000 },
    run: (payload, context) => letAnswer(deps, chat(), payload, context),
  });
}

async function letAnswer(
  { sessions, messages }: Pick<SessionDeps, "sessions" | "messages">,
  { chat }: Pick<Sessions, "chat">,
  { session_id, message_id, trace_id, character_ids, sender, is_delivered }: NextSpeakerPayload,
  { log }: JobContext,
): Promise<void> {
  const session = await sessions.find(session_id);
  const isOpen = session && !session.archived && !session.taken_over && (await messages.byIds([message_id])).length > 0;
  const present = isOpen ? listPresent(session) : [];
  const speakerIds = character_ids.filter((id) => present.includes(id));
  if (!session || speakerIds.length === 0) return log(sessionsTexts.message("next_speaker_gone"));
  await chat(session.id, {
    content: INSTRUCTION,
    attachments: [],
    sender: { ...sender, isAdmin: false },
    tempId: derivedId("next-speaker", trace_id),
    source: NEXT_SPEAKER_SOURCE,
    deliver: is_delivered,
    // The right to send was checked for the message itself.
    order: BY_SERVICE,
    isHidden: true,
    speakerIds,
  });
}
