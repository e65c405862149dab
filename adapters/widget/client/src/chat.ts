import type { ElementView, FileView, MessageView, Pressed, ServerFrame } from "../../src/sockets/protocol.ts";
import { type Connection, createConnection } from "./connection.ts";
import { listPressable } from "./elements.ts";
import type { ChatStorage, Unsent } from "./storage.ts";

const ACK_TIMEOUT_MS = 20_000;
const TYPING_MS = 7_000;
/** Codes after which a press is not tried again. */
const REFUSAL_CODES: ReadonlySet<string> = new Set(["conflict", "not_found", "permission_denied"]);
/** Links to files can be opened for an hour. */
const REFRESH_INTERVAL_MS = 50 * 60_000;

/** One entry of the conversation as it is shown. */
export interface ChatItem {
  readonly key: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly files: readonly (FileView | { readonly name: string })[];
  readonly elements?: readonly ElementView[] | undefined;
  /** Time after which the elements cannot be pressed any more. */
  readonly elementsExpireAt?: string | undefined;
  readonly pressed?: Pressed | undefined;
  readonly sender?: string | undefined;
  /** The script's own id of a message from this page or another. */
  readonly tempId?: string | undefined;
  readonly state?: "sending" | "failed" | "unanswered" | undefined;
  /** The service's reason for `failed`. */
  readonly reason?: string | undefined;
  /** True for an answer that is still being written. */
  readonly isPartial?: boolean;
}

/** An uploaded file of the next message. */
export interface AttachedFile {
  readonly token: string;
  readonly name: string;
}

/** The conversation of one visitor. */
export interface Chat {
  readonly items: readonly ChatItem[];
  /** Reasons for which elements cannot be pressed, by element id. */
  readonly refusals: ReadonlyMap<string, string>;
  readonly state: "connecting" | "open" | "closed";
  readonly hasOperator: boolean;
  readonly isTyping: boolean;
  start(): void;
  send(text: string, files: readonly AttachedFile[]): void;
  /** Presses an item; it is shown as a message with the label. */
  press(pressed: Pressed, label: string): void;
  /** Sends a message again; the service recognises one that it already has. */
  retry(tempId: string): void;
}

export interface ChatOptions {
  readonly socketUrl: string;
  readonly language: string;
  readonly storage: ChatStorage;
  onChange(): void;
  /** Called for each complete answer. */
  onAnswer(): void;
}

interface ChatState {
  items: ChatItem[];
  readonly refusals: Map<string, string>;
  state: Chat["state"];
  hasOperator: boolean;
  isTyping: boolean;
  typingTimer: number | undefined;
}

export function createChat(options: ChatOptions): Chat {
  const { storage, onChange } = options;
  const state: ChatState = {
    items: [],
    refusals: new Map(),
    state: "connecting",
    hasOperator: false,
    isTyping: false,
    typingTimer: undefined,
  };
  let isStarted = false;
  const connection: Connection = createConnection({
    url: options.socketUrl,
    language: options.language,
    getVisitor: () => storage.read().visitor,
    onForgotten: () => storage.change({ visitor: undefined }),
    onFrame(frame) {
      handleFrame(frame, state, { ...options, submit });
      onChange();
    },
    onState(next) {
      state.state = next;
      onChange();
    },
  });
  const submit = (unsent: Unsent) => {
    const { tempId } = unsent;
    if (!connection.send(toFrame(unsent))) return;
    window.setTimeout(() => {
      if (!isUnsent(storage, tempId) || findItem(state, tempId)?.state !== "sending") return;
      changeItem(state, tempId, { state: "failed", reason: undefined });
      onChange();
    }, ACK_TIMEOUT_MS);
  };
  const add = (content: Omit<Unsent, "tempId">) => {
    const unsent = { ...content, tempId: crypto.randomUUID?.() ?? toRandomId() };
    storage.writeUnsent([...storage.readUnsent(), unsent]);
    state.items.push(toUnsentItem(unsent));
    submit(unsent);
    onChange();
  };
  return {
    refusals: state.refusals,
    get items() {
      return state.items;
    },
    get state() {
      return state.state;
    },
    get hasOperator() {
      return state.hasOperator;
    },
    get isTyping() {
      return state.isTyping;
    },
    start() {
      if (isStarted) return;
      isStarted = true;
      connection.open();
      window.setInterval(connection.refresh, REFRESH_INTERVAL_MS);
    },
    send: (text, files) => add({ text, files }),
    press: (pressed, label) => add({ text: label, files: [], pressed }),
    retry(tempId) {
      const unsent = storage.readUnsent().find((one) => one.tempId === tempId);
      if (!unsent) return;
      changeItem(state, tempId, { state: "sending", reason: undefined });
      submit(unsent);
      onChange();
    },
  };
}

interface FrameDeps extends Pick<ChatOptions, "storage" | "onChange" | "onAnswer"> {
  submit(unsent: Unsent): void;
}

function handleFrame(frame: ServerFrame, state: ChatState, deps: FrameDeps): void {
  if (frame.type === "welcome") takeWelcome(frame, state, deps);
  else if (frame.type === "message") takeMessage(frame, state, deps);
  else if (frame.type === "delta") takeDelta(frame, state);
  else if (frame.type === "typing") showTyping(state, deps.onChange);
  else if (frame.type === "presence") state.hasOperator = frame.operator;
  else if (frame.type === "ack") {
    dropUnsent(deps.storage, frame.temp_id);
    changeItem(state, frame.temp_id, { state: undefined, reason: undefined });
  } else if (frame.type === "pressed") takePressed(frame, state);
  else if (frame.type === "error" && frame.temp_id !== undefined) takeError(frame, frame.temp_id, state, deps);
}

