import type { Chat, ChatItem } from "./chat.ts";
import { element } from "./dom.ts";
import { type Choices, type Elements, findChosen, renderElements } from "./elements.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Translate } from "./texts.ts";

/** The list of messages; unchanged ones keep their elements, so that screen readers read only what is new. */
export interface MessageList {
  readonly node: HTMLElement;
  show(items: readonly ChatItem[], refusals: Choices["refusals"]): void;
}

export interface MessageListOptions {
  readonly base: string;
  readonly greeting: string;
  readonly t: Translate;
  /** The conversation whose messages people send again, and whose elements they press. */
  readonly getChat: () => Pick<Chat, "press" | "retry">;
}

interface Row {
  readonly item: ChatItem;
  readonly node: HTMLElement;
  readonly elements: Elements | undefined;
}

export function createMessageList(options: MessageListOptions): MessageList {
  const { greeting, t } = options;
  const node = element("div", { class: "log", role: "log", tabindex: "0", "aria-label": t("messages") });
  const intro = greeting === "" ? [] : [element("div", { class: "bubble assistant" }, renderMarkdown(greeting))];
  let shown = new Map<string, Row>();
  node.append(...intro);
  return {
    node,
    show(items, refusals) {
      const isAtEnd = node.scrollHeight - node.scrollTop - node.clientHeight < 60;
      const next = new Map<string, Row>();
      for (const item of items) {
        const known = shown.get(item.key);
        next.set(item.key, known?.item === item ? known : renderItem(item, options));
      }
      const choices = { chosen: findChosen(items), refusals };
      for (const { elements } of next.values()) elements?.update(choices);
      shown = next;
      const rows = [...intro, ...[...next.values()].map((row) => row.node)];
      place(node, rows);
      if (isAtEnd) node.scrollTop = node.scrollHeight;
    },
  };
}

/** Makes `rows` the children of a node, moving none that is in its place already. */
function place(node: HTMLElement, rows: readonly HTMLElement[]): void {
  for (const child of [...node.children]) if (!rows.some((row) => row === child)) child.remove();
  rows.forEach((row, at) => {
    if (node.children[at] !== row) node.insertBefore(row, node.children[at] ?? null);
  });
}

function renderItem(item: ChatItem, options: MessageListOptions): Row {
  const { role, state } = item;
  const elements =
    item.elements && renderElements(item, { t: options.t, onPress: (...press) => options.getChat().press(...press) });
  const bubble = renderBubble(item, options);
  if (!state && !elements) return { item, node: bubble, elements };
  const note = state ? [renderNote(item, options)] : [];
  const node = element("div", { class: `with-note ${role}` }, bubble, ...(elements?.nodes ?? []), ...note);
  return { item, node, elements };
}

function renderBubble({ role, text, files, sender, isPartial }: ChatItem, { base }: MessageListOptions): HTMLElement {
  const body = role === "user" ? element("p", {}, text) : renderMarkdown(text);
  return element(
    "div",
    { class: `bubble ${role}${isPartial ? " partial" : ""}`, "aria-live": isPartial ? "off" : undefined },
    ...(sender ? [element("div", { class: "sender" }, sender)] : []),
    ...(text === "" ? [] : [body]),
    ...files.map((file) => renderFile(file, base)),
  );
}

function renderNote(item: ChatItem, { t, getChat }: MessageListOptions): HTMLElement {
  const { state, tempId } = item;
  const note = element("div", { class: "note" }, toNote(item, t));
  if (state === "failed" && tempId !== undefined) {
    note.append(
      " ",
      element("button", { type: "button", class: "link", click: () => getChat().retry(tempId) }, t("retry")),
    );
  }
  return note;
}

function toNote({ state, reason }: ChatItem, t: Translate): string {
  if (state === "sending") return t("sending");
  if (state === "unanswered") return t("notAnswered");
  return [t("notSent"), reason && toSentence(reason)].filter(Boolean).join(" ");
}

function toSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function renderFile(file: ChatItem["files"][number], base: string): HTMLElement {
  const href = "url" in file ? toAbsolute(file.url, base) : undefined;
  if (href === undefined) return element("div", { class: "file" }, file.name);
  return element("a", { class: "file", href, target: "_blank", rel: "noopener noreferrer" }, file.name);
}

/** Returns the address of a website, also for a path of the service; undefined for any other address. */
function toAbsolute(url: string, base: string): string | undefined {
  const href = url.startsWith("/") ? `${base}${url}` : url;
  return /^https?:\/\//.test(href) ? href : undefined;
}
