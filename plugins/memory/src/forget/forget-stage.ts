import {
  derivedId,
  type Effect,
  inLanguage,
  joinLocalized,
  type LiveEvents,
  type Localized,
  type Memory,
  type PromptSource,
  resourceChanged,
  senderLanguage,
  type Turn,
  type TurnStage,
  turnData,
  withEffects,
} from "@parley/core";
import type { PersonMemories } from "../people/person-memories.ts";
import { isConversationTurn, MEMORIES_KEY } from "../recall/turn-stages.ts";
import { isMemoryEnabled, type MemorySwitchDeps } from "../settings.ts";
import type { MemoryService } from "../store/memories.ts";
import { memoryTexts } from "../texts.ts";
import { findMemoriesToForget, parseForgetRequest } from "./forget-requests.ts";

const MAX_LISTED = 5;
/** Texts of the memories that were forgotten in this turn. */
const FORGOTTEN_TEXT = turnData<string>("memory.forgotten");

export interface ForgetStageDeps extends MemorySwitchDeps {
  readonly own: Pick<PersonMemories, "list">;
  readonly memories: Pick<MemoryService, "deleteWrites">;
  readonly events: Pick<LiveEvents, "publish">;
}

/** Creates the stage that deletes memories a person asks to forget, at the end of the turn, and confirms that. */
export function createForgetStage(deps: ForgetStageDeps): TurnStage {
  return {
    id: "memory.forget",
    phase: "context",
    concerns: (turn) =>
      isConversationTurn(turn) && turn.inbound.kind === "message" && parseForgetRequest(turn.text) !== undefined,
    async run(turn) {
      const request = parseForgetRequest(turn.text);
      if (!request || !(await isMemoryEnabled(deps))) return turn;
      const all = await deps.own.list({ inbound: turn.inbound, sessionId: turn.session.id });
      const found = findMemoriesToForget(request.what, all);
      if (!found) return turn;
      const confirmation = inLanguage(toConfirmation(found), senderLanguage(turn.inbound));
      const nextTurn = found.length === 0 ? turn : withEffects(turn, await toForgetEffect(deps, found));
      return request.isWholeMessage ? withReply(nextTurn, confirmation) : FORGOTTEN_TEXT.with(nextTurn, confirmation);
    },
  };
}

async function toForgetEffect({ memories, events }: ForgetStageDeps, found: readonly Memory[]): Promise<Effect> {
  const ids = found.map(({ id }) => id);
  return {
    writes: await memories.deleteWrites(ids),
    applied() {
      for (const id of ids) events.publish(resourceChanged("memory", id, "deleted"));
    },
  };
}

/** Answers a message that has no other request, without a model. */
function withReply(turn: Turn, text: string): Turn {
  const { sender_name: sender } = turn.session;
  const id = derivedId("msg", turn.traceId, "reply");
  return { ...turn, replies: [{ id, kind: "normal", text, attachments: [], ...(sender && { sender }) }] };
}

function toConfirmation(found: readonly Memory[]): Localized {
  if (found.length === 0) {
    return memoryTexts.localized("forgot_nothing");
  }
  const listed = found.slice(0, MAX_LISTED).map(({ content }) => content);
  const more = found.length - listed.length;
  const contents = joinLocalized(listed, "sentences");
  return more > 0
    ? memoryTexts.localized("forgot_more", { contents, more })
    : memoryTexts.localized("command_forgotten", { content: contents });
}

/** Informs the model about the forgotten memories when it answers the rest of the message. */
export const forgottenPrompt: PromptSource = {
  id: "memory.forgotten",
  key: MEMORIES_KEY,
  title: memoryTexts.localized("part_forgotten"),
  priority: 61,
  place: "before-user",
  concerns: (turn) => FORGOTTEN_TEXT.of(turn) !== undefined,
  collect: async (turn) => ({
    text: `They asked you to forget something. Tell them in a few words: ${FORGOTTEN_TEXT.of(turn)}`,
    isData: false,
  }),
};
