import {
  type Attachment,
  type CardElement,
  type ElementItem,
  type ElementType,
  listPressable,
  type MessageElement,
  type PressableElement,
  type PressRules,
} from "@parley/core";

/** Number of items up to which a list is shown as buttons where a platform has no lists. */
const MAX_BUTTONS = 8;

/** Elements in the form in which a platform shows them. */
export interface ElementLayout {
  /** Markdown below the text, for what the platform does not show; "" for none. */
  readonly text: string;
  readonly pictures: readonly Attachment[];
  readonly elements: readonly MessageElement[];
}

/** Lays out elements for a platform: what it does not show becomes text with numbered lines, and pictures. */
export function layOutElements(elements: readonly MessageElement[], shown: readonly ElementType[]): ElementLayout {
  const numbers = numberElements(elements, shown);
  const layouts = elements.map((element) => layOutElement(element, shown, numbers));
  return {
    text: layouts.flatMap(({ text }) => (text === "" ? [] : text)).join("\n\n"),
    pictures: layouts.flatMap(({ pictures }) => pictures),
    elements: layouts.flatMap((layout) => layout.elements),
  };
}

/** Returns the elements to send: without those that the platform does not show, where the rules allow no numbered lines. */
export function selectSendable(
  elements: readonly MessageElement[],
  { isNumbered }: PressRules,
  shown: readonly ElementType[],
): readonly MessageElement[] {
  if (isNumbered !== false) return elements;
  return elements.filter(
    (element) => shown.includes(element.type) || (element.type !== "card" && isShown(element, shown)),
  );
}

/** Returns the number of the first item of each element that a platform shows as text, by element id. */
export function numberElements(
  elements: readonly MessageElement[],
  shown: readonly ElementType[],
): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  let next = 1;
  const written = elements.filter(({ type }) => !shown.includes(type));
  for (const element of listPressable(written).filter((one) => !isShown(one, shown))) {
    numbers.set(element.id, next);
    next += listNumbered(element).length;
  }
  return numbers;
}

/** Returns the items with a number: those that are pressed rather than opened. */
export function listNumbered({ items }: Pick<PressableElement, "items">): readonly ElementItem[] {
  return items.filter(({ url }) => url === undefined);
}

function isShown({ type, items }: PressableElement, shown: readonly ElementType[]): boolean {
  return shown.includes(type) || (shown.includes("buttons") && items.length <= MAX_BUTTONS);
}

function layOutElement(
  element: MessageElement,
  shown: readonly ElementType[],
  numbers: ReadonlyMap<string, number>,
): ElementLayout {
  if (shown.includes(element.type)) return { text: "", pictures: [], elements: [element] };
  if (element.type === "card") return layOutCard(element, shown, numbers);
  const heading = element.type === "select" ? element.placeholder : "";
  if (isShown(element, shown)) {
    const { id, items } = element;
    return { text: heading, pictures: [], elements: [{ type: "buttons", id, items }] };
  }
  const lines = [heading, ...toLines(element, numbers.get(element.id) ?? 1)].filter((line) => line !== "");
  return { text: lines.join("\n"), pictures: [], elements: [] };
}

function layOutCard(
  { title, text, image, buttons }: CardElement,
  shown: readonly ElementType[],
  numbers: ReadonlyMap<string, number>,
): ElementLayout {
  const below = buttons && layOutElement(buttons, shown, numbers);
  return {
    text: [`**${title}**`, text, below?.text ?? ""].filter((part) => part !== "").join("\n\n"),
    pictures: image === undefined ? [] : [{ type: "image", url: image }],
    elements: below?.elements ?? [],
  };
}

/** Returns a line for each item: with its number, or with the address that it opens. */
function toLines(element: PressableElement, firstNumber: number): readonly string[] {
  const numbered = listNumbered(element);
  return element.items.map((item) =>
    item.url === undefined ? `${firstNumber + numbered.indexOf(item)}. ${item.label}` : `${item.label}: ${item.url}`,
  );
}
