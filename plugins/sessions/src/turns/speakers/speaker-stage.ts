import {
  listPresent,
  type Message,
  type ModelCalls,
  type Turn,
  type TurnContext,
  type TurnStage,
  toTraceMessage,
  withEffects,
} from "@parley/core";
import { isForParticipants } from "../../messages/operator-only.ts";
import type { SessionDeps } from "../../session-deps.ts";
import { sessionsTexts } from "../../texts.ts";
import { chooseByRule, type SpeakerQuestion } from "./choose-speaker.ts";
import { judgeSpeaker } from "./judge-speaker.ts";
import type { NamedSpeaker } from "./named-speakers.ts";
import { toNextSpeakerEffects } from "./next-speaker-job.ts";

/** Newest messages in which the last speaker is looked for. */
const SEARCHED_MESSAGES = 100;

export type SpeakerStageDeps = Pick<SessionDeps, "sessions" | "messages" | "characters" | "jobs"> & {
  readonly models: () => Pick<ModelCalls, "ask"> | undefined;
};

/**
 * Creates the stage that decides which of several characters answers; from then on the turn has the session as it
 * speaks in it. Where the message speaks to more, a job lets them answer afterwards.
 */
export function createSpeakerStage(deps: SpeakerStageDeps): TurnStage {
  return {
    id: "sessions.speaker",
    phase: "record-user",
    // The question is stored, and it is decided that it is answered.
    after: ["sessions.record-user", "groups.decide"],
    usesStorage: true,
    concerns: isForSeveral,
    async run(turn, context) {
      const [speakerId, ...others] = await listSpeakers(deps, turn, context);
      if (speakerId === undefined) return turn;
      const session = await deps.sessions.asSpeaker(turn.session, speakerId);
      const trace = sessionsTexts.message("trace_speaker", { name: session.sender_name });
      context.trace({ status: "dispatched", ...toTraceMessage(trace), metadata: { what: "speaker", speakerId } });
      return withEffects({ ...turn, session, speakerId }, ...toNextSpeakerEffects(deps, turn, others));
    },
  };
}

function isForSeveral({ session, inbound: { kind, addressed }, replies }: Turn): boolean {
  const isTalk = addressed && replies.length === 0 && (kind === "message" || kind === "regenerate");
  return isTalk && session.session_mode === "character" && (session.character_ids?.length ?? 0) > 1;
}

async function listSpeakers(deps: SpeakerStageDeps, turn: Turn, context: TurnContext): Promise<readonly string[]> {
  const { session, inbound, userMessage, text } = turn;
  const present = await listNamed(deps, listPresent(session));
  const isPresent = (id: string | null | undefined) => present.some((one) => one.id === id);
  const wanted = inbound.speakerIds?.filter(isPresent) ?? [];
  if (wanted.length > 0) return wanted;
  const all = await deps.messages.history(session, SEARCHED_MESSAGES);
  const earlier = userMessage ? all.filter(({ seq }) => seq < userMessage.seq) : all;
  const replaced = inbound.kind === "regenerate" ? findReplaced(all, userMessage) : undefined;
  const before = inbound.isOperatorOnly ? earlier : earlier.filter(isForParticipants);
  const question: SpeakerQuestion = { session, text, before, present, senderId: inbound.sender.id };
  // A hidden instruction, such as “continue”, is for the one that spoke last.
  if (inbound.isHidden)
    return chooseByRule({ ...question, text: "", session: { ...session, speaker_order: "mention" } });
  if (replaced && isPresent(replaced)) {
    const asked = chooseByRule(question);
    return asked.includes(replaced) ? [replaced, ...asked.filter((id) => id !== replaced)] : [replaced];
  }
  const judged = session.speaker_order === "judge" ? await judgeSpeaker(deps.models(), question, context) : undefined;
  return judged === undefined ? chooseByRule(question) : [judged];
}

/** Returns the character whose answer is generated again. */
function findReplaced(all: readonly Message[], userMessage: Message | undefined): string | null | undefined {
  return all.find(({ role, reply_to }) => role === "assistant" && reply_to === userMessage?.id)?.character_id;
}

async function listNamed({ characters }: SpeakerStageDeps, ids: readonly string[]): Promise<readonly NamedSpeaker[]> {
  const faces = await characters()?.faces(ids);
  return ids.flatMap((id) => faces?.get(id) ?? []);
}
