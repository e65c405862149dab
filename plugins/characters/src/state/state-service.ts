import {
  AppError,
  type Caller,
  type CharacterSnapshot,
  type Characters,
  type Clock,
  checkRevision,
  type Gateway,
  type LiveEvents,
  newId,
  resourceChanged,
  type Session,
  type Sessions,
  type StateTimeline,
  type Write,
  webUser,
} from "@parley/core";
import { type CharacterBond, type InitialState, withMoodValues } from "@parley/core/characters";
import { applyPlan } from "../reactions/reaction-plan.ts";
import type { CharacterRecords, Speaker } from "../records/character-records.ts";
import type { People } from "../records/people.ts";
import type { ScopeQuery, TargetQuery } from "../records/schema.ts";
import { charactersTexts } from "../texts.ts";
import { CHARACTER_TURN } from "../turns/turn-context.ts";
import {
  DEFAULT_SCOPE,
  pickMood,
  pickRelationship,
  type RelationshipView,
  type StateStore,
  type StateView,
} from "./state-store.ts";
import { loadUndo, undoWrites } from "./undo.ts";

const MAX_ATTEMPTS = 10;

export interface ChangeContext {
  readonly caller: Caller;
  readonly ifMatch?: number | undefined;
  readonly signal: AbortSignal;
}

/** Reading and manual editing of characters' states and relationships. */
export interface StateService
  extends Pick<Characters, "moodOf" | "sceneOf" | "snapshotOf" | "restoring" | "withoutMessages"> {
  state(characterId: string, query: ScopeQuery): Promise<StateView>;
  setState(characterId: string, query: ScopeQuery, patch: InitialState, request: ChangeContext): Promise<StateView>;
  relationship(characterId: string, query: TargetQuery, caller: Caller): Promise<RelationshipView>;
  setRelationship(
    characterId: string,
    query: TargetQuery,
    patch: InitialState,
    request: ChangeContext,
  ): Promise<RelationshipView>;
  /** Returns the scope of a query; resolves to undefined when the query names none. */
  resolveScope(query: ScopeQuery): Promise<{ readonly scopeId: string; readonly session?: Session } | undefined>;
}

export interface StateServiceDeps {
  readonly records: CharacterRecords;
  readonly states: StateStore;
  readonly people: People;
  readonly sessions: () => Sessions;
  readonly gateway: () => Gateway | undefined;
  readonly timeline: () => StateTimeline;
  readonly write: (writes: readonly Write[]) => Promise<unknown>;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export function createStateService(deps: StateServiceDeps): StateService {
  const { records, states, people, sessions, gateway, timeline, write, events, clock } = deps;
  const getSpeaker = async (id: string): Promise<Speaker> => {
    const found = await records.findSpeaker(id);
    if (!found) await records.get(id);
    return found as Speaker;
  };
  const resolveScope: StateService["resolveScope"] = async ({ scope_id, session_id }) => {
    const session = session_id === undefined ? undefined : await sessions().get(session_id);
    const named = scope_id === undefined ? undefined : await sessions().find(scope_id);
    const scopeId = scope_id === undefined ? undefined : (named?.key ?? scope_id);
    if (session && scopeId !== undefined && scopeId !== session.key) {
      throw charactersTexts.error("bad_request", "other_scope", {}, { field: "scope_id" });
    }
    const found = session ?? named;
    return found ? { scopeId: found.key, session: found } : scopeId === undefined ? undefined : { scopeId };
  };
  const resolveTarget = async ({ target_id, session_id }: TargetQuery, caller: Caller) => {
    if (session_id === undefined) return people.resolve(target_id ?? webUser(caller.username));
    const session = await sessions().get(session_id);
    if (target_id === undefined) return people.resolveCounterpart(session, caller);
    const wanted = await people.resolve(target_id);
    if (!session.channel_id || wanted !== (await people.resolveCounterpart(session, caller))) {
      throw charactersTexts.error("bad_request", "other_person", {}, { field: "target_id" });
    }
    return wanted;
  };
  /** Waits for a running turn, whose changes take precedence. */
  const waitForTurn = async (sessionId: string | undefined, signal: AbortSignal) => {
    const running = sessionId === undefined ? undefined : gateway()?.running(sessionId);
    if (running) await gateway()?.outcome(running.traceId, signal);
  };
  const retryOnConflict = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    for (let attemptCount = 1; ; attemptCount += 1) {
      try {
        return await attempt();
      } catch (error) {
        // Another change was first; applies this one on top.
        if (
          !AppError.is(error) ||
          error.code !== "conflict" ||
          error.cause === STALE_REVISION ||
          attemptCount >= MAX_ATTEMPTS
        )
          throw error;
      }
    }
  };
  const assertCurrent = (stored: { readonly revision: number }, ifMatch: number | undefined) => {
    try {
      checkRevision(stored, ifMatch);
    } catch (error) {
      const { message, detail } = error as AppError;
      throw new AppError("conflict", message, { cause: STALE_REVISION, ...(detail && { detail }) });
    }
  };
  const createTimelineWrites = (session: Session, characterId: string, snapshot: Partial<CharacterSnapshot>) =>
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
  const publishChange = (kind: string, id: string, revision: number) =>
    events.publish(resourceChanged(kind, id, "updated", revision));

