import { createHash, randomBytes } from "node:crypto";
import type { AppError, Clock, Collection, Egress, Logger, Secrets } from "@parley/core";
import { isEqualSecret } from "@parley/core/secrets";
import { mcpBridgeTexts } from "../../texts.ts";
import type { Entry } from "../servers/entry.ts";
import { createOAuthFetch } from "./oauth-fetch.ts";
import type { Revocations } from "./revocations.ts";
import { createSealedRecords, type SealedRecord, toDestinationDigest } from "./sealed-records.ts";
import { type Attempt, listAttemptSecrets, listSignInSecrets, type SignIn } from "./sign-in-records.ts";
import type { SignInState } from "./sign-in-state.ts";
import { createTokenRefresh, type RefreshToken } from "./token-refresh.ts";

const ATTEMPT_TTL_MS = 10 * 60_000;
const STATE = /^([A-Za-z0-9_-]{2,64})\.([A-Za-z0-9_-]{43})$/;

/** Options that an administrator gives to a sign-in. */
export interface SignInDraft {
  /** Client that was registered manually at the server. */
  readonly client?: { readonly client_id: string; readonly client_secret?: string };
  readonly scope?: string;
}

export interface StartedSignIn {
  readonly authorization_url: string;
  readonly expires_at: string;
}

/** Query of the browser's return. */
export interface CallbackQuery {
  readonly state?: string;
  readonly code?: string;
  readonly error?: string;
  readonly error_description?: string;
  readonly iss?: string;
}

type Server = Pick<Entry, "id" | "url">;

/** Sign-ins at servers. Tokens are read from storage at each use, because another process may have renewed them. */
export interface SignIns {
  load(): Promise<void>;
  /** Calls the listener when another process signed in or out, or renewed a token; returns an unsubscribe function. */
  follow(listener: (serverId: string, isSignedIn: boolean) => void): () => void;
  getState(server: Server): SignInState;
  begin(server: Server, redirectUrl: string, draft: SignInDraft): Promise<StartedSignIn>;
  /** Returns the server id in a returned state, which it does not verify; undefined for a malformed one. */
  findServerId(state: string | undefined): string | undefined;
  /** Finishes a started sign-in, once; rejects with `bad_request` for an unknown, expired or incomplete one, `permission_denied` when it was denied at the server. */
  finish(server: Server, returned: CallbackQuery): Promise<void>;
  /** Deletes the stored data of the server and revokes its access in the background. */
  forget(server: Server): Promise<void>;
  findToken(server: Server): Promise<string | undefined>;
  readonly refreshToken: RefreshToken;
  /** Records that the server requires a sign-in, or one with another scope; returns the new state. */
  requireSignIn(server: Server, scope?: string): SignInState;
}

