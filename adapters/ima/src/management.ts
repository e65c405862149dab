import {
  type Attachment,
  assertMaySpeak,
  type Clock,
  DeliveryError,
  type Gateway,
  type InboundMessage,
  type MessagesQuery,
  type Session,
  type Sessions,
  type SpeakOrder,
} from "@parley/core";
import { canonicalSessionId } from "@parley/core/channels";
import type { List, Page } from "@parley/core/http";
import { isObject } from "@parley/core/json";
import type { Bridge } from "./bridge/bridge.ts";
import { toIdText } from "./bridge/frame.ts";
import { fetchHistory } from "./message/history.ts";
import { type FileSegment, readSegments, toSegments } from "./message/segments.ts";
import { imaTexts } from "./texts.ts";

const CHANNEL = "imA";
const PREVIEW_CHARS = 50;
const SEND_WAIT_MS = 10_000;
const SYNC_TIMEOUT_MS = 30_000;

export type ImaType = "private" | "group";

export interface ManagementDeps {
  readonly sessions: () => Sessions;
  readonly gateway: () => Gateway;
  readonly bridge: () => Bridge | undefined;
  readonly clock: Clock;
}

export interface SendDraft {
  readonly content: string;
  readonly attachments: readonly Attachment[];
  readonly reply_to?: string;
  readonly at_user_ids: readonly string[];
}

/** Lists users, groups and sessions of the channel imA for operators, from the stored sessions. */
export interface ImaManagement {
  listUsers(query: Page & { readonly q?: string }): Promise<List<object>>;
  listGroups(query: Page & { readonly q?: string }): Promise<List<object>>;
  listSessions(
    query: Page & { readonly type?: ImaType; readonly archived: "true" | "false" | "all" },
  ): Promise<List<object>>;
  listMessages(type: string, id: string, query: MessagesQuery): Promise<object>;
  clear(type: string, id: string, withSession: boolean): Promise<object>;
  sync(sessionId: string, count: number): Promise<object>;
  send(
    sessionId: string,
    draft: SendDraft,
    order: SpeakOrder,
  ): Promise<{ readonly status: number; readonly data: object }>;
  link(type: ImaType, id: string, name: string | undefined, webSessionId: string | undefined): Promise<object>;
}

export function createManagement(deps: ManagementDeps): ImaManagement {
  const { sessions, gateway, clock } = deps;
  const getOnlineBridge = (): Bridge => {
    const bridge = deps.bridge();
    if (!bridge) throw imaTexts.error("unavailable", "no_bridge", {}, { retryAfterS: 5 });
    return bridge;
  };
  const listChannelSessions = async (query: Page & { readonly q?: string }, type: ImaType) =>
    sessions().list({ ...query, channelId: CHANNEL, type: type === "group" ? "imA_group" : "imA_private" });
  const getImaSession = async (idOrKey: string): Promise<Session> => {
    const session = await sessions().get(idOrKey);
    if (session.channel_id !== CHANNEL) throw imaTexts.error("bad_request", "not_ours", {}, { field: "session_id" });
    return session;
  };
  /** Fetches names and sizes from the bridge; without it the stored ones are used. */
  const fetchGroups = async (): Promise<ReadonlyMap<string, { readonly name: string; readonly members: number }>> => {
    const answer = await deps
      .bridge()
      ?.call("get_group_list", {})
      .catch(() => []);
    const list = Array.isArray(answer) ? answer.filter(isObject) : [];
    return new Map(
      list.map((one) => [
        toIdText(one.group_id),
        { name: toIdText(one.group_name), members: Number(one.member_count) || 0 },
      ]),
    );
  };

  return {
    async listUsers(query) {
      const { items, ...page } = await listChannelSessions(query, "private");
      return {
        items: items.map((one) => ({ user_id: getNumber(one), nickname: one.name, ...toSummary(one) })),
        ...page,
      };
    },
    async listGroups(query) {
      const [{ items, ...page }, known] = await Promise.all([listChannelSessions(query, "group"), fetchGroups()]);
      const rows = items.map((one) => {
        const id = getNumber(one);
        const now = known.get(id);
        return {
          group_id: id,
          group_name: now?.name || one.name,
          ...toSummary(one),
          member_count: now?.members ?? null,
        };
      });
      return { items: rows, ...page };
    },
    async listSessions({ type, ...query }) {
      const types = type && { type: type === "group" ? ("imA_group" as const) : ("imA_private" as const) };
      const { items, ...page } = await sessions().list({ ...query, ...types, channelId: CHANNEL });
      const rows = items.map((one) => ({
        id: one.id,
        name: one.name,
        type: getType(one),
        imA_id: getNumber(one),
        message_count: one.message_count,
        last_message: getPreview(one),
        created_at: one.created_at,
        archived: one.archived,
      }));
      return { items: rows, ...page };
    },
    async listMessages(rawType, id, query) {
      const { type, key } = parseConversation(rawType, id);
      const found = await sessions().find(key);
      const page = found
        ? await sessions().messages(found.id, query)
        : { items: [], total: 0, limit: query.limit, offset: query.offset };
      return { ...page, imA_type: type, imA_id: id, session_id: found?.id ?? null };
    },
    async clear(rawType, id, withSession) {
      const { key } = parseConversation(rawType, id);
      const found = await sessions().find(key);
      if (!found) return { deleted: 0, session_deleted: false };
      const { deleted } = await sessions().clear(found.id, { withSession });
      return { deleted, session_deleted: withSession };
    },
    async sync(sessionId, count) {
      const session = await getImaSession(sessionId);
      const bridge = getOnlineBridge();
      const conversation = session.id.slice(CHANNEL.length + 1);
      const events = (await callBridge(() => fetchHistory(bridge, conversation, count))) ?? [];
      const totals = { added: 0, skipped: 0, filtered: 0 };
      for (const event of events) {
        const sender = isObject(event.sender) ? event.sender : {};
        const user = toIdText(event.user_id) || toIdText(sender.user_id);
        const { text, files, hasContent } = readSegments(toSegments(event.message), "");
        if (!hasContent) continue;
        const seconds = Number(event.time);
        const recorded = await sessions().record(session.id, {
          role: user === toIdText(event.self_id) ? "assistant" : "user",
          content: [text, ...files.filter(needsNote).map(({ type }) => `[${type}]`)]
            .filter((part) => part !== "")
            .join(" "),
          attachments: files.filter((file) => !needsNote(file)).map(({ url }) => ({ type: "image", url })),
          sender: toIdText(sender.card) || toIdText(sender.nickname),
          senderId: user,
          source: CHANNEL,
          platformMessageId: toIdText(event.message_id),
          ...(Number.isFinite(seconds) && seconds > 0 && { timestamp: new Date(seconds * 1_000).toISOString() }),
        });
        if (recorded.isKnown) totals.skipped += 1;
        else if (recorded.blocked) totals.filtered += 1;
        else totals.added += 1;
      }
      return { ...totals, message_count: (await sessions().get(session.id)).message_count };
    },
    async send(sessionId, { content, attachments, reply_to, at_user_ids }, order) {
      assertMaySpeak({ channelId: CHANNEL }, order);
      if (content.trim() === "" && attachments.length === 0)
        throw imaTexts.error("bad_request", "nothing_said", {}, { field: "content" });
      const session = await getImaSession(sessionId);
      getOnlineBridge();
      const mentions = at_user_ids.map((id) => `@${id} `).join("");
      const recorded = await sessions().record(session.id, {
        role: "assistant",
        content: `${mentions}${content}`,
        attachments,
        sender: session.sender_name,
        senderId: null,
        source: CHANNEL,
        ...(reply_to !== undefined && { replyTo: reply_to }),
      });
      if (!recorded.message) return { status: 200, data: { message: null, delivery: null, blocked: true } };
      const { deliveryIds } = await gateway().deliver({
        channelId: CHANNEL,
        sessionId: session.id,
        conversation: { id: session.id.slice(CHANNEL.length + 1), isGroup: getType(session) === "group" },
        text: recorded.message.content,
        attachments,
        order,
        ...(reply_to !== undefined && { replyTo: reply_to }),
      });
      const last = deliveryIds.at(-1) ?? "";
      const status = await gateway().delivered(last, AbortSignal.timeout(SEND_WAIT_MS));
      if (status === "dead") throw imaTexts.error("upstream_failed", "not_taken");
      const data = { message: recorded.message, delivery: { id: last, status }, blocked: false };
      return { status: status === "delivered" ? 200 : 202, data };
    },
    async link(type, id, name, webSessionId) {
      const { key } = parseConversation(type, id);
      const conversation = toConversationMessage(type, id, name, clock.now());
      if (webSessionId !== undefined) {
        const session = await sessions().adopt(webSessionId, conversation);
        return { session_id: session.id, exists: false, session };
      }
      const found = await sessions().find(key);
      const session = found ?? (await sessions().openFor(conversation));
      return { session_id: session.id, exists: found !== undefined, session };
    },
  };
}

