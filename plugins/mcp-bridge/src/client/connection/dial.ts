import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Clock, Egress, Environment, Localized, Logger } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import type { SignIns } from "../oauth/sign-ins.ts";
import type { Entry } from "../servers/entry.ts";
import type { ServerSecrets } from "../servers/server-secrets.ts";
import { checkStart, type StartRules } from "./command-rules.ts";

const STARTS_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** An open transport to a server, before the handshake. */
export interface DialedTransport {
  readonly transport: Transport;
  /** Returns further facts about the end of the connection: exit reason and stderr. */
  cause(): Localized | undefined;
  /** Disconnects from the server and closes the client; ends the process, if there is one. */
  close(client: Pick<Client, "close">): Promise<void>;
}

export interface DialDeps {
  readonly egress: Egress;
  readonly environment: Environment;
  readonly secrets: Pick<ServerSecrets, "getValue">;
  readonly signIns: SignIns;
  readonly clock: Clock;
  readonly log: Logger;
  /** Folder that contains the folders of the processes. */
  readonly folder: string;
  readonly stdio: StdioOptions;
}

/** Rules for starting processes. */
export interface StdioOptions {
  readonly rules: StartRules;
  /** Variables of the service that every process gets. */
  readonly passEnv: readonly string[];
  /** `mcp.stdio_enabled` */
  readonly isEnabled: () => boolean;
}

/** Creates the function that opens a connection; rejections are `AppError`s of the contract. */
export function createDial(deps: DialDeps): (entry: Entry) => Promise<DialedTransport> {
  const starts = new Map<string, readonly number[]>();
  const countStart = (id: string) => {
    const now = deps.clock.monotonic();
    const recent = (starts.get(id) ?? []).filter((time) => time > now - MINUTE_MS);
    if (recent.length >= STARTS_PER_MINUTE) {
      throw mcpBridgeTexts.error("rate_limited", "started_often", { id, most: STARTS_PER_MINUTE }, { retryAfterS: 60 });
    }
    starts.set(id, [...recent, now]);
  };
  return async (entry) => {
    // With the protocol's library, which most installations never need.
    if (entry.transport === "streamable-http") return (await import("./dial-http.ts")).dialHttp(entry, deps);
    checkStdio(entry, deps.stdio);
    countStart(entry.id);
    return (await import("./dial-process.ts")).dialProcess(entry, deps);
  };
}

/** Throws `permission_denied` when processes are disabled, or this one may not be started. */
export function checkStdio(
  entry: Pick<Entry, "command" | "args" | "env" | "env_names">,
  { rules, isEnabled }: Pick<StdioOptions, "rules" | "isEnabled">,
): void {
  if (!isEnabled()) throw mcpBridgeTexts.error("permission_denied", "stdio_off");
  checkStart(entry, rules);
}
