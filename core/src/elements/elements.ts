/** One choice of an element. With an address it is a link, and nothing is pressed. */
export interface ElementItem {
  /** Unique within its element. */
  readonly id: string;
  /** At most 40 characters. */
  readonly label: string;
  readonly style?: "primary" | "danger";
  readonly url?: string;
}

/** Up to 8 buttons below a message. */
export interface ButtonsElement {
  readonly type: "buttons";
  /** Unique within the message; the service replaces it by an id that is unique everywhere. */
  readonly id: string;
  readonly items: readonly ElementItem[];
}

/** A list of up to 25 items of which a person picks one. */
export interface SelectElement {
  readonly type: "select";
  readonly id: string;
  readonly placeholder: string;
  readonly items: readonly ElementItem[];
}

/** A framed text with a title, a picture and buttons. */
export interface CardElement {
  readonly type: "card";
  readonly title: string;
  readonly text: string;
  /** https address of a picture. */
  readonly image?: string;
  readonly buttons?: ButtonsElement;
}

/** A part of a message that people use instead of writing. */
export type MessageElement = ButtonsElement | SelectElement | CardElement;
/** Type of a message element. */
export type ElementType = MessageElement["type"];
/** An element with items to press. */
export type PressableElement = ButtonsElement | SelectElement;

/** Rules for the presses of a message's elements. */
export interface PressRules {
  /** Id of the `ElementHandler` that answers a press. Absent: the press counts as a message with the label as its text. */
  readonly handler?: string;
  /** Data for the handler. */
  readonly data?: Readonly<Record<string, string>>;
  /** Ids of the senders who may press. Absent: everybody in the conversation. */
  readonly allowed?: readonly string[];
  /** Seconds for which the elements can be pressed. Default: one day. */
  readonly ttlS?: number;
  /** False leaves out elements that the platform does not show, where numbered lines would only repeat the text. */
  readonly isNumbered?: false;
}

/** A pressed item. */
export interface ElementPress {
  readonly elementId: string;
  readonly itemId: string;
  /** The element's id as its author wrote it; set by the service, like the following fields. */
  readonly name?: string;
  /** Handler and data of the element's `PressRules`. */
  readonly handler?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** Pattern of the ids of elements. With that of items it is short enough that a platform with 64 bytes for a button can carry both. */
export const ELEMENT_ID: RegExp = /^[A-Za-z0-9_-]{1,32}$/;
/** Pattern of the ids of items. */
export const ITEM_ID: RegExp = /^[A-Za-z0-9_-]{1,31}$/;

/** Returns the elements with items to press, in order; the buttons of cards are among them. */
export function listPressable(elements: readonly MessageElement[]): readonly PressableElement[] {
  return elements.flatMap((element) => (element.type === "card" ? (element.buttons ?? []) : element));
}

/** Returns the elements with other ids. */
export function renameElements(
  elements: readonly MessageElement[],
  rename: (id: string) => string,
): readonly MessageElement[] {
  return elements.map((element) => {
    if (element.type !== "card") return { ...element, id: rename(element.id) };
    const { buttons } = element;
    return buttons ? { ...element, buttons: { ...buttons, id: rename(buttons.id) } } : element;
  });
}

/** Returns the text that stands for a press in a platform's button, at most 64 bytes. */
export function formatPress(elementId: string, itemId: string): string {
  return `${elementId}:${itemId}`;
}

/** Returns the press in a platform's button; undefined for a text of another form, such as one of another bot. */
export function parsePress(text: string): ElementPress | undefined {
  const [element = "", itemId = "", ...others] = text.split(":");
  if (others.length > 0 || !element.startsWith("el_") || !ELEMENT_ID.test(element) || !ITEM_ID.test(itemId))
    return undefined;
  return { elementId: element, itemId };
}