export interface SignInsDeps {
  readonly collection: Collection<SealedRecord>;
  readonly attempts: Collection<SealedRecord>;
  readonly secrets: () => Secrets;
  readonly egress: Egress;
  readonly revocations: Pick<Revocations, "add">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** URL and scope that a person must sign in for, known in this process. */
interface SignInRequirement {
  readonly url: string;
  readonly scope: string | undefined;
}

export function createSignIns(deps: SignInsDeps): SignIns {
  const { collection, attempts, secrets, egress, revocations, clock, log } = deps;
  const signIns = createSealedRecords<SignIn>({ stored: collection, secrets, kind: "sign-in" }, listSignInSecrets);
  const storedAttempts = createSealedRecords<Attempt>(
    { stored: attempts, secrets, kind: "sign-in-attempt" },
    listAttemptSecrets,
  );
  /** Destinations of sign-ins by server, as `toDestinationDigest` returns them. */
  const destinationsById = new Map<string, string>();
  const requirements = new Map<string, SignInRequirement>();
  const loadFlow = () => import("./oauth-flow.ts");
  const createFetch = ({ url }: Server) => createOAuthFetch(url, egress);
  const store = async (server: Server, value: SignIn) => {
    await signIns.put(server, value);
    destinationsById.set(server.id, toDestinationDigest(server.url));
  };
  /** Returns the stored sign-in; undefined when it cannot be decrypted, so that it must be repeated. */
  const readSignIn = async (server: Server): Promise<SignIn | undefined> =>
    signIns.get(server).catch((error: unknown) => {
      log.warn("the stored state of a sign-in cannot be read", { server: server.id, error });
      return undefined;
    });
  const drop = async (id: string) => {
    destinationsById.delete(id);
    requirements.delete(id);
    await storedAttempts.remove(id);
    await signIns.remove(id);
  };
  const getState = ({ id, url }: Server): SignInState => {
    const isAsked = requirements.get(id)?.url === url;
    if (destinationsById.get(id) !== toDestinationDigest(url)) return isAsked ? "needed" : "none";
    return isAsked ? "again" : "signed_in";
  };
  const claimAttempt = async (server: Server, state: string): Promise<Attempt> => {
    const attempt = await storedAttempts.get(server);
    const isOurs = attempt !== undefined && isEqualSecret(attempt.stateDigest, hashState(state));
    // Removing the attempt claims it, so that a second callback with the same state fails.
    if (!isOurs || !(await storedAttempts.remove(server.id))) throw createUnknownStateError();
    if (attempt.expiresAt <= clock.now()) throw mcpBridgeTexts.error("bad_request", "sign_in_late");
    return attempt;
  };

  return {
    async load() {
      for (const { id, destination } of await collection.list()) destinationsById.set(id, destination);
    },
    follow: (listener) =>
      collection.onElsewhere((id, item) => {
        // A lease is being taken; the value has not changed yet.
        if (item?.taken !== undefined) return;
        if (item) destinationsById.set(id, item.destination);
        else destinationsById.delete(id);
        requirements.delete(id);
        listener(id, item !== undefined);
      }),
    getState,
    async begin(server, redirectUrl, { client, scope }) {
      const earlier = await readSignIn(server);
      const registered = earlier?.redirectUrl === redirectUrl ? earlier.client : undefined;
      const state = `${server.id}.${randomBytes(32).toString("base64url")}`;
      const { page, ...attempt } = await (await loadFlow()).startFlow({
        ...{ serverUrl: server.url, redirectUrl, state, call: createFetch(server) },
        client: client ?? registered,
        scope: scope ?? requirements.get(server.id)?.scope,
      });
      const expiresAt = clock.now() + ATTEMPT_TTL_MS;
      await storedAttempts.put(server, { ...attempt, stateDigest: hashState(state), expiresAt });
      return { authorization_url: page.href, expires_at: new Date(expiresAt).toISOString() };
    },
    findServerId: (state = "") => STATE.exec(state)?.[1],
    // An empty value counts as omitted (RFC 6749 §3.1).
    async finish(server, { state = "", code = "", error = "", error_description = "", iss }) {
      const attempt = await claimAttempt(server, state);
      checkResponseIssuer(attempt, iss);
      if (error !== "")
        throw mcpBridgeTexts.error("permission_denied", "sign_in_refused", {
          reason: [error, error_description].filter((text) => text !== "").join(": "),
        });
      if (code === "") throw mcpBridgeTexts.error("bad_request", "missing", {}, { field: "code" });
      const { completeFlow } = await loadFlow();
      const request = { serverUrl: server.url, code, started: attempt, call: createFetch(server) };
      await store(server, await completeFlow(request));
      requirements.delete(server.id);
      log.info("a sign-in at a server was completed", { server: server.id });
    },
    async forget(server) {
      const signIn = await readSignIn(server);
      // Queued before the deletion: a revoked token is worthless, but a deleted one could not be revoked.
      if (signIn) await revocations.add(server, signIn);
      await drop(server.id);
    },
    findToken: async (server) => (await signIns.get(server))?.tokens?.access_token,
    refreshToken: createTokenRefresh({ collection, signIns, callFor: createFetch, clock, log }),
    requireSignIn(server, scope) {
      requirements.set(server.id, { url: server.url, scope });
      return getState(server);
    },
  };
}

/** Checks that the response comes from the requested issuer (RFC 9207). */
function checkResponseIssuer(
  { discovery: { authorizationServerMetadata: metadata } }: Attempt,
  iss: string | undefined,
): void {
  const says = (metadata as Readonly<Record<string, unknown>> | undefined)
    ?.authorization_response_iss_parameter_supported;
  if (iss === undefined ? says !== true : iss === metadata?.issuer) return;
  throw mcpBridgeTexts.error("bad_request", "other_server", {}, { field: "iss" });
}

function createUnknownStateError(): AppError {
  return mcpBridgeTexts.error("bad_request", "state_unknown", {}, { field: "state" });
}

function hashState(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
