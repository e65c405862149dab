import type { Caller, OwnSession, Session, Sessions } from "@parley/core";
import type { List } from "@parley/core/http";
import type { BindBody, ForkBody, SessionDraft, SessionPatch, SessionQuery } from "../schemas/sessions.ts";
import type { SessionDeps } from "../session-deps.ts";
import { createGreetings } from "./greetings.ts";
import { createSession, forkSession, openOwnSession, openSessionFor } from "./open-session.ts";
import {
  bindCharacter,
  giveBack,
  nameAutomatically,
  publishSession,
  removeSession,
  setArchived,
  setScene,
  takeOver,
  updateSession,
} from "./session-changes.ts";

/** Operations on whole sessions. */
export interface SessionService {
  list(query: SessionQuery): Promise<List<object>>;
  /** Creates a session. `by` is the account that opens it, which the character greets. */
  create(draft: SessionDraft, by?: string): Promise<Session>;
  openOwn(own: OwnSession): Promise<Session>;
  /** Changes a session; without a caller, on behalf of the service. */
  update(idOrKey: string, patch: SessionPatch, ifMatch?: number, caller?: Caller): Promise<Session>;
  remove(idOrKey: string, ifMatch?: number): Promise<object>;
  archive(idOrKey: string): Promise<Session>;
  /** Takes the conversation over: messages of people are stored and not answered. The first operator to take it over is recorded. */
  takeOver(idOrKey: string, by: string): Promise<Session>;
  giveBack(idOrKey: string): Promise<Session>;
  restore(idOrKey: string): Promise<Session>;
  fork(idOrKey: string, body: ForkBody): Promise<Session>;
  bind(idOrKey: string, body: BindBody, by?: string): Promise<Session>;
  /** Returns the greetings that its character could use in it: the first message, then the alternatives. */
  greetings(idOrKey: string, by?: string): Promise<readonly string[]>;
  openFor: Sessions["openFor"];
  /** Sets which characters are present from now on. */
  setScene(idOrKey: string, present: readonly string[], ifMatch?: number): Promise<Session>;
  nameAutomatically(idOrKey: string, name: string): Promise<void>;
  published: Sessions["published"];
}

export function createSessionService(deps: SessionDeps): SessionService {
  const greetings = createGreetings(deps);
  return {
    list: (query) => listSessions(deps, query),
    create: (draft, by) => createSession(deps, greetings, draft, by),
    openOwn: (own) => openOwnSession(deps, own),
    openFor: (message, speakerId) => openSessionFor(deps, message, speakerId),
    setScene: (idOrKey, present, ifMatch) => setScene(deps, idOrKey, present, ifMatch),
    fork: (idOrKey, body) => forkSession(deps, idOrKey, body),
    update: (idOrKey, patch, ifMatch, caller) => updateSession(deps, idOrKey, patch, { ifMatch, caller }),
    remove: (idOrKey, ifMatch) => removeSession(deps, idOrKey, ifMatch),
    archive: (idOrKey) => setArchived(deps, idOrKey, true),
    restore: (idOrKey) => setArchived(deps, idOrKey, false),
    takeOver: (idOrKey, by) => takeOver(deps, idOrKey, by),
    giveBack: (idOrKey) => giveBack(deps, idOrKey),
    bind: (idOrKey, body, by) => bindCharacter(deps, greetings, idOrKey, body, by),
    greetings: async (idOrKey, by) => greetings.list(await deps.sessions.get(idOrKey), by),
    published: (idOrKey, untilMs, writes) => publishSession(deps, idOrKey, untilMs, writes),
    nameAutomatically: (idOrKey, name) => nameAutomatically(deps, idOrKey, name),
  };
}

async function listSessions({ sessions }: SessionDeps, query: SessionQuery): Promise<List<object>> {
  const { items, ...page } = await sessions.list(query);
  return {
    ...page,
    items: items.map(
      ({ system_prompt: _prompt, scenario: _scenario, first_message: _first, metadata: _meta, ...shown }) => shown,
    ),
  };
}