/** Shows a press of another page of the visitor, as a message with the item's label. */
function takePressed(frame: Extract<ServerFrame, { type: "pressed" }>, state: ChatState): void {
  const { id, temp_id: tempId, element_id, item_id } = frame;
  if (findItem(state, tempId)) return;
  const text = findLabel(state, frame);
  if (text === undefined) return;
  state.items.push({ key: id, role: "user", text, files: [], tempId, pressed: { element_id, item_id } });
}

function findLabel({ items }: ChatState, { element_id, item_id }: Pressed): string | undefined {
  const pressable = items.flatMap(({ elements = [] }) => elements.flatMap(listPressable));
  return pressable.find(({ id }) => id === element_id)?.items.find(({ id }) => id === item_id)?.label;
}

/** Shows why a message was not accepted; a press without effect is dropped, and its element says the reason. */
function takeError(
  { code, error }: Extract<ServerFrame, { type: "error" }>,
  tempId: string,
  state: ChatState,
  { storage }: FrameDeps,
): void {
  const pressed = REFUSAL_CODES.has(code) ? findItem(state, tempId)?.pressed : undefined;
  if (!pressed) {
    changeItem(state, tempId, { state: "failed", reason: error });
    return;
  }
  state.refusals.set(pressed.element_id, error);
  state.items = state.items.filter((item) => item.tempId !== tempId);
  dropUnsent(storage, tempId);
}

function takeWelcome(
  { visitor, history, operator }: Extract<ServerFrame, { type: "welcome" }>,
  state: ChatState,
  { storage, submit }: FrameDeps,
): void {
  storage.change({ visitor });
  const stored = new Set(history.map(({ temp_id }) => temp_id));
  const unsent = storage.readUnsent().filter(({ tempId }) => !stored.has(tempId));
  storage.writeUnsent(unsent);
  Object.assign(state, { hasOperator: operator, isTyping: false });
  state.items = [...history.map(toItem), ...listQueued(state, stored), ...unsent.map(toUnsentItem)];
  for (const one of unsent) submit(one);
}

/**
 * Lists confirmed messages whose turn has not begun, so that the history lacks them. Turns begin in order: what is before an answer or a
 * stored message is in the history, above it, or deleted.
 */
function listQueued({ items }: ChatState, stored: ReadonlySet<string | undefined>): readonly ChatItem[] {
  const isSettled = ({ role, isPartial, tempId }: ChatItem) =>
    role === "assistant" ? isPartial !== true : stored.has(tempId);
  return items.slice(items.map(isSettled).lastIndexOf(true) + 1).filter(({ role, state }) => role === "user" && !state);
}

function takeMessage(
  frame: Extract<ServerFrame, { type: "message" }>,
  state: ChatState,
  { storage, onAnswer }: FrameDeps,
): void {
  const item = toItem(frame);
  const isSame = ({ key, tempId }: ChatItem) =>
    key === item.key || key === frame.completes || (tempId !== undefined && tempId === item.tempId);
  const at = state.items.findIndex(isSame);
  const isNew = at < 0 || state.items[at]?.isPartial === true;
  if (at < 0) state.items.push(item);
  else state.items[at] = item;
  if (frame.temp_id !== undefined) dropUnsent(storage, frame.temp_id);
  if (frame.role !== "assistant") return;
  hideTyping(state);
  if (isNew) onAnswer();
}

function takeDelta({ id, from, text }: Extract<ServerFrame, { type: "delta" }>, state: ChatState): void {
  hideTyping(state);
  const at = state.items.findIndex(({ key }) => key === id);
  const before = state.items[at]?.text ?? "";
  const item: ChatItem = { key: id, role: "assistant", text: before.slice(0, from) + text, files: [], isPartial: true };
  if (at < 0) state.items.push(item);
  else state.items[at] = item;
}

function showTyping(state: ChatState, onChange: () => void): void {
  window.clearTimeout(state.typingTimer);
  state.isTyping = true;
  state.typingTimer = window.setTimeout(() => {
    state.isTyping = false;
    onChange();
  }, TYPING_MS);
}

function hideTyping(state: ChatState): void {
  window.clearTimeout(state.typingTimer);
  state.isTyping = false;
}

function toItem({ id, role, text, files, sender, temp_id, failed, ...more }: MessageView): ChatItem {
  const { elements, elements_expire_at: elementsExpireAt, pressed } = more;
  const shown = { elements, elementsExpireAt, pressed, sender };
  return { key: id, role, text, files, ...shown, tempId: temp_id, state: failed ? "unanswered" : undefined };
}

function toUnsentItem({ tempId, text, files, pressed }: Unsent): ChatItem {
  const names = files.map(({ name }) => ({ name }));
  return { key: tempId, role: "user", text, files: names, tempId, pressed, state: "sending" };
}

function toFrame({ tempId: temp_id, text, files, pressed }: Unsent): object {
  if (pressed) return { type: "action", ...pressed, temp_id };
  return { type: "message", text, temp_id, files: files.map(({ token }) => token) };
}

function findItem({ items }: ChatState, tempId: string): ChatItem | undefined {
  return items.find((item) => item.tempId === tempId);
}

function changeItem(state: ChatState, tempId: string, patch: Pick<ChatItem, "state" | "reason">): void {
  state.items = state.items.map((item) => (item.tempId === tempId ? { ...item, ...patch } : item));
}

function isUnsent(storage: ChatStorage, tempId: string): boolean {
  return storage.readUnsent().some((one) => one.tempId === tempId);
}

function dropUnsent(storage: ChatStorage, tempId: string): void {
  storage.writeUnsent(storage.readUnsent().filter((one) => one.tempId !== tempId));
}

// `randomUUID` is missing on pages without https.
function toRandomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
