import {
  derivedId,
  type Effect,
  inLanguage,
  type LiveEvents,
  type Localized,
  languageOf,
  type Memory,
  type PromptSource,
  resourceChanged,
  type Turn,
  type TurnStage,
  turnData,
  withEffects,
} from "@parley/core";
import { askedToForget, forgetRequestIn } from "./forget-requests.ts";
import type { OwnMemories } from "./memories.ts";
import type { PersonsMemories } from "./own-memories.ts";
import { isOn, type SwitchParts } from "./settings.ts";
import { isTalk, MEMORIES_KEY } from "./turn.ts";

const MOST_NAMED = 5;
/** The memories that were forgotten in this turn, in words. */
const FORGOTTEN = turnData<string>("memory.forgotten");

export interface ForgetParts extends SwitchParts {
  readonly own: Pick<PersonsMemories, "list">;
  readonly memories: Pick<OwnMemories, "forgetting">;
  readonly events: Pick<LiveEvents, "publish">;
}

/** Forgets what somebody asks to be forgotten of them, with the end of the turn, and says so. */
export function forgetStage(parts: ForgetParts): TurnStage {
  return {
    id: "memory.forget",
    phase: "context",
    async run(turn) {
      const request = isTalk(turn) && turn.inbound.kind === "message" ? forgetRequestIn(turn.text) : undefined;
      if (!request || !(await isOn(parts))) return turn;
      const all = await parts.own.list({ inbound: turn.inbound, sessionId: turn.session.id });
      const found = askedToForget(request.what, all);
      if (!found) return turn;
      const said = inLanguage(wordOn(found), languageOf(turn.inbound));
      const done = found.length === 0 ? turn : withEffects(turn, await forgetting(parts, found));
      return request.isAll ? answered(done, said) : FORGOTTEN.with(done, said);
    },
  };
}

async function forgetting({ memories, events }: ForgetParts, found: readonly Memory[]): Promise<Effect> {
  const ids = found.map(({ id }) => id);
  return {
    writes: await memories.forgetting(ids),
    applied() {
      for (const id of ids) events.publish(resourceChanged("memory", id, "deleted"));
    },
  };
}

/** Answers a message that asks nothing else, without a model. */
function answered(turn: Turn, text: string): Turn {
  const { sender_name: sender } = turn.session;
  const id = derivedId("msg", turn.traceId, "reply");
  return { ...turn, replies: [{ id, kind: "normal", text, attachments: [], ...(sender && { sender }) }] };
}

function wordOn(found: readonly Memory[]): Localized {
  if (found.length === 0) {
    return { en: "There is nothing about that in my memory of you.", zh: "关于这一点，我没有任何关于你的记忆。" };
  }
  const named = found.slice(0, MOST_NAMED).map(({ content }) => content);
  const more = found.length - named.length;
  return {
    en: `Forgotten: ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`,
    zh: `已忘记：${named.join("；")}${more > 0 ? `；以及另外 ${more} 条` : ""}`,
  };
}

/** Tells the model what was forgotten, where it answers the rest of the message. */
export const forgottenSource: PromptSource = {
  id: "memory.forgotten",
  key: MEMORIES_KEY,
  priority: 61,
  place: "system",
  async collect(turn) {
    const said = FORGOTTEN.of(turn);
    return { text: said ? `They asked you to forget something. Tell them in a few words: ${said}` : "", isData: false };
  },
};
