import { type ElementItem, formatPress, type MessageElement, type OutboundMessage } from "@parley/core";
import type { Button } from "../inbound/update.ts";

/** Maximum length of labels of which three fit beside each other on a phone. */
const SHORT_LABEL = 12;
const SHORT_PER_ROW = 3;
/** Mark before the label of the pressed button. */
const PRESSED_MARK = "✓ ";

type Rows = readonly (readonly Button[])[];

/** Returns the keyboard of a message as a field of its request; empty without buttons. */
export function toReplyMarkup({ elements = [] }: Pick<OutboundMessage, "elements">): object {
  const rows = elements.flatMap(toRows);
  return rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows } };
}

function toRows(element: MessageElement): Rows {
  if (element.type !== "buttons") return [];
  const { id, items } = element;
  const perRow = items.every(({ label }) => label.length <= SHORT_LABEL) ? SHORT_PER_ROW : 1;
  const buttons = items.map((item) => toButton(id, item));
  return Array.from({ length: Math.ceil(buttons.length / perRow) }, (_, row) =>
    buttons.slice(row * perRow, (row + 1) * perRow),
  );
}

function toButton(elementId: string, { id, label, url }: ElementItem): Button {
  return url === undefined ? { text: label, callback_data: formatPress(elementId, id) } : { text: label, url };
}

/** Returns a keyboard after a press: of the pressed element the chosen button is left, with a mark. */
export function markPressed(rows: Rows, data: string): Rows {
  const [element = ""] = data.split(":");
  const mark = (button: Button): readonly Button[] => {
    const { callback_data: own = "", text = "" } = button;
    if (!own.startsWith(`${element}:`)) return [button];
    if (own !== data) return [];
    return [{ ...button, text: text.startsWith(PRESSED_MARK) ? text : PRESSED_MARK + text }];
  };
  return rows.map((row) => row.flatMap(mark)).filter((row) => row.length > 0);
}
