import {
  AppError,
  type Caller,
  type CharacterBond,
  type CharacterSnapshot,
  type Characters,
  type Clock,
  checkRevision,
  type Gateway,
  type InitialState,
  type LiveEvents,
  newId,
  resourceChanged,
  type Session,
  type Sessions,
  type StateTimeline,
  type Write,
  webUser,
  withMoodValues,
} from "@parley/core";
import type { CharacterRecords, Speaker } from "./character-records.ts";
import type { People } from "./people.ts";
import { stateAfter } from "./plan.ts";
import { characterFailure } from "./said-failures.ts";
import type { ScopeQuery, TargetQuery } from "./schema.ts";
import { type CharacterStates, DEFAULT, pickBond, pickMood, type ShownBond, type ShownState } from "./states.ts";
import { NOTE } from "./turn-note.ts";
import { undoing, undoOf } from "./undo.ts";

const TRIES = 10;

export interface Request {
  readonly caller: Caller;
  readonly ifMatch?: number | undefined;
  readonly signal: AbortSignal;
}

/** How characters stand in conversations and to people, as it is read and changed by hand. */
export interface Standing
  extends Pick<Characters, "moodOf" | "sceneOf" | "snapshotOf" | "restoring" | "withoutMessages"> {
  state(characterId: string, query: ScopeQuery): Promise<ShownState>;
  setState(characterId: string, query: ScopeQuery, patch: InitialState, request: Request): Promise<ShownState>;
  bond(characterId: string, query: TargetQuery, caller: Caller): Promise<ShownBond>;
  setBond(characterId: string, query: TargetQuery, patch: InitialState, request: Request): Promise<ShownBond>;
  /** The scope that a query names; undefined: none. */
  scopeOf(query: ScopeQuery): Promise<{ readonly scopeId: string; readonly session?: Session } | undefined>;
}