/** Converts errors of the bridge to API errors; a missing response is `timed_out`. */
async function callBridge<Result>(ask: () => Promise<Result>): Promise<Result> {
  const late = AbortSignal.timeout(SYNC_TIMEOUT_MS);
  try {
    return await ask();
  } catch (error) {
    if (!DeliveryError.is(error)) throw error;
    const isLate = late.aborted || /no answer in time/.test(error.message);
    throw imaTexts.error(
      isLate ? "timed_out" : "upstream_failed",
      "no_history",
      { reason: error.message },
      { cause: error },
    );
  }
}

function parseConversation(rawType: string, id: string): { readonly type: ImaType; readonly key: string } {
  const type = rawType.replace(/^imA_/, "");
  if (type !== "private" && type !== "group") throw imaTexts.error("bad_request", "kind", {}, { field: "imA_type" });
  if (!/^[0-9A-Za-z_-]{1,64}$/.test(id)) throw imaTexts.error("bad_request", "account_shape", {}, { field: "imA_id" });
  return { type, key: canonicalSessionId(`${CHANNEL}:${type}:${id}`) };
}

function toConversationMessage(type: ImaType, id: string, name: string | undefined, nowMs: number): InboundMessage {
  const conversation = `${type}:${id}`;
  return {
    channelId: CHANNEL,
    sessionId: `${CHANNEL}:${conversation}`,
    conversation: { id: conversation, isGroup: type === "group", ...(name !== undefined && { title: name }) },
    kind: "message",
    sender: { id: type === "private" ? id : "", name: name ?? "", isAdmin: false },
    text: "",
    attachments: [],
    addressed: false,
    source: CHANNEL,
    platformTime: new Date(nowMs).toISOString(),
  };
}

function getType({ type }: Session): ImaType {
  return type === "imA_group" ? "group" : "private";
}

function getNumber({ id }: Session): string {
  return id.split(":").at(-1) ?? "";
}

function getPreview({ last_message }: Session): string {
  return (last_message?.preview ?? "").slice(0, PREVIEW_CHARS);
}

function toSummary(session: Session) {
  return {
    session_id: session.id,
    last_message: getPreview(session),
    last_time: session.last_message_at,
    message_count: session.message_count,
  };
}

/** True for old files, which are not downloaded, except images with an address. */
function needsNote({ type, url }: FileSegment): boolean {
  return type !== "image" || url === "";
}
