import { createHash } from "node:crypto";
import {
  AppError,
  type Caller,
  type ChangeRequest,
  type Clock,
  type Collection,
  checkRevision,
  type DocumentKind,
  derivedId,
  type LiveEvents,
  type PromptSource,
  resourceChanged,
  type Sessions,
  type Turn,
  type TurnStage,
  toLocalizedError,
} from "@parley/core";
import { canonicalSessionId } from "@parley/core/channels";
import {
  type Authorship,
  changesContent,
  getSpeakOrder,
  readSpeakOrder,
  toAuthorship,
  toAuthorshipView,
} from "../authorship.ts";
import { Interrupted } from "../runs/ledger.ts";
import type { Runner } from "../runs/run-job.ts";
import type { RunStore } from "../runs/run-store.ts";
import { askAsTurn, type RunTurnDeps } from "../runs/run-turn.ts";
import type { Runs } from "../runs/runs.ts";
import type { Plan, Planner } from "../schedules/planner.ts";
import type { Speaker } from "../speaker.ts";
import { toUnsentError, type Unsent } from "../stored-failures.ts";
import { automationTexts } from "../texts.ts";
import { toRunFields } from "../workflows/workflows.ts";
import type { HeartbeatFiles } from "./heartbeat-files.ts";
import { HEARTBEAT, HEARTBEAT_DEFAULTS, type HeartbeatFields } from "./heartbeat-schema.ts";

/** Answer with which the AI says that nothing is worth a message. */
export const SILENCE_TOKEN = "HEARTBEAT_OK";
const REPEAT_WINDOW_MS = 24 * 3_600_000;
const NOTHING_TO_SAY = "nothing to say";

export interface StoredHeartbeat extends HeartbeatFields, Authorship {
  readonly id: typeof HEARTBEAT;
  readonly created_at: string;
  readonly updated_at: string;
  readonly revision: number;
}

export const HEARTBEATS: DocumentKind<StoredHeartbeat> = { name: "automation" };

/** A change of the heartbeat. `order` is the authorship that it then has, instead of the caller's. */
export interface HeartbeatRequest extends Partial<ChangeRequest> {
  readonly order?: Authorship;
}

export interface Heartbeat {
  get(): Promise<StoredHeartbeat>;
  change(patch: Partial<HeartbeatFields>, request?: HeartbeatRequest): Promise<StoredHeartbeat>;
  /** Updates the heartbeat's authorship when its text changes, because the text counts as written by the editor. */
  onTextChanged(file: string, caller: Caller): Promise<void>;
  /** Returns the heartbeat with its runs and its next time. */
  getView(): Promise<object>;
  /** Creates the heartbeat if it is missing, and schedules it. Called at the start. */
  load(): Promise<void>;
}

