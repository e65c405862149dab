import type { Check } from "@parley/core";
import type { DownServer, Servers } from "./servers.ts";

type Finding = Awaited<ReturnType<Check["run"]>>[number];

/** Creates the check that required servers are connected. */
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
    said: {
      en: `the MCP server ${name} waits for somebody to sign in, since ${since}`,
      zh: `MCP 服务器 ${name} 自 ${since} 起等待登录`,
    },
    advice: {
      en: "sign in on the MCP page, or switch the server off",
      zh: "请在“MCP”页面登录，或将该服务器关闭",
    },
    parameters: { server: name, since, reason },
    page: "/mcp",
  };
}

function toDownFinding({ name, since, reason, message }: DownServer): Finding {
  return {
    key: "mcp.down",
    level: "warning",
    said: {
      en: `the MCP server ${name} is not connected since ${since}: ${message.en}`,
      zh: `MCP 服务器 ${name} 自 ${since} 起未连接：${message.zh}`,
    },
    advice: {
      en: "check its address and credentials on the MCP page, or switch it off",
      zh: "请在“MCP”页面检查其地址和凭据，或将其关闭",
    },
    parameters: { server: name, since, reason },
    page: "/mcp",
  };
}
