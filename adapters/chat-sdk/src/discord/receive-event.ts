import { AppError, type ChannelIo } from "@parley/core";
import { rejectAfter } from "@parley/core/async";
import { toRecall } from "../inbound/chat-instance.ts";
import { type ChatEvents, createRequestWork, currentWork } from "../inbound/request-work.ts";
import { runWithNetwork } from "../packages/package-network.ts";
import type { SdkAdapter } from "../sdk/sdk-adapter.ts";
import { chatSdkTexts } from "../texts.ts";
import { type ForwardedEvent, toDeleted, toForwarded } from "./gateway-events.ts";
import { receiveInteraction } from "./receive-interaction.ts";

/** Time in which threads are looked up and begun; after it the message belongs to its channel. */
const LOOKUP_MS = 10_000;
const EVENT_MS = 20_000;

export interface EventDeps {
  readonly io: Pick<ChannelIo, "accept" | "fetch" | "press" | "log">;
  readonly apiUrl: string;
  readonly channelId: string;
  readonly adapter: SdkAdapter;
  readonly token: string;
}

/**
 * Gives an event of the gateway to the package as if it were forwarded to its webhook. Resolves once its messages are stored; rejects
 * when they could not be. An event that the package cannot read is left out, since a repeat would not change it.
 */
export async function receiveEvent(deps: EventDeps, type: string, data: unknown): Promise<void> {
  const { io, adapter, channelId } = deps;
  const skip = (error: unknown) => io.log.warn("an event of the platform cannot be read", { type, error });
  const skipInvalid = (error: unknown) => {
    if (!AppError.is(error) || error.code !== "bad_request") throw error;
    skip(error);
  };
  if (type === "INTERACTION_CREATE") return receiveInteraction(deps, data, skip).catch(skipInvalid);
  const deleted = await runWithNetwork(io.fetch, () => toDeleted(adapter, type, data));
  if (deleted) await io.accept(toRecall(channelId, { adapter, ...deleted })).catch(skipInvalid);
  const forwarded = toForwarded(type, data);
  if (forwarded) await forwardEvent(deps, forwarded, skip).catch(skipInvalid);
}

async function forwardEvent(
  { io, adapter, token }: EventDeps,
  { body, edition }: ForwardedEvent,
  skip: (error: unknown) => void,
): Promise<void> {
  const events: ChatEvents = { raw: body, lookupMs: LOOKUP_MS, ...(edition !== undefined && { edition }) };
  const work = createRequestWork(io, events);
  const headers = { "content-type": "application/json", "x-discord-gateway-token": token };
  const request = new Request("https://localhost/gateway", { method: "POST", headers, body: JSON.stringify(body) });
  const options = { waitUntil: (task: Promise<unknown>) => work.add(task), propagateHandlerErrors: true } as const;
  const handled = runWithNetwork(io.fetch, () => currentWork.run(work, () => adapter.handleWebhook(request, options)));
  const createLate = () => chatSdkTexts.error("timed_out", "late", { name: adapter.name });
  await rejectAfter(handled, EVENT_MS, createLate).catch(skip);
  await work.settle();
}
