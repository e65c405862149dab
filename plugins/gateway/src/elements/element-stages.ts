import {
  type AnswerWithElements,
  AppError,
  type Clock,
  derivedId,
  type ElementHandler,
  type ElementPress,
  type ElementType,
  inLanguage,
  type Localized,
  parseElements,
  type Reply,
  renameElements,
  senderLanguage,
  type Turn,
  type TurnContext,
  type TurnStage,
  toLocalized,
  withEffects,
} from "@parley/core";
import { isConsoleOnly } from "../deliver/deliveries.ts";
import { createElementWrites, getExpiryMs } from "../store/elements.ts";
import { selectSendable } from "./lay-out-elements.ts";

const ALL_TYPES: readonly ElementType[] = ["buttons", "select", "card"];

/** Creates the stage that answers a press by the handler of its element. */
export function createPressStage(findHandler: (id: string) => ElementHandler | undefined): TurnStage {
  return {
    id: "gateway.presses",
    phase: "command",
    concerns: ({ inbound, replies }) => inbound.press?.handler !== undefined && replies.length === 0,
    async run(turn, context) {
      const { press } = turn.inbound;
      const handler = findHandler(press?.handler ?? "");
      if (!press || !handler) return turn;
      const answer = await runHandler(handler, press, turn, context);
      if (answer === null) return turn;
      const id = derivedId("msg", turn.traceId, "reply");
      return { ...turn, replies: [{ id, kind: "command", attachments: [], ...answer }] };
    },
  };
}

type PressAnswer = Pick<Reply, "text" | "elements" | "press"> | null;

async function runHandler(
  handler: ElementHandler,
  press: ElementPress,
  turn: Turn,
  context: TurnContext,
): Promise<PressAnswer> {
  const language = senderLanguage(turn.inbound);
  const ask = async () => {
    try {
      const answer = await handler.run(press, turn, context);
      return answer === null ? null : toPressAnswer(answer, language);
    } catch (cause) {
      if (!AppError.is(cause)) throw cause;
      return { text: inLanguage(toLocalized(cause), language) };
    }
  };
  return context.external<PressAnswer>({ kind: "command", name: handler.id, key: press.itemId, ask });
}

function toPressAnswer(answer: string | Localized | AnswerWithElements, language: string): PressAnswer {
  if (typeof answer === "string" || !("elements" in answer)) return { text: inLanguage(answer, language) };
  return { ...answer, text: inLanguage(answer.text, language) };
}

/** Creates the stage that gives the elements of the replies ids of their own, and stores them with the replies. */
export function createElementsStage(
  getShownTypes: (channelId: string) => readonly ElementType[],
  clock: Clock,
): TurnStage {
  return {
    id: "gateway.elements",
    phase: "record-reply",
    concerns: ({ replies }) => replies.some(({ elements = [] }) => elements.length > 0),
    async run(turn) {
      const { inbound, traceId, session } = turn;
      const shown = isConsoleOnly(inbound) ? ALL_TYPES : getShownTypes(inbound.channelId);
      const offers = turn.replies.map((reply) => {
        const { elements: given = [], press: rules = {}, ...bare } = reply;
        const own = selectSendable(given, rules, shown);
        if (own.length === 0) return { reply: bare, writes: [] };
        const { elements, toName } = identifyElements(own, reply.id);
        const where = { traceId, sessionId: session.id, messageId: reply.id, nowMs: clock.now() };
        const writes = createElementWrites({ elements, rules, toName, shown, ...where });
        // Clients disable the elements of a stored message after this time.
        const expiry = new Date(getExpiryMs(rules, where.nowMs)).toISOString();
        const metadata = { ...reply.metadata, elements_expire_at: expiry };
        return { reply: { ...reply, elements, metadata }, writes };
      });
      const replies = offers.map(({ reply }) => reply);
      return withEffects({ ...turn, replies }, { writes: offers.flatMap(({ writes }) => writes) });
    },
  };
}

/** Returns checked elements with ids that are unique everywhere, derived from the seed. */
export function identifyElements(elements: Reply["elements"], seed: string) {
  const names = new Map<string, string>();
  const identified = renameElements(parseElements(elements), (name) => {
    const id = derivedId("el", seed, name);
    names.set(id, name);
    return id;
  });
  return { elements: identified, toName: (id: string) => names.get(id) ?? id };
}
