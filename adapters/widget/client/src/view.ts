import type { WidgetConfig } from "../../src/sockets/protocol.ts";
import { type Chat, createChat } from "./chat.ts";
import { type Composer, createComposer } from "./composer.ts";
import { element, icon } from "./dom.ts";
import { renderMarkdown } from "./markdown.ts";
import { createMessageList } from "./messages.ts";
import type { ChatStorage } from "./storage.ts";
import { STYLES } from "./styles.ts";
import type { Translate } from "./texts.ts";
import { uploadFile } from "./upload.ts";

export interface ViewOptions {
  /** Address of the service, without a slash at the end. */
  readonly base: string;
  readonly channelId: string;
  readonly config: WidgetConfig;
  readonly storage: ChatStorage;
  readonly language: string;
  readonly t: Translate;
}

/** Puts the chat on the page: a button in a corner, and the panel that it opens. */
export function mountWidget(options: ViewOptions): void {
  const { config, storage, t } = options;
  const host = createHost(options);
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];

  const badge = element("span", { class: "badge", hidden: true });
  const launcher = element(
    "button",
    { type: "button", class: "launcher", "aria-expanded": "false", "aria-controls": "panel", "aria-label": t("open") },
    icon("chat"),
    badge,
  );
  const frame = element("aside", { "aria-label": config.title || t("open") }, launcher);
  let unread = 0;
  let isOpen = false;
  const showBadge = () => {
    badge.hidden = unread === 0;
    badge.textContent = unread > 9 ? "9+" : String(unread);
    launcher.setAttribute(
      "aria-label",
      unread > 0 ? `${t("open")}: ${t("newMessages")}` : t(isOpen ? "close" : "open"),
    );
  };
  const status = element("div", { class: "status", role: "status" });
  const list = createMessageList({ base: options.base, greeting: config.greeting, t, getChat: () => chat });
  const chat = createChat({
    socketUrl: `${options.base.replace(/^http/, "ws")}/api/widget/${options.channelId}/socket`,
    language: options.language,
    storage,
    onChange() {
      list.show(chat.items, chat.refusals);
      status.textContent = toStatus(chat, t);
    },
    onAnswer() {
      if (!isOpen) unread += 1;
      showBadge();
    },
  });
  const composer = createComposerOf(chat, options);
  const foot = element("div");
  const hasConsent = () => !config.require_consent || storage.read().hasAgreed === true;
  const begin = () => {
    foot.replaceChildren(composer.node);
    chat.start();
    composer.focus();
  };
  const agree = () => {
    storage.change({ hasAgreed: true });
    begin();
  };
  const toggle = (open: boolean) => {
    isOpen = open;
    panel.hidden = !open;
    frame.classList.toggle("is-open", open);
    launcher.setAttribute("aria-expanded", String(open));
    launcher.replaceChildren(icon(open ? "close" : "chat"), badge);
    if (open) unread = 0;
    showBadge();
    if (!open) return launcher.focus();
    if (hasConsent()) begin();
    else foot.replaceChildren(createConsent(config, t, agree));
    list.show(chat.items, chat.refusals);
    if (!hasConsent()) foot.querySelector("button")?.focus();
  };
  const panel = createPanel({ title: config.title, t, body: [list.node, status, foot], onClose: () => toggle(false) });
  launcher.addEventListener("click", () => toggle(!isOpen));
  frame.append(panel);
  root.append(frame);
  document.body.append(host);
  // Whoever has talked before gets answers that came meanwhile.
  if (hasConsent() && storage.read().visitor !== undefined) chat.start();
}

function createHost({ config }: ViewOptions): HTMLElement {
  const host = element("div", { "data-parley-widget": true, "data-position": config.position });
  host.style.setProperty("--parley-config-color", config.color);
  host.style.setProperty("--parley-config-on-color", toReadableColor(config.color));
  return host;
}

/** Returns black or white, whichever is easier to read on a colour. */
function toReadableColor(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}

function toStatus({ state, isTyping, hasOperator }: Chat, t: Translate): string {
  if (state === "closed") return t("unavailable");
  if (state === "connecting") return t("connecting");
  if (isTyping) return t("typing");
  return hasOperator ? t("operatorJoined") : "";
}

function createComposerOf(chat: Chat, { base, channelId, config, storage, t }: ViewOptions): Composer {
  return createComposer({
    config,
    t,
    draft: storage.readDraft(),
    onDraft: (text) => storage.writeDraft(text),
    send: (text, files) => chat.send(text, files),
    async upload(file) {
      const { visitor } = storage.read();
      if (visitor === undefined) throw new Error("the visitor is not known yet");
      return uploadFile(`${base}/api/widget/${channelId}/files`, visitor, file);
    },
  });
}

function createConsent({ consent_text }: WidgetConfig, t: Translate, agree: () => void): HTMLElement {
  return element(
    "div",
    { class: "consent" },
    element("div", {}, renderMarkdown(consent_text || t("consent"))),
    element("button", { type: "button", class: "primary", click: agree }, t("agree")),
  );
}

interface PanelOptions {
  readonly title: string;
  readonly t: Translate;
  readonly body: readonly HTMLElement[];
  onClose(): void;
}

function createPanel({ title, t, body, onClose }: PanelOptions): HTMLElement {
  const close = element(
    "button",
    { type: "button", class: "icon", "aria-label": t("close"), title: t("close"), click: onClose },
    icon("close"),
  );
  const panel = element(
    "div",
    { class: "panel", id: "panel", role: "dialog", "aria-label": title || t("messages"), hidden: true },
    element("header", {}, element("div", { class: "title" }, title), close),
    ...body,
  );
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    onClose();
  });
  return panel;
}
