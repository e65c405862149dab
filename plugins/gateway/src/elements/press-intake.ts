import {
  type Accepted,
  AppError,
  type Clock,
  type ElementHandler,
  type ElementItem,
  type InboundMessage,
  type InboundPress,
  inLanguage,
  type Localized,
  newTraceId,
  senderLanguage,
  toLocalized,
  toLocalizedError,
  toTraceMessage,
} from "@parley/core";
import { checkInbound } from "@parley/core/channels";
import type { ConversationAliases } from "../accept/conversation-aliases.ts";
import type { EventLog } from "../observe/event-log.ts";
import type { ElementStore, OpenElement } from "../store/elements.ts";
import { gatewayTexts } from "../texts.ts";
import { listNumbered } from "./lay-out-elements.ts";

export interface PressIntakeDeps {
  readonly elements: ElementStore;
  readonly findHandler: (id: string) => ElementHandler | undefined;
  readonly aliases: Pick<ConversationAliases, "resolve">;
  readonly log: Pick<EventLog, "add">;
  readonly clock: Clock;
  /** Sends the reason for which a press has no effect to its conversation. */
  readonly notify: (traceId: string, press: InboundPress, reason: Localized) => Promise<void>;
  /** Stores a message; rejects with `conflict` when its element was pressed before. */
  readonly store: (message: InboundMessage) => Promise<Accepted>;
}

/** Accepts presses of elements: of buttons and lists, and numbers that stand for them. */
export interface PressIntake {
  /** Stores a press as a message with the item's label; one without effect is not stored, and has a `refusal`. */
  press(press: InboundPress): Promise<Accepted>;
  /** Stores a message, which may be the number of an item. */
  accept(message: InboundMessage): Promise<Accepted>;
}

const NUMBER = /^\s*\d{1,3}\s*$/;
/** Codes of errors that the person should read. After others the platform sends the press again. */
const REFUSALS: ReadonlySet<string> = new Set(["bad_request", "conflict", "not_found", "permission_denied"]);

export function createPressIntake(deps: PressIntakeDeps): PressIntake {
  return {
    async press(received) {
      checkInbound(received, received.channelId);
      const press = deps.aliases.resolve(received);
      try {
        return await storePress(deps, press, await findElement(deps, press));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return refuse(deps, press, error);
      }
    },
    accept: ({ press: _given, ...message }) => (isNumber(message) ? acceptNumber(deps, message) : deps.store(message)),
  };
}

function isRefusal(error: unknown): error is AppError {
  return AppError.is(error) && REFUSALS.has(error.code);
}

/** True for a message on a platform that consists of a number. */
function isNumber({ kind, text, attachments, source, channelId }: InboundMessage): boolean {
  return kind === "message" && source === channelId && attachments.length === 0 && NUMBER.test(text);
}

/** Stores a number as the press of the item that had it, when it is the person's next message; else as it is. */
async function acceptNumber(deps: PressIntakeDeps, received: InboundMessage): Promise<Accepted> {
  const message = deps.aliases.resolve(received);
  const found = await findNumbered(deps, message);
  if (!found) return deps.store(message);
  const { element, item } = found;
  const press: InboundPress = {
    ...message,
    kind: "action",
    press: { elementId: element.id, itemId: item.id },
    addressed: true,
  };
  try {
    return await storePress(deps, press, element);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Without a handler, or in the talk of a group, the number may as well be an ordinary message.
    if (element.handler === undefined || !message.addressed) return deps.store(message);
    const refused = refuse(deps, press, error);
    await deps.notify(refused.traceId, press, toLocalized(error));
    return refused;
  }
}

async function findNumbered(
  { elements, clock }: PressIntakeDeps,
  { sessionId, sender, text, addressed, unaddressedReason = "not_mentioned" }: InboundMessage,
): Promise<{ readonly element: OpenElement; readonly item: ElementItem } | undefined> {
  if (!addressed && unaddressedReason !== "not_mentioned") return undefined;
  const number = Number(text);
  for (const element of await elements.listNumbered(sessionId)) {
    const item = listNumbered(element)[number - element.firstNumber];
    if (!item || element.expiresMs <= clock.now()) continue;
    return (await elements.hasMessageSince(sessionId, sender.id, element.createdMs)) ? undefined : { element, item };
  }
  return undefined;
}

async function findElement({ elements }: PressIntakeDeps, { sessionId, press }: InboundPress): Promise<OpenElement> {
  const element = await elements.find(press.elementId);
  if (element?.sessionId !== sessionId) throw gatewayTexts.error("not_found", "press_unknown");
  return element;
}

async function storePress(
  { findHandler, clock, store }: PressIntakeDeps,
  message: InboundPress,
  { id, name, items, handler, data, allowed, expiresMs, isPressed }: OpenElement,
): Promise<Accepted> {
  const item = items.find((one) => one.id === message.press.itemId && one.url === undefined);
  if (!item) throw gatewayTexts.error("not_found", "press_unknown");
  if (expiresMs <= clock.now()) throw gatewayTexts.error("conflict", "press_expired");
  const isAllowed = message.addressed && (allowed?.includes(message.sender.id) ?? true);
  if (!isAllowed) throw gatewayTexts.error("permission_denied", "press_denied");
  const { unaddressedReason: _reason, ...rest } = message;
  const owner = { ...(handler !== undefined && { handler }), ...(data && { data }) };
  const press = { elementId: id, itemId: item.id, name, ...owner };
  // A press of a pressed element has no effect, but it may be a copy of the first one.
  if (handler !== undefined && !isPressed) await findHandler(handler)?.check?.(press, message);
  return store({ ...rest, kind: "message", text: item.label, press, addressed: true, isCalled: true });
}

function refuse({ log, clock }: PressIntakeDeps, press: InboundPress, error: AppError): Accepted {
  const { channelId, sessionId, sender } = press;
  const traceId = newTraceId(clock.now());
  const entry = { traceId, status: "ignored", channelId, conversationId: sessionId, userId: sender.id };
  const refusalError = toLocalizedError(error);
  log.add({ ...entry, ...toTraceMessage(refusalError) });
  const refusal = inLanguage(toLocalized(error), senderLanguage(press));
  return { traceId, itemId: "", duplicated: false, queued: false, queueSize: 0, refusal, refusalError };
}
