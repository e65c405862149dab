import type { Check } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import type { DownServer, Servers } from "./servers.ts";

type Finding = Awaited<ReturnType<Check["run"]>>[number];

/** Creates the check that reports enabled servers whose connection failed or was lost. */
export function createServersCheck(servers: () => Pick<Servers, "listDown">): Check {
  return {
    id: "mcp",
    run: async () =>
      servers()
        .listDown()
        .map((server) => (needsSignIn(server) ? toSignInFinding(server) : toDownFinding(server))),
  };
}

function needsSignIn({ signIn }: DownServer): boolean {
  return signIn === "needed" || signIn === "again";
}

function toSignInFinding({ name, since, reason }: DownServer): Finding {
  return {
    key: "mcp.sign_in",
    level: "warning",
    said: mcpBridgeTexts.localized("finding_sign_in", { name, since }),
    advice: mcpBridgeTexts.localized("finding_sign_in_advice"),
    parameters: { server: name, since, reason },
    page: "/mcp",
  };
}

function toDownFinding({ name, since, reason, message }: DownServer): Finding {
  return {
    key: "mcp.down",
    level: "warning",
    said: mcpBridgeTexts.localized("finding_down", { name, since, reason: message }),
    advice: mcpBridgeTexts.localized("finding_down_advice"),
    parameters: { server: name, since, reason },
    page: "/mcp",
  };
}
