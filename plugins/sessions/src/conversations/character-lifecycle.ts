import type { RecordPart } from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";

/** Creates the lifecycle of characters: a removed character's prompt, name and images are copied to its sessions. */
export function createCharacterLifecycle({ sessions, characters, gateway }: SessionDeps): RecordPart {
  const assertNoneRunning = (ids: readonly string[]) => {
    const running = ids.find((id) => gateway().running(id));
    if (running === undefined) return;
    throw sessionsTexts.error("conflict", "character_answers", { id: running });
  };
  return {
    id: "sessions.bound",
    of: "character",
    async removed(id) {
      const ids = await sessions.findByCharacter(id);
      assertNoneRunning(ids);
      const face = (await characters()?.faces([id]))?.get(id);
      const writes = [];
      for (const sessionId of ids) {
        const session = await sessions.get(sessionId);
        const system_prompt = session.system_prompt || (face?.system_prompt ?? "");
        writes.push(sessions.unbindWrite({ ...session, system_prompt }));
      }
      return writes;
    },
  };
}
