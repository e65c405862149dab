import { type ElementItem, formatPress, type MessageElement, type OutboundMessage } from "@parley/core";
import { escapeMentions } from "../post.ts";

/** Style of a button by its item's. */
const BUTTON_TYPES = { primary: "primary", danger: "danger" } as const;

interface PlainText {
  readonly tag: "plain_text";
  readonly content: string;
}
type Behavior =
  | { readonly type: "callback"; readonly value: { readonly press: string } }
  | { readonly type: "open_url"; readonly default_url: string };
/** A component of a card. */
export type CardComponent =
  | { readonly tag: "markdown"; readonly content: string }
  | {
      readonly tag: "button";
      readonly text: PlainText;
      readonly type: "default" | "primary" | "danger";
      readonly behaviors: readonly Behavior[];
    }
  | {
      readonly tag: "select_static";
      readonly placeholder: PlainText;
      readonly options: readonly { readonly text: PlainText; readonly value: string }[];
    };
/** A card in the platform's JSON 2.0. */
export interface Card {
  readonly schema: "2.0";
  readonly config: { readonly update_multi: true };
  readonly body: { readonly elements: readonly CardComponent[] };
}

/** Builds the card of a message with elements: its text, and below it what people press. */
export function buildCard({ text, elements = [], conversation }: OutboundMessage): Card {
  const components = elements.flatMap((element) => toComponents(element, conversation.isGroup));
  const content = escapeMentions(text);
  return toCard([...(content === "" ? [] : [{ tag: "markdown", content } as const]), ...components]);
}

/** Returns the card after a press: of the pressed element the chosen item is left, as text with a mark. */
export function markPressed(card: Card, value: string, label: string): Card {
  const [element = ""] = value.split(":");
  const isOfElement = (one: string) => one.startsWith(`${element}:`);
  const rest = card.body.elements.filter((component) => !listValues(component).some(isOfElement));
  return toCard([...rest, { tag: "markdown", content: `✓ ${escapeMentions(label)}` }]);
}

/** Returns the label of a pressed item; undefined when the card has no such item. */
export function findLabel(card: Card, value: string): string | undefined {
  for (const component of card.body.elements) {
    if (component.tag === "select_static") {
      const option = component.options.find((one) => one.value === value);
      if (option) return option.text.content;
    }
    if (component.tag === "button" && listValues(component).includes(value)) return component.text.content;
  }
  return undefined;
}

/** Returns the text that the platform returns for a press. The type of the chat is part of it, since the event does not name it. */
export function toPressValue(elementId: string, itemId: string, isGroup: boolean): string {
  return `${isGroup ? "group" : "private"}/${formatPress(elementId, itemId)}`;
}

function toCard(elements: readonly CardComponent[]): Card {
  return { schema: "2.0", config: { update_multi: true }, body: { elements } };
}

function toComponents(element: MessageElement, isGroup: boolean): readonly CardComponent[] {
  // The service lays out cards as text with buttons.
  if (element.type === "card") return [];
  const { id, items } = element;
  if (element.type === "buttons") return items.map((item) => toButton(id, item, isGroup));
  const options = items
    .filter(({ url }) => url === undefined)
    .map((item) => ({ text: toPlainText(item.label), value: toPressValue(id, item.id, isGroup) }));
  const links = items.filter(({ url }) => url !== undefined).map((item) => toButton(id, item, isGroup));
  return [{ tag: "select_static", placeholder: toPlainText(element.placeholder), options }, ...links];
}

function toButton(elementId: string, { id, label, style, url }: ElementItem, isGroup: boolean): CardComponent {
  const behavior: Behavior =
    url === undefined
      ? { type: "callback", value: { press: toPressValue(elementId, id, isGroup) } }
      : { type: "open_url", default_url: url };
  const type = style === undefined ? "default" : BUTTON_TYPES[style];
  return { tag: "button", text: toPlainText(label), type, behaviors: [behavior] };
}

function toPlainText(content: string): PlainText {
  return { tag: "plain_text", content };
}

function listValues(component: CardComponent): readonly string[] {
  if (component.tag === "select_static") return component.options.map(({ value }) => value);
  if (component.tag !== "button") return [];
  return component.behaviors.flatMap((behavior) => (behavior.type === "callback" ? behavior.value.press : []));
}
