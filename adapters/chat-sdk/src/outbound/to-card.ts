import type { ButtonsElement, MessageElement, OutboundMessage } from "@parley/core";
import { formatPress } from "@parley/core";

/** A card of the Chat SDK; packages convert it to the platform's own. */
export interface SdkCard {
  readonly type: "card";
  readonly title?: string;
  readonly imageUrl?: string;
  readonly children: readonly object[];
}

/** Converts a message with elements to one card: its text, and the elements below it. Undefined for a message without elements. */
export function toCard({ text, elements = [] }: Pick<OutboundMessage, "text" | "elements">): SdkCard | undefined {
  if (elements.length === 0) return undefined;
  const card = elements.find((element) => element.type === "card");
  return {
    type: "card",
    ...(card && { title: card.title, ...(card.image && { imageUrl: card.image }) }),
    children: [...toText(text), ...elements.flatMap(toChildren)],
  };
}

function toChildren(element: MessageElement): readonly object[] {
  if (element.type === "buttons") return [toActions(element)];
  if (element.type === "card")
    return [...toText(element.text), ...(element.buttons ? [toActions(element.buttons)] : [])];
  const { id, placeholder: label, items } = element;
  const options = items.map((item) => ({ label: item.label, value: formatPress(id, item.id) }));
  return [{ type: "actions", children: [{ type: "select", id, label, placeholder: label, options }] }];
}

const toText = (content: string): readonly object[] => (content === "" ? [] : [{ type: "text", content }]);

function toActions({ id, items }: ButtonsElement): object {
  const children = items.map(({ id: itemId, label, style, url }) =>
    url === undefined
      ? { type: "button", id: formatPress(id, itemId), label, ...(style && { style }) }
      : { type: "link-button", label, url },
  );
  return { type: "actions", children };
}
