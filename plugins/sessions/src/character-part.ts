import { explainedAs, type RecordPart } from "@parley/core";
import type { SessionParts } from "./parts.ts";

/** A character that goes leaves its prompt, its name and its pictures with the sessions it was bound to. */
export function characterPart({ sessions, characters, gateway }: SessionParts): RecordPart {
  const refuseRunning = (ids: readonly string[]) => {
    const running = ids.find((id) => gateway().running(id));
    if (running === undefined) return;
    const said = {
      en: "it is answering in session '{id}' just now: try again afterwards",
      zh: "它正在会话“{id}”中回复，请稍后再试",
    };
    throw explainedAs("conflict", "session.character_answers", said, { params: { id: running } });
  };
  return {
    id: "sessions.bound",
    of: "character",
    async removed(id) {
      const ids = await sessions.boundTo(id);
      refuseRunning(ids);
      const face = (await characters()?.faces([id]))?.get(id);
      const writes = [];
      for (const sessionId of ids) {
        const session = await sessions.get(sessionId);
        const system_prompt = session.system_prompt || (face?.system_prompt ?? "");
        writes.push(sessions.unbinding({ ...session, system_prompt }));
      }
      return writes;
    },
  };
}