  return {
    resolveScope,
    async state(id, query) {
      const scope = await resolveScope(query);
      return (await states.state(await getSpeaker(id), scope?.scopeId ?? DEFAULT_SCOPE)).shown;
    },
    async setState(id, query, patch, { ifMatch, signal }) {
      const character = await getSpeaker(id);
      const { scopeId, session } = (await resolveScope(query)) ?? { scopeId: DEFAULT_SCOPE };
      await waitForTurn(session?.id, signal);
      const shown = await retryOnConflict(async () => {
        const { shown: before } = await states.state(character, scopeId);
        assertCurrent(before, ifMatch);
        const state = withMoodValues(pickMood(before), patch);
        const entry = session ? createTimelineWrites(session, id, { state }) : [];
        await write([states.setStateWrite(id, scopeId, state, { ifMatch: before.revision }), ...entry]);
        return (await states.state(character, scopeId)).shown;
      });
      publishChange("character_state", `${id}:${scopeId}`, shown.revision);
      return shown;
    },
    async relationship(id, query, caller) {
      return states.relationship(await getSpeaker(id), await resolveTarget(query, caller));
    },
    async setRelationship(id, query, patch, { caller, ifMatch, signal }) {
      const character = await getSpeaker(id);
      const targetId = await resolveTarget(query, caller);
      const session = query.session_id === undefined ? undefined : await sessions().get(query.session_id);
      await waitForTurn(session?.id, signal);
      const shown = await retryOnConflict(async () => {
        const before = await states.relationship(character, targetId);
        assertCurrent(before, ifMatch);
        const relationship: CharacterBond = { ...pickRelationship(before), ...patch };
        const entry = session ? createTimelineWrites(session, id, { relationship }) : [];
        await write([states.setRelationshipWrite(id, targetId, relationship, { ifMatch: before.revision }), ...entry]);
        return states.relationship(character, targetId);
      });
      publishChange("character_relationship", `${id}:${targetId}`, shown.revision);
      return shown;
    },
    moodOf(turn) {
      const note = CHARACTER_TURN.of(turn);
      return note && applyPlan(note.state, note.plan).mood;
    },
    sceneOf: (turn) => CHARACTER_TURN.of(turn)?.state.scene ?? {},
    async snapshotOf(session) {
      const character = session.character_id === null ? undefined : await records.findSpeaker(session.character_id);
      if (!character) return undefined;
      const { shown } = await states.state(character, session.key);
      if (!shown.persisted) return undefined;
      const { channel_id, user_id } = session;
      const target = channel_id !== "web" && user_id !== null ? `${channel_id}:user:${user_id}` : DEFAULT_SCOPE;
      return {
        state: pickMood(shown),
        relationship: pickRelationship(await states.relationship(character, await people.resolve(target))),
      };
    },
    async restoring(session, { state }) {
      // A relationship belongs to a person, so an imported session must not change one.
      if (session.character_id === null || !state) return [];
      return [states.setStateWrite(session.character_id, session.key, state)];
    },
    async withoutMessages(session, messageIds) {
      const undo = await loadUndo(timeline(), session.id, messageIds);
      return undoWrites(undo, { states, timeline: timeline(), session, findCharacter: records.findSpeaker });
    },
  };
}

const STALE_REVISION = Symbol("refused");
