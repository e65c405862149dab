import type { CharacterFace, RecordPart, Session } from "@parley/core";
import type { SessionDeps } from "../../session-deps.ts";
import { sessionsTexts } from "../../texts.ts";
import { stripCharacterProfile } from "../display-profile.ts";
import { changeCharacters } from "./scene-changes.ts";

/** Creates the lifecycle of characters: others go on without the removed one; where it was alone, its prompt, name and images are copied to the session. */
export function createCharacterLifecycle({ sessions, characters, gateway, clock }: SessionDeps): RecordPart {
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
      const writes = [];
      for (const sessionId of ids) {
        const session = await sessions.get(sessionId);
        const first = session.character_id ?? id;
        const face = (await characters()?.faces([first]))?.get(first);
        writes.push(sessions.unbindWrite(session, withoutCharacter(session, id, { face, nowMs: clock.now() })));
      }
      return writes;
    },
  };
}

interface Removal {
  /** Face of the session's first character. */
  readonly face: CharacterFace | undefined;
  readonly nowMs: number;
}

function withoutCharacter(session: Session, id: string, { face, nowMs }: Removal): Session {
  const left = (session.character_ids ?? []).filter((one) => one !== id);
  if (left.length > 0) return { ...stripCharacterProfile(session, face), ...changeCharacters(session, left, nowMs) };
  const system_prompt = session.system_prompt || (face?.system_prompt ?? "");
  return { ...session, character_id: null, character_ids: [], system_prompt };
}
