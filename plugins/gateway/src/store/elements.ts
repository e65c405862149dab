import {
  type Database,
  type ElementType,
  fixedStatement,
  type InboundMessage,
  listPressable,
  type MessageElement,
  type PressableElement,
  type PressRules,
  type Write,
} from "@parley/core";
import { numberElements } from "../elements/lay-out-elements.ts";
import { createStatement } from "./statement.ts";
import type { ElementTable } from "./tables.ts";

const DEFAULT_TTL_S = 86_400;

/** The elements of a message that is sent, and where. */
export interface NewElements {
  readonly elements: readonly MessageElement[];
  readonly rules: PressRules;
  /** Returns the author's name of an element by its id. */
  readonly toName: (elementId: string) => string;
  /** Types that the platform shows; the items of others are numbered. */
  readonly shown: readonly ElementType[];
  readonly traceId: string;
  readonly sessionId: string;
  /** Id of the stored message; null for a message that is not stored. */
  readonly messageId: string | null;
  readonly nowMs: number;
}

/** An element that people can press. */
export interface OpenElement {
  readonly id: string;
  readonly name: string;
  readonly items: PressableElement["items"];
  readonly sessionId: string;
  readonly traceId: string;
  readonly handler: string | undefined;
  readonly data: Readonly<Record<string, string>> | undefined;
  readonly allowed: readonly string[] | undefined;
  readonly firstNumber: number;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly isPressed: boolean;
}

/** Stores the elements of sent messages, and who pressed them. */
export interface ElementStore {
  find(id: string): Promise<OpenElement | undefined>;
  /** Returns the unpressed elements with numbers of the newest message of a session that has any. */
  listNumbered(sessionId: string): Promise<readonly OpenElement[]>;
  /** True when a person's message to a session was stored after a time. */
  hasMessageSince(sessionId: string, senderId: string, sinceMs: number): Promise<boolean>;
}

const INSERT = `insert into gateway_elements (id, name, trace_id, message_id, session_id, items, handler, data, allowed,
  first_number, created_ms, expires_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`;
const PRESS = `update gateway_elements set pressed_item = ?, pressed_by = ?, pressed_ms = ?
  where id = ? and pressed_ms is null`;
const FIND = "select * from gateway_elements where id = ?";
// The condition of the index `gateway_elements_numbered`.
const NUMBERED = `select * from gateway_elements where session_id = ? and first_number > 0 and pressed_ms is null
  order by created_ms desc, first_number`;
const SINCE = "select message from inbox where session_id = ? and received_ms > ?";

/** Returns the time until which the elements of a message can be pressed. */
export function getExpiryMs({ ttlS = DEFAULT_TTL_S }: PressRules, nowMs: number): number {
  return nowMs + ttlS * 1_000;
}

/** Creates the writes that store the elements of a message, for the transaction that stores the message. */
export function createElementWrites(offered: NewElements): readonly Write[] {
  const { elements, rules, toName, shown, traceId, sessionId, messageId, nowMs } = offered;
  const { handler = null, data, allowed } = rules;
  const numbers = numberElements(elements, shown);
  return listPressable(elements).map(({ id, items }) =>
    createStatement(INSERT, [
      id,
      toName(id),
      traceId,
      messageId,
      sessionId,
      JSON.stringify(items),
      handler,
      data ? JSON.stringify(data) : null,
      allowed ? JSON.stringify(allowed) : null,
      numbers.get(id) ?? 0,
      nowMs,
      getExpiryMs(rules, nowMs),
    ]),
  );
}

/** Creates the write that takes an element for one press; it changes no row when the element was pressed before. */
export function createPressWrite(elementId: string, itemId: string, address: string, nowMs: number): Write {
  return createStatement(PRESS, [itemId, address, nowMs, elementId]);
}

export function createElementStore(main: () => Database): ElementStore {
  return {
    async find(id) {
      const [row] = await main().lookup<ElementTable>(fixedStatement(FIND, [id]));
      return row && toOpenElement(row);
    },
    async listNumbered(sessionId) {
      const rows = await main().lookup<ElementTable>(fixedStatement(NUMBERED, [sessionId]));
      return rows.filter(({ trace_id }) => trace_id === rows[0]?.trace_id).map(toOpenElement);
    },
    async hasMessageSince(sessionId, senderId, sinceMs) {
      const rows = await main().lookup<{ message: string }>(fixedStatement(SINCE, [sessionId, sinceMs]));
      return rows.some(({ message }) => {
        const { kind, sender } = JSON.parse(message) as InboundMessage;
        return kind === "message" && sender.id === senderId;
      });
    },
  };
}

function toOpenElement(row: ElementTable): OpenElement {
  return {
    id: row.id,
    name: row.name,
    items: JSON.parse(row.items),
    sessionId: row.session_id,
    traceId: row.trace_id,
    handler: row.handler ?? undefined,
    data: row.data === null ? undefined : JSON.parse(row.data),
    allowed: row.allowed === null ? undefined : JSON.parse(row.allowed),
    firstNumber: row.first_number,
    createdMs: Number(row.created_ms),
    expiresMs: Number(row.expires_ms),
    isPressed: row.pressed_ms !== null,
  };
}
