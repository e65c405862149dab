import type { RecordPart } from "@parley/core";
import type { RecentTalk } from "./recent-talk.ts";

/** Removes what an erased person wrote in groups from memory. */
export function createPersonPart(talk: Pick<RecentTalk, "forgetPerson">): RecordPart {
  return {
    id: "groups.of-person",
    of: "person",
    erase: async ({ addresses }) => talk.forgetPerson(addresses),
  };
}

/** Removes the talk of a deleted conversation from memory. */
export function createGroupPart(talk: Pick<RecentTalk, "forgetGroup">): RecordPart {
  return {
    id: "groups.of-session",
    of: "session",
    async leaving(sessionId) {
      talk.forgetGroup(sessionId);
    },
  };
}
