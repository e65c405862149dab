import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { PageTexts } from "./page-texts.ts";
import { splitIntoPages } from "./pages.ts";
import type { Publications, StoredPublication } from "./publications.ts";
import type { SharedFile, SharedMessage, SharedSession, Snapshot } from "./schema.ts";

type PageModule = typeof import("./page.ts");

/** Maximum characters of the cached publications, including all rendered texts. */
const MAX_CHARS = 32 * 1024 * 1024;

/** A cached publication, each part of which is rendered at its first use. */
export interface PublicationView {
  /** Renders a page as HTML; only the messages of that page are rendered. */
  renderPage(at: number, texts: PageTexts, origin: string): Promise<string>;
  /** Returns the JSON of the API. `ticket` is added to the addresses of files; "" without a password. */
  toJson(ticket: string): Buffer;
  /** URLs of the stored files, by their names in the publication. */
  readonly files: ReadonlyMap<string, string>;
}

export interface PublicationViews {
  /** Reads a publication once, and caches it for later readers. */
  open(stored: StoredPublication): Promise<PublicationView>;
}

interface CacheEntry {
  readonly view: Promise<PublicationView>;
  chars: number;
}

/** Cache of recently read publications; the least recently read one is removed first. */
export function createPublicationViews(publications: Pick<Publications, "readSnapshot">): PublicationViews {
  const entries = new Map<string, CacheEntry>();
  // Pages are rendered one at a time, so that many pages do not delay other requests.
  const renderInTurn = createQueue();
  let reading: Promise<unknown> = Promise.resolve();
  const shrink = () => {
    let chars = [...entries.values()].reduce((sum, entry) => sum + entry.chars, 0);
    for (const [key, entry] of entries) {
      if (chars <= MAX_CHARS || entries.size === 1) return;
      chars -= entry.chars;
      entries.delete(key);
    }
  };
  const read = async (stored: StoredPublication, grow: (chars: number) => void) => {
    const text = await publications.readSnapshot(stored.publicId);
    grow(text.length);
    // The Markdown renderer is loaded with the first reader.
    return createPublicationView(stored, JSON.parse(text), { grow, renderInTurn }, await import("./page.ts"));
  };
  return {
    async open(stored) {
      const key = `${stored.publicId} ${stored.updatedMs}`;
      const known = entries.get(key);
      if (known) {
        entries.delete(key);
        entries.set(key, known);
        return known.view;
      }
      const grow = (chars: number) => {
        entry.chars += chars;
        shrink();
      };
      // Reads one publication at a time, since several long ones would need much memory.
      const shown = reading.then(() => read(stored, grow));
      const entry: CacheEntry = { view: shown, chars: 0 };
      reading = shown.catch(() => entries.delete(key));
      entries.set(key, entry);
      return shown;
    },
  };
}

function createPublicationView(
  stored: StoredPublication,
  snapshot: Snapshot,
  { grow, renderInTurn }: { readonly grow: (chars: number) => void; readonly renderInTurn: RunQueued },
  { renderConversationPage, renderMessages, renderText }: PageModule,
): PublicationView {
  const files = listFilesByName(snapshot);
  const names = new Map([...files].map(([name, url]) => [url, name]));
  const once = createTextCache(grow, renderInTurn);
  const toShared = (ticket: string): SharedSession => withFileUrls(stored, snapshot, names, ticket);
  const shared = toShared("");
  const pages = splitIntoPages(shared.messages);
  return {
    files,
    async renderPage(at, texts, origin) {
      const number = Math.min(Math.max(1, at), pages.length);
      const rendered = {
        scenario: await once("scenario", () => renderText(shared.scenario)),
        messages: await once(`${texts.lang} ${number}`, () => renderMessages(pages[number - 1] ?? [], shared, texts)),
      };
      return renderConversationPage(shared, rendered, { texts, page: number, pageCount: pages.length, origin });
    },
    toJson: createJsonCache(toShared, grow),
  };
}

type RunQueued = (make: () => string) => Promise<string>;

/** Creates a cache in which each text is rendered once. */
function createTextCache(grow: (chars: number) => void, runInTurn: RunQueued) {
  const made = new Map<string, Promise<string>>();
  return (key: string, make: () => string): Promise<string> => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const text = runInTurn(make);
    made.set(key, text);
    text.then(
      ({ length }) => grow(length),
      () => made.delete(key),
    );
    return text;
  };
}

/** Runs tasks one after another, with other work of the event loop in between. */
function createQueue(): RunQueued {
  let last: Promise<unknown> = Promise.resolve();
  return (make) => {
    const text = last.then(() => yieldToOthers()).then(make);
    last = text.catch(() => {});
    return text;
  };
}

/** Creates a cache of the JSON for the last ticket, since tickets change twice an hour. */
function createJsonCache(sharedWith: (ticket: string) => SharedSession, grow: (chars: number) => void) {
  let last: { readonly ticket: string; readonly bytes: Buffer } | undefined;
  return (ticket: string): Buffer => {
    if (last?.ticket === ticket) return last.bytes;
    grow(-(last?.bytes.length ?? 0));
    last = {
      ticket,
      bytes: Buffer.from(JSON.stringify({ success: true, data: sharedWith(ticket), message: "" })),
    };
    grow(last.bytes.length);
    return last.bytes;
  };
}

/** Returns files by the last part of their address, which cannot be guessed. */
function listFilesByName({ sender_avatar, sender_portrait, messages }: Snapshot): ReadonlyMap<string, string> {
  const attached = messages.flatMap(({ attachments }) => attachments.map(({ url }) => url));
  const urls = [sender_avatar, sender_portrait, ...attached].filter((url) => url !== "");
  return new Map(urls.map((url) => [url.slice(url.lastIndexOf("/") + 1), url]));
}

function withFileUrls(
  stored: StoredPublication,
  snapshot: Snapshot,
  names: ReadonlyMap<string, string>,
  ticket: string,
): SharedSession {
  const query = ticket === "" ? "" : `?ticket=${ticket}`;
  const toAddress = (url: string) => {
    const name = names.get(url);
    return name === undefined ? "" : `/public/${stored.publicId}/files/${encodeURIComponent(name)}${query}`;
  };
  const toFile = (one: SharedFile): SharedFile => ({ ...one, url: toAddress(one.url) });
  const toMessage = (one: SharedMessage): SharedMessage => ({ ...one, attachments: one.attachments.map(toFile) });
  return {
    ...snapshot,
    sender_avatar: toAddress(snapshot.sender_avatar),
    sender_portrait: toAddress(snapshot.sender_portrait),
    messages: snapshot.messages.map(toMessage),
    published_at: new Date(stored.updatedMs).toISOString(),
    expires_at: new Date(stored.expiresMs).toISOString(),
  };
}
