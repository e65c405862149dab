import type { CardView, ElementView, ItemView, Pressed } from "../../src/sockets/protocol.ts";
import type { ChatItem } from "./chat.ts";
import { element } from "./dom.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Translate } from "./texts.ts";

type PressableView = Exclude<ElementView, CardView>;

/** The elements of one message. Their nodes stay when something is chosen, so that the focus stays too. */
export interface Elements {
  readonly nodes: readonly HTMLElement[];
  update(choices: Choices): void;
}

/** The chosen items by element id, and the reasons for which elements are closed. */
export interface Choices {
  readonly chosen: ReadonlyMap<string, string>;
  readonly refusals: ReadonlyMap<string, string>;
}

export interface ElementsOptions {
  readonly t: Translate;
  onPress(pressed: Pressed, label: string): void;
}

/** Returns the chosen items of a conversation, those of presses on their way too. */
export function findChosen(items: readonly ChatItem[]): ReadonlyMap<string, string> {
  return new Map(items.flatMap(({ pressed }) => (pressed ? [[pressed.element_id, pressed.item_id]] : [])));
}

/** Returns the elements with items to press that are in an element. */
export function listPressable(view: ElementView): readonly PressableView[] {
  if (view.type !== "card") return [view];
  return view.buttons ? [view.buttons] : [];
}

export function renderElements({ elements = [], elementsExpireAt }: ChatItem, options: ElementsOptions): Elements {
  const parts = elements.map((view) => (view.type === "card" ? renderCard(view, options) : renderGroup(view, options)));
  return {
    nodes: parts.map(({ node }) => node),
    update({ chosen, refusals }) {
      const isExpired = elementsExpireAt !== undefined && Date.parse(elementsExpireAt) <= Date.now();
      for (const { view, show } of parts.flatMap(({ groups }) => groups))
        show(chosen.get(view.id), refusals.get(view.id) ?? (isExpired ? options.t("choiceExpired") : undefined));
    },
  };
}

interface Group {
  readonly view: PressableView;
  /** Shows the chosen item, or the reason for which none can be chosen. */
  show(chosenId: string | undefined, refusal: string | undefined): void;
}

interface Part {
  readonly node: HTMLElement;
  readonly groups: readonly Group[];
}

function renderCard({ title, text, image, buttons }: CardView, options: ElementsOptions): Part {
  const below = buttons && renderGroup(buttons, options);
  const picture: ItemView[] = image === undefined ? [] : [{ id: "", label: options.t("picture"), url: image }];
  const node = element(
    "section",
    { class: "card", "aria-label": title },
    element("strong", {}, title),
    ...(text === "" ? [] : [renderMarkdown(text)]),
    ...picture.map(renderLink),
    ...(below ? [below.node] : []),
  );
  return { node, groups: below?.groups ?? [] };
}

/** Renders buttons or a list with their note. A closed button can still be focused, so that nobody loses their place. */
function renderGroup(view: PressableView, { t, onPress }: ElementsOptions): Part {
  const note = element("div", { class: "note", role: "status" });
  let isClosed = false;
  const controls = renderControls(view, t, ({ id, label }) => {
    if (!isClosed) onPress({ element_id: view.id, item_id: id }, label);
  });
  const show: Group["show"] = (chosenId, refusal) => {
    isClosed = chosenId !== undefined || refusal !== undefined;
    controls.show(chosenId, isClosed);
    const label = view.items.find(({ id }) => id === chosenId)?.label;
    const text = chosenId === undefined ? (refusal ?? "") : t("chosen", label);
    if (note.textContent !== text) note.textContent = text;
  };
  return { node: element("div", {}, controls.node, note), groups: [{ view, show }] };
}

function renderControls(view: PressableView, t: Translate, press: (item: ItemView) => void) {
  const items = view.items.filter(({ url }) => url === undefined);
  const links = view.items.filter(({ url }) => url !== undefined).map(renderLink);
  const isList = view.type === "select";
  const { nodes, show } = isList ? renderSelect(view.placeholder, items, press, t) : renderButtons(items, press);
  const label = isList ? view.placeholder : t("choices");
  return { node: element("div", { class: "choices", role: "group", "aria-label": label }, ...nodes, ...links), show };
}

interface Controls {
  readonly nodes: readonly HTMLElement[];
  show(chosenId: string | undefined, isClosed: boolean): void;
}

function renderButtons(items: readonly ItemView[], press: (item: ItemView) => void): Controls {
  const buttons = items.map((item) => {
    const { style = "", label } = item;
    return element("button", { type: "button", class: `choice ${style}`, click: () => press(item) }, label);
  });
  return {
    nodes: buttons,
    show(chosenId, isClosed) {
      buttons.forEach((button, at) => {
        button.setAttribute("aria-disabled", String(isClosed));
        button.setAttribute("aria-pressed", String(items[at]?.id === chosenId));
      });
    },
  };
}

/** Renders a list with a button, since the arrow keys change a list before anything is decided. */
function renderSelect(
  placeholder: string,
  items: readonly ItemView[],
  press: (item: ItemView) => void,
  t: Translate,
): Controls {
  const options = items.map(({ id, label }) => element("option", { value: id }, label));
  const first = element("option", { value: "" }, placeholder);
  const select = element("select", { class: "choice", "aria-label": placeholder }, first, ...options);
  const pressSelected = () => {
    const item = items.find(({ id }) => id === select.value);
    if (item) press(item);
  };
  const button = element("button", { type: "button", class: "choice primary", click: pressSelected }, t("choose"));
  return {
    nodes: [select, button],
    show(chosenId, isClosed) {
      if (chosenId !== undefined) select.value = chosenId;
      select.disabled = isClosed;
      button.setAttribute("aria-disabled", String(isClosed));
    },
  };
}

function renderLink({ label, url = "" }: ItemView): HTMLElement {
  // Addresses come from the service, which lets only http and https through; a page checks again.
  if (!/^https?:\/\//.test(url)) return element("span", {}, label);
  return element("a", { class: "choice", href: url, target: "_blank", rel: "noopener noreferrer" }, label);
}