export interface HeartbeatDeps {
  readonly stored: Collection<StoredHeartbeat>;
  readonly runs: Runs;
  readonly planner: Planner;
  readonly speaker: Speaker;
  readonly sessions: () => Sessions;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export const toHeartbeatPlan = ({ enabled, interval_minutes }: HeartbeatFields): Plan => ({
  id: HEARTBEAT,
  enabled,
  trigger: "interval",
  config: { interval_minutes },
});

export function createHeartbeat({ stored, runs, planner, speaker, sessions, events, clock }: HeartbeatDeps): Heartbeat {
  const now = () => new Date(clock.now()).toISOString();
  const load = async () => {
    const found = await stored.get(HEARTBEAT);
    if (!found)
      await stored.put({ ...HEARTBEAT_DEFAULTS, id: HEARTBEAT, created_at: now(), updated_at: now(), revision: 1 });
    await planner.put(toHeartbeatPlan(found ?? HEARTBEAT_DEFAULTS), "heartbeat");
  };
  const get = async () => {
    const found = await stored.get(HEARTBEAT);
    if (!found) throw automationTexts.error("unavailable", "no_heartbeat");
    return found;
  };
  const checkTargets = async ({ target_session_id: own, targets, ...ordered }: HeartbeatFields & Authorship) => {
    const order = readSpeakOrder(ordered);
    if (own !== null) await speaker.check(own, "target_session_id", order);
    for (const one of targets) if (one !== "web") await speaker.check(one, "targets", order);
  };
  return {
    load,
    get,
    async change({ target_session_id, ...patch }, { caller, ifMatch, order: given } = {}) {
      const target =
        target_session_id === undefined
          ? {}
          : { target_session_id: await resolveTargetSession(sessions(), target_session_id) };
      const order = given ?? (changesContent({ target_session_id, ...patch }) ? toAuthorship(caller) : {});
      if (changesContent(order)) await checkTargets({ ...(await get()), ...patch, ...target, ...order });
      const next = await stored.update(HEARTBEAT, (before) => {
        checkRevision(before, ifMatch);
        return { ...before, ...patch, ...target, ...order, updated_at: now(), revision: before.revision + 1 };
      });
      await planner.put(toHeartbeatPlan(next), "heartbeat");
      events.publish(resourceChanged(HEARTBEAT, HEARTBEAT, "updated", next.revision));
      return next;
    },
    async onTextChanged(file, caller) {
      if (file !== (await get()).content_file) return;
      await stored.update(HEARTBEAT, (before) => ({ ...before, ...toAuthorship(caller) }));
    },
    async getView() {
      const [config, owners, schedules] = await Promise.all([
        get(),
        runs.getByOwners([HEARTBEAT]),
        planner.getByIds([HEARTBEAT]),
      ]);
      return {
        ...config,
        ...toAuthorshipView(config),
        ...toRunFields(owners.get(HEARTBEAT), schedules.get(HEARTBEAT)),
      };
    },
  };
}

/** Returns the id of an existing conversation; rejects with `bad_request` for any other. */
export async function resolveTargetSession(sessions: Sessions, sessionIdOrKey: string | null): Promise<string | null> {
  if (sessionIdOrKey === null) return null;
  const session = await sessions.find(canonicalSessionId(sessionIdOrKey));
  const field = "target_session_id";
  if (!session) throw automationTexts.error("bad_request", "no_conversation", { id: sessionIdOrKey }, { field });
  return session.id;
}

export interface HeartbeatRunnerDeps extends RunTurnDeps {
  readonly texts: HeartbeatFiles;
  readonly speaker: Speaker;
  readonly store: RunStore;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Creates the heartbeat runner, which prompts the AI with the heartbeat's text and sends its answer. */
export function createHeartbeatRunner(deps: HeartbeatRunnerDeps): Runner {
  const { texts, speaker, store, events, clock, sessions } = deps;
  return async (run) => {
    const { content_file, target_session_id: target, targets } = run.order as HeartbeatFields;
    const { content } = await texts.read(content_file);
    const publishHeartbeat = (text: string, targets: readonly string[]) =>
      events.publish({
        type: "heartbeat",
        durable: true,
        payload: { run_id: run.row.run_id, content: text, targets },
      });
    // A run without a message publishes its end too.
    const silence = { result: "", applied: () => publishHeartbeat("", []) };
    if (content.trim() === "") return silence;
    const session =
      target === null
        ? await sessions().openOwn({ id: derivedId("sess", HEARTBEAT), type: "heartbeat", name: "Heartbeat" })
        : await sessions().find(target);
    if (!session) throw automationTexts.error("not_found", "session_gone");
    await run.setSession(session.id);
    const instruction = { sessionId: session.id, text: content, source: "heartbeat", name: "Heartbeat" } as const;
    const { text, state, notice } = await askAsTurn(deps, run, instruction);
    const isSilent = state === "stopped" && notice === NOTHING_TO_SAY;
    if (isSilent || (state === "answered" && text.trim() === "")) return silence;
    if (state !== "answered")
      throw automationTexts.error("conflict", state === "blocked" ? "withheld" : `was_${state}`);

    const undelivered: Unsent[] = [];
    const others = targets.filter((one) => one !== "web" && one !== session.id);
    for (const one of others) {
      try {
        const step = {
          key: `to ${one}`,
          name: one,
          action: "message",
          input: { session: one, content: text },
          isRisky: true,
        };
        await run.ledger.once(step, async () => ({
          output: await speaker.say(
            one,
            { key: `${run.row.run_id}:${one}`, text, source: "heartbeat" },
            getSpeakOrder(run),
          ),
        }));
      } catch (error) {
        if (run.signal.aborted || !(AppError.is(error) || error instanceof Interrupted)) throw error;
        undelivered.push({ target: one, why: error });
      }
    }
    return {
      result: text,
      ...(undelivered.length > 0 && { error: toLocalizedError(toUnsentError(undelivered, others.length)) }),
      writes: [store.lastMessageWrite(HEARTBEAT, hashNormalized(text), clock.now())],
      applied() {
        publishHeartbeat(text, targets);
        const ended = { action: "heartbeat_completed", session };
        events.publish({ type: "session_updated", session_id: session.id, durable: true, payload: ended });
      },
    };
  };
}

const isHeartbeat = ({ inbound }: Turn) => inbound.source === "heartbeat";

/** Explains the heartbeat to the AI, and how to answer when there is nothing to say. */
export const heartbeatPrompt: PromptSource = {
  id: "automation.heartbeat",
  key: "global.heartbeat",
  title: automationTexts.localized("part_heartbeat"),
  priority: 90,
  place: "before-user",
  concerns: isHeartbeat,
  async collect() {
    const text =
      "Nobody has written: this is a regular occasion to look whether something is worth saying now. What to look at follows. " +
      `If there is nothing new that people should hear, answer exactly ${SILENCE_TOKEN} and nothing else. Do not repeat what was said before.`;
    return { text, isData: false };
  },
};

/** Creates the stage that ends a heartbeat silently if the AI has nothing to say or repeats a recent message. */
export function createSilenceStage({ store, clock }: Pick<HeartbeatRunnerDeps, "store" | "clock">): TurnStage {
  return {
    id: "automation.silence",
    phase: "screen-reply",
    usesStorage: true,
    guardsStream: isHeartbeat,
    concerns: (turn) => isHeartbeat(turn) && turn.replies.length > 0,
    async run(turn) {
      const text = turn.replies.map((reply) => reply.text).join("\n\n");
      const state = await store.state(HEARTBEAT);
      const isOutsideWindow = clock.now() - (state?.said_ms ?? 0) > REPEAT_WINDOW_MS;
      const isRepeat = state?.said === hashNormalized(text) && !isOutsideWindow;
      if (!isSilenceToken(text) && !isRepeat) return turn;
      return { ...turn, replies: [], stopped: { by: "automation.silence", reason: "ignored", notice: NOTHING_TO_SAY } };
    },
  };
}

/** True for `SILENCE_TOKEN`, with or without punctuation around it. */
function isSilenceToken(text: string): boolean {
  return text.replaceAll(/[\s*_`"'.!]/g, "").toUpperCase() === SILENCE_TOKEN.replaceAll("_", "");
}

function hashNormalized(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  return createHash("sha256").update(plain).digest("hex").slice(0, 32);
}
