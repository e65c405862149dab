import type { ChatItem } from "./chat.ts";
import { element } from "./dom.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Translate } from "./texts.ts";

/** The list of messages; unchanged ones keep their elements, so that screen readers read only what is new. */
export interface MessageList {
  readonly node: HTMLElement;
  show(items: readonly ChatItem[]): void;
}

export interface MessageListOptions {
  readonly base: string;
  readonly greeting: string;
  readonly t: Translate;
  onRetry(tempId: string): void;
}

export function createMessageList(options: MessageListOptions): MessageList {
  const { greeting, t } = options;
  const node = element("div", { class: "log", role: "log", tabindex: "0", "aria-label": t("messages") });
  const intro = greeting === "" ? [] : [element("div", { class: "bubble assistant" }, renderMarkdown(greeting))];
  let shown = new Map<string, { readonly item: ChatItem; readonly row: HTMLElement }>();
  node.append(...intro);
  return {
    node,
    show(items) {
      const isAtEnd = node.scrollHeight - node.scrollTop - node.clientHeight < 60;
      const next = new Map<string, { readonly item: ChatItem; readonly row: HTMLElement }>();
      for (const item of items) {
        const known = shown.get(item.key);
        next.set(item.key, known?.item === item ? known : { item, row: renderItem(item, options) });
      }
      shown = next;
      const rows = [...intro, ...[...next.values()].map(({ row }) => row)];
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

function renderItem(item: ChatItem, { base, t, onRetry }: MessageListOptions): HTMLElement {
  const { role, text, files, sender, isPartial, state, tempId } = item;
  const body = role === "user" ? element("p", {}, text) : renderMarkdown(text);
  const row = element(
    "div",
    { class: `bubble ${role}${isPartial ? " partial" : ""}`, "aria-live": isPartial ? "off" : undefined },
    ...(sender ? [element("div", { class: "sender" }, sender)] : []),
    ...(text === "" ? [] : [body]),
    ...files.map((file) => renderFile(file, base)),
  );
  if (!state) return row;
  const note = element("div", { class: "note" }, toNote(item, t));
  if (state === "failed" && tempId !== undefined) {
    note.append(" ", element("button", { type: "button", class: "link", click: () => onRetry(tempId) }, t("retry")));
  }
  return element("div", { class: `with-note ${role}` }, row, note);
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
