import { AppError, notFound, type RawReply, type RouteRequest } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import { BUILTIN_ID, type EntryView } from "../servers/entry.ts";
import type { Servers } from "../servers/servers.ts";
import { renderFailurePage, renderSuccessPage } from "./callback-page.ts";
import type { CallbackQuery, SignInDraft, SignIns, StartedSignIn } from "./sign-ins.ts";

export const CALLBACK_PATH = "/api/mcp-servers/oauth/callback";

/** Sign-in to and sign-out of a server. */
export interface SignInEndpoint {
  begin(id: string, origin: string, draft: SignInDraft): Promise<StartedSignIn>;
  /** Handles the browser's return: uses its code once, then connects the server. */
  handleCallback(request: Pick<RouteRequest<string, unknown, CallbackQuery>, "query" | "headers">): Promise<RawReply>;
  signOut(id: string): Promise<EntryView>;
}

export interface SignInEndpointDeps {
  readonly servers: Servers;
  readonly signIns: SignIns;
  /** Returns `web.public_base_url`; when empty, browsers reach this service at the address of the request. */
  readonly publicBaseUrl: () => string;
}

export function createSignInEndpoint({ servers, signIns, publicBaseUrl }: SignInEndpointDeps): SignInEndpoint {
  const finish = async (returned: CallbackQuery) => {
    const id = signIns.findServerId(returned.state);
    const server = id === undefined ? undefined : servers.findEntry(id);
    if (!server) throw mcpBridgeTexts.error("bad_request", "unknown", {}, { field: "state" });
    await signIns.finish(server, returned);
    await servers.reconnect(server.id);
  };
  return {
    async begin(id, origin, draft) {
      const server = servers.findEntry(id);
      if (!server) throw notFound("mcp server", id);
      if (server.transport !== "streamable-http" || id === BUILTIN_ID)
        throw mcpBridgeTexts.error("conflict", "no_address");
      if (Object.keys(server.headers_env).some((name) => name.toLowerCase() === "authorization"))
        throw mcpBridgeTexts.error("conflict", "header_given", {}, { field: "headers_env" });
      const redirectUrl = new URL(CALLBACK_PATH, URL.parse(publicBaseUrl())?.origin ?? origin).href;
      return signIns.begin(server, redirectUrl, draft);
    },
    async handleCallback({ query, headers }) {
      const language = headers["accept-language"];
      try {
        await finish(query);
        return renderSuccessPage(language);
      } catch (error) {
        if (!AppError.is(error)) throw error;
        return renderFailurePage(language, error);
      }
    },
    async signOut(id) {
      await servers.disconnect(id);
      const server = servers.findEntry(id);
      if (server) await signIns.forget(server);
      return servers.notifyChanged(id);
    },
  };
}
