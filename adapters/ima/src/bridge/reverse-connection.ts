import type { IncomingMessage } from "node:http";
import { type AppError, type LinkState, type SocketEndpoint, toWarnings } from "@parley/core";
import { rejectUpgrade } from "@parley/core/http";
import { isEqualSecret } from "@parley/core/secrets";
import { type WebSocket, WebSocketServer } from "ws";
import { imaTexts } from "../texts.ts";
import { type Bridge, CLOSE_CODES, createBridge, MAX_FRAME_BYTES } from "./bridge.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";

const PATH = "/ws/imA";

export interface ReverseConnectionOptions extends ConnectionOptions {
  readonly channelId: string;
  /** Returns the token for each upgrade; if it is named but has no value, everyone is rejected. */
  readonly token: () => { readonly isNamed: boolean; readonly value: string | undefined };
  /** Returns the account that may connect; empty while it is not known. */
  readonly selfId: () => string;
}

/** The endpoint to which bridges connect, shared by all channels. */
export interface ReverseEndpoint extends SocketEndpoint {
  open(options: ReverseConnectionOptions): Connection;
}

export function createReverseEndpoint(): ReverseEndpoint {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  const endpoints = new Map<string, ChannelEndpoint>();
  const take: SocketEndpoint["take"] = (request, stream, head) => {
    const { pathname = "", searchParams } = URL.parse(request.url ?? "", "http://x") ?? {};
    const endpoint = endpoints.get(pathname === PATH ? "imA" : pathname.slice(PATH.length + 1));
    const rejection = endpoint ? findRejection(request, searchParams, endpoint.options) : { status: 404 };
    if (!endpoint || rejection) {
      if (rejection?.why !== undefined) endpoint?.reportRejection(rejection.why);
      return rejectUpgrade(stream, `${rejection?.status} Refused`);
    }
    sockets.handleUpgrade(request, stream, head, (socket) => endpoint.take(socket));
  };
  return {
    path: PATH,
    includesBelow: true,
    take,
    open: (options) => openChannelEndpoint(options, endpoints),
  };
}

interface ChannelEndpoint {
  readonly options: ReverseConnectionOptions;
  take(socket: WebSocket): void;
  /** Reports a rejected client to the channel. */
  reportRejection(why: RejectionReason): void;
}

function openChannelEndpoint(options: ReverseConnectionOptions, endpoints: Map<string, ChannelEndpoint>): Connection {
  const { channelId, timing, io, onEvent, onConnected, handedOver, handoverKey } = options;
  const all = new Set<Bridge>();
  let current: Bridge | undefined;
  let isClosed = false;
  let rejection: AppError | undefined;
  const report = () => {
    const warnings = [
      ...(options.token().isNamed ? [] : [imaTexts.error("unavailable", "open_bridge")]),
      ...(rejection === undefined ? [] : [rejection]),
    ];
    io.report({
      connected: current !== undefined,
      ...toWarnings(warnings),
      ...(current === undefined && toNoBridgeState()),
    });
  };
  const take = (socket: WebSocket) => {
    // A new connection replaces the previous one after its first event or response.
    const activate = () => {
      if (current === bridge || isClosed) return;
      const old = current;
      current = bridge;
      old?.close(CLOSE_CODES.replaced);
      rejection = undefined;
      report();
      onConnected(bridge).catch((error: unknown) =>
        io.log.warn("messages sent in the meantime could not be fetched", { error }),
      );
    };
    const bridge: Bridge = createBridge({
      socket,
      timing,
      log: io.log,
      async onEvent(event) {
        activate();
        if (current === bridge) await onEvent(event);
      },
    });
    all.add(bridge);
    void bridge.ended.then(() => {
      all.delete(bridge);
      if (current !== bridge) return;
      current = undefined;
      if (!isClosed) report();
    });
    bridge
      .call("get_status", {})
      .then(activate, (error: unknown) => io.log.debug("a bridge does not report its status", { error }));
  };
  const reportRejection = (why: RejectionReason) => {
    const failure = imaTexts.error("unavailable", `turned_${why}`);
    // Repeated rejections for the same reason are reported once.
    if (isClosed || rejection?.message === failure.message) return;
    rejection = failure;
    io.log.warn(failure.message);
    report();
  };
  endpoints.set(channelId, { options, take, reportRejection });
  report();
  for (const socket of handedOver.take(handoverKey())) take(socket);
  const end = async (endOne: (bridge: Bridge) => void) => {
    isClosed = true;
    if (endpoints.get(channelId)?.options === options) endpoints.delete(channelId);
    for (const bridge of all) endOne(bridge);
    await Promise.all([...all].map(({ ended }) => ended));
  };
  return {
    getBridge: () => current,
    handOver: () => end((one) => (one === current ? handedOver.add(handoverKey(), one.release()) : one.terminate())),
    [Symbol.asyncDispose]: () => end((bridge) => bridge.terminate()),
  };
}

type RejectionReason = "account" | "no_token" | "unset" | "page" | "wrong_token";

interface UpgradeRejection {
  readonly status: number;
  readonly why?: RejectionReason;
}

function toNoBridgeState(): Pick<LinkState, "error" | "detail"> {
  const { message: error, detail } = imaTexts.error("unavailable", "no_bridge");
  return { error, ...(detail && { detail }) };
}

/** Returns why an upgrade is rejected; undefined when it is accepted. */
function findRejection(
  { headers }: IncomingMessage,
  query: URLSearchParams | undefined,
  { token, selfId }: ReverseConnectionOptions,
): UpgradeRejection | undefined {
  if (headers.origin !== undefined) return { status: 403, why: "page" };
  const { isNamed, value } = token();
  if (isNamed && !value) return { status: 401, why: "unset" };
  if (value) {
    const given = listTokens(headers.authorization, query);
    if (given.length === 0) return { status: 401, why: "no_token" };
    if (!given.every((one) => isEqualSecret(one, value))) return { status: 401, why: "wrong_token" };
  }
  const account = headers["x-self-id"];
  if (selfId() === "" || typeof account !== "string" || account === selfId()) return undefined;
  return { status: 403, why: "account" };
}

/** Lists the tokens of a request: bridges send one in the header under one of two schemes, or in the query. */
function listTokens(header: string | undefined, query: URLSearchParams | undefined): readonly string[] {
  const inHeader = header === undefined ? [] : [/^(?:Bearer|Token) (.+)$/i.exec(header)?.[1] ?? ""];
  return [...inHeader, ...(query?.getAll("access_token") ?? [])];
}
