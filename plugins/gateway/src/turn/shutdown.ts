import { AppError } from "@parley/core";
import { settlesWithin } from "@parley/core/async";
import { gatewayTexts } from "../texts.ts";
import type { ActiveTurn } from "./active-turn.ts";

export const STOP_TIMEOUT_MS = 5_000;
/** Maximum time for which a reload waits for running turns. Requests are answered meanwhile. */
export const RELOAD_MS = 60_000;
export const ABORT_TIMEOUT_MS = 2_000;

/** Abort reason when the service stops: the turn keeps its lease, and the next start runs it again. */
export const STOPPING = gatewayTexts.error("unavailable", "stopping", {}, { retryAfterS: 1 });

/** Error for messages that arrive while the node drains, because other nodes accept them. */
export const DRAINING = gatewayTexts.error("unavailable", "draining", {}, { retryAfterS: 1 });

/** Abort reason of a manually stopped worker: the turn returns to its place in the queue. */
export const PAUSED = new AppError("unavailable", "the worker was stopped");

/** Reason with which the turn of a deleted message is aborted. Such a turn sends nothing. */
export const MESSAGE_RECALLED = new AppError("unavailable", "the message was withdrawn");

/** Waits for running turns, then aborts them. One that ignores its signal is repeated by the next start. */
export async function drainTurns(running: readonly ActiveTurn[], withinMs: number): Promise<void> {
  const ended = Promise.all(running.map((one) => one.ended));
  if (await settlesWithin(ended, withinMs)) return;
  for (const { abort } of running) abort.abort(STOPPING);
  await settlesWithin(ended, ABORT_TIMEOUT_MS);
}
