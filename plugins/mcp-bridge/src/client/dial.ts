import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Clock, Egress, Environment, Localized, Logger } from "@parley/core";
import { mcpFailure } from "../said-failures.ts";
import { checkStart, type StartRules } from "./command-rules.ts";
import type { Entry } from "./entry.ts";
import type { KeptSecrets } from "./kept-secrets.ts";
import type { SignIns } from "./sign-in/sign-ins.ts";

const STARTS_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** The way to a server, not yet spoken to. */
export interface Line {
  readonly transport: Transport;
  /** What is known of its end beside the error at hand: how a process ended, what it wrote. */
  cause(): Localized | undefined;
  /** Takes leave of the server and closes the client; ends the process, when there is one. */
  close(client: Pick<Client, "close">): Promise<void>;
}

export interface DialParts {
  readonly egress: Egress;
  readonly environment: Environment;
  readonly secrets: Pick<KeptSecrets, "valueOf">;
  readonly signIns: SignIns;
  readonly clock: Clock;
  readonly log: Logger;
  /** The folder under which processes have theirs. */
  readonly folder: string;
  readonly stdio: StdioParts;
}

/** Whether and what processes may be started. */
export interface StdioParts {
  readonly rules: StartRules;
  /** Variables of the service that every process gets. */
  readonly passEnv: readonly string[];
  /** `mcp.stdio_enabled` */
  readonly isEnabled: () => boolean;
}

/** Opens the way; refusals are `AppError`s of the contract. */
export function createDial(parts: DialParts): (entry: Entry) => Promise<Line> {
  const starts = new Map<string, readonly number[]>();
  const countStart = (id: string) => {
    const now = parts.clock.monotonic();
    const recent = (starts.get(id) ?? []).filter((time) => time > now - MINUTE_MS);
    if (recent.length >= STARTS_PER_MINUTE) {
      throw mcpFailure("rate_limited", "started_often", { id, most: STARTS_PER_MINUTE }, { retryAfterS: 60 });
    }
    starts.set(id, [...recent, now]);
  };
  return async (entry) => {
    // With the protocol's library, which most installations never need.
    if (entry.transport === "streamable-http") return (await import("./dial-http.ts")).overHttp(entry, parts);
    checkStdio(entry, parts.stdio);
    countStart(entry.id);
    return (await import("./dial-process.ts")).startProcess(entry, parts);
  };
}

/** `permission_denied` where processes are switched off or this one may not be started. */
export function checkStdio(
  entry: Pick<Entry, "command" | "args" | "env" | "env_names">,
  { rules, isEnabled }: Pick<StdioParts, "rules" | "isEnabled">,
): void {
  if (!isEnabled()) throw mcpFailure("permission_denied", "stdio_off");
  checkStart(entry, rules);
}