export interface StandingParts {
  readonly records: CharacterRecords;
  readonly states: CharacterStates;
  readonly people: People;
  readonly sessions: () => Sessions;
  readonly gateway: () => Gateway | undefined;
  readonly timeline: () => StateTimeline;
  readonly write: (writes: readonly Write[]) => Promise<unknown>;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export function createStanding(parts: StandingParts): Standing {
  const { records, states, people, sessions, gateway, timeline, write, events, clock } = parts;
  const speaker = async (id: string): Promise<Speaker> => {
    const found = await records.speaker(id);
    if (!found) await records.get(id);
    return found as Speaker;
  };
  const scopeOf: Standing["scopeOf"] = async ({ scope_id, session_id }) => {
    const session = session_id === undefined ? undefined : await sessions().get(session_id);
    const named = scope_id === undefined ? undefined : await sessions().find(scope_id);
    const scopeId = scope_id === undefined ? undefined : (named?.key ?? scope_id);
    if (session && scopeId !== undefined && scopeId !== session.key) {
      throw characterFailure("bad_request", "other_scope", {}, { field: "scope_id" });
    }
    const found = session ?? named;
    return found ? { scopeId: found.key, session: found } : scopeId === undefined ? undefined : { scopeId };
  };
  const targetOf = async ({ target_id, session_id }: TargetQuery, caller: Caller) => {
    if (session_id === undefined) return people.resolve(target_id ?? webUser(caller.username));
    const session = await sessions().get(session_id);
    if (target_id === undefined) return people.counterpartOf(session, caller);
    const wanted = await people.resolve(target_id);
    if (!session.channel_id || wanted !== (await people.counterpartOf(session, caller))) {
      throw characterFailure("bad_request", "other_person", {}, { field: "target_id" });
    }
    return wanted;
  };
  /** A turn that runs goes first. */
  const afterTurn = async (sessionId: string | undefined, signal: AbortSignal) => {
    const running = sessionId === undefined ? undefined : gateway()?.running(sessionId);
    if (running) await gateway()?.outcome(running.traceId, signal);
  };
  const again = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt();
      } catch (error) {
        // Somebody else was first; what they wrote is changed in turn.
        if (!AppError.is(error) || error.code !== "conflict" || error.cause === REFUSED || tried >= TRIES) throw error;
      }
    }
  };
  const refuseStale = (kept: { readonly revision: number }, ifMatch: number | undefined) => {
    try {
      checkRevision(kept, ifMatch);
    } catch (error) {
      const { message, detail } = error as AppError;
      throw new AppError("conflict", message, { cause: REFUSED, ...(detail && { detail }) });
    }
  };
  const manual = (session: Session, characterId: string, snapshot: Partial<CharacterSnapshot>) =>
    timeline().adding({
      id: newId("tl", clock.now()),
      session_id: session.id,
      character_id: characterId,
      message_id: session.last_message?.id ?? null,
      message_index: session.message_count,
      timestamp: new Date(clock.now()).toISOString(),
      source: "manual",
      state: snapshot.state ?? {},
      relationship: snapshot.relationship ?? {},
      user_message: "",
      assistant_message: "",
    });
  const tell = (kind: string, id: string, revision: number) =>
    events.publish(resourceChanged(kind, id, "updated", revision));

  return {
    scopeOf,
    async state(id, query) {
      const scope = await scopeOf(query);
      return (await states.state(await speaker(id), scope?.scopeId ?? DEFAULT)).shown;
    },
    async setState(id, query, patch, { ifMatch, signal }) {
      const character = await speaker(id);
      const { scopeId, session } = (await scopeOf(query)) ?? { scopeId: DEFAULT };
      await afterTurn(session?.id, signal);
      const shown = await again(async () => {
        const { shown: before } = await states.state(character, scopeId);
        refuseStale(before, ifMatch);
        const state = withMoodValues(pickMood(before), patch);
        const entry = session ? manual(session, id, { state }) : [];
        await write([states.settingState(id, scopeId, state, { from: before.revision }), ...entry]);
        return (await states.state(character, scopeId)).shown;
      });
      tell("character_state", `${id}:${scopeId}`, shown.revision);
      return shown;
    },
    async bond(id, query, caller) {
      return states.bond(await speaker(id), await targetOf(query, caller));
    },
    async setBond(id, query, patch, { caller, ifMatch, signal }) {
      const character = await speaker(id);
      const targetId = await targetOf(query, caller);
      const session = query.session_id === undefined ? undefined : await sessions().get(query.session_id);
      await afterTurn(session?.id, signal);
      const shown = await again(async () => {
        const before = await states.bond(character, targetId);
        refuseStale(before, ifMatch);
        const relationship: CharacterBond = { ...pickBond(before), ...patch };
        const entry = session ? manual(session, id, { relationship }) : [];
        await write([states.settingBond(id, targetId, relationship, { from: before.revision }), ...entry]);
        return states.bond(character, targetId);
      });
      tell("character_relationship", `${id}:${targetId}`, shown.revision);
      return shown;
    },
    moodOf(turn) {
      const note = NOTE.of(turn);
      return note && stateAfter(note.state, note.plan).mood;
    },
    sceneOf: (turn) => NOTE.of(turn)?.state.scene ?? {},
    async snapshotOf(session) {
      const character = session.character_id === null ? undefined : await records.speaker(session.character_id);
      if (!character) return undefined;
      const { shown } = await states.state(character, session.key);
      if (!shown.persisted) return undefined;
      const { channel_id, user_id } = session;
      const target = channel_id !== "web" && user_id !== null ? `${channel_id}:user:${user_id}` : DEFAULT;
      return {
        state: pickMood(shown),
        relationship: pickBond(await states.bond(character, await people.resolve(target))),
      };
    },
    async restoring(session, { state }) {
      // A relationship belongs to a person, not to a conversation: one that comes in changes nobody's.
      if (session.character_id === null || !state) return [];
      return [states.settingState(session.character_id, session.key, state)];
    },
    async withoutMessages(session, messageIds) {
      const undo = await undoOf(timeline(), session.id, messageIds);
      return undoing(undo, { states, timeline: timeline(), session, start: (id) => records.speaker(id) });
    },
  };
}

const REFUSED = Symbol("refused");
