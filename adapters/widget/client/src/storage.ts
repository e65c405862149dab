import type { Pressed } from "../../src/sockets/protocol.ts";

/** Data of one chat in the visitor's browser. */
export interface StoredChat {
  /** Token that identifies the visitor. */
  readonly visitor?: string | undefined;
  readonly hasAgreed?: boolean;
}

/** A message that the service has not confirmed. */
export interface Unsent {
  readonly tempId: string;
  readonly text: string;
  readonly files: readonly { readonly token: string; readonly name: string }[];
  /** The pressed item; the text is its label. */
  readonly pressed?: Pressed;
}

/** Storage of one chat: what all tabs share, and what only this one has not sent. Where the browser stores nothing, it lasts as long as the page. */
export interface ChatStorage {
  read(): StoredChat;
  change(patch: StoredChat): void;
  readUnsent(): readonly Unsent[];
  writeUnsent(unsent: readonly Unsent[]): void;
  readDraft(): string;
  writeDraft(text: string): void;
}

export function createChatStorage(base: string, channelId: string): ChatStorage {
  const key = `parley-widget:${base}:${channelId}`;
  const shared = createCell<StoredChat>(() => localStorage, key, {});
  const unsent = createCell<readonly Unsent[]>(() => sessionStorage, `${key}:unsent`, []);
  const draft = createCell<string>(() => sessionStorage, `${key}:draft`, "");
  return {
    read: shared.read,
    change: (patch) => shared.write({ ...shared.read(), ...patch }),
    readUnsent: unsent.read,
    writeUnsent: unsent.write,
    readDraft: draft.read,
    writeDraft: draft.write,
  };
}

/** One value in a browser's storage; a failing storage, as in private windows and frames, is replaced by memory. */
function createCell<Value>(getStorage: () => Storage, key: string, initial: Value) {
  let last = initial;
  return {
    read(): Value {
      try {
        const text = getStorage().getItem(key);
        return text === null ? last : JSON.parse(text);
      } catch {
        return last;
      }
    },
    write(value: Value): void {
      last = value;
      try {
        getStorage().setItem(key, JSON.stringify(value));
      } catch {
        // `last` is used instead.
      }
    },
  };
}
