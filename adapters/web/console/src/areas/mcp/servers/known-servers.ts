import { type McpDraft, NEW_SERVER } from "./server-draft.ts";

/** Authentication of a server: none, OAuth sign-in in the browser, or an API key. */
export type AuthKind = "open" | "signIn" | "key";

/** A popular server, with the connection its publisher documents. */
export interface KnownServer {
  readonly name: string;
  readonly description: readonly [english: string, chinese: string];
  /** The publisher's documentation. */
  readonly docs: string;
  readonly auth: AuthKind;
  readonly draft: McpDraft;
}

/** A placeholder that the user has to replace: `<folder>`. */
export const PLACEHOLDER = /<[a-z ]+>/;

const REFERENCE_URL = "https://github.com/modelcontextprotocol/servers/tree/main/src";

const remoteServer = (
  name: string,
  url: string,
  description: KnownServer["description"],
  docs: string,
  auth: AuthKind,
  headers = "",
): KnownServer => ({ name, description, docs, auth, draft: { ...NEW_SERVER, name, url, headers } });

const localServer = (
  name: string,
  command: "npx" | "uvx",
  args: readonly string[],
  description: KnownServer["description"],
  docs: string,
): KnownServer => ({
  ...{ name, description, docs, auth: "open" },
  draft: { ...NEW_SERVER, name, transport: "stdio", command, args: args.join("\n") },
});

/** Verified on 2026-11-24; npm packages at their versions of that day. */
export const KNOWN_SERVERS: readonly KnownServer[] = [
  remoteServer(
    "GitHub",
    "https://api.githubcopilot.com/mcp/",
    ["Repositories, issues and pull requests.", "仓库、议题与拉取请求。"],
    "https://github.com/github/github-mcp-server",
    "key",
    "Authorization: GITHUB_MCP_AUTHORIZATION",
  ),
  remoteServer(
    "Notion",
    "https://mcp.notion.com/mcp",
    ["Pages and databases of a workspace.", "工作区的页面与数据库。"],
    "https://developers.notion.com/docs/mcp",
    "signIn",
  ),
  remoteServer(
    "Linear",
    "https://mcp.linear.app/mcp",
    ["Issues, projects and comments.", "议题、项目与评论。"],
    "https://linear.app/docs/mcp",
    "signIn",
  ),
  remoteServer(
    "Sentry",
    "https://mcp.sentry.dev/mcp",
    ["Errors of applications and what led to them.", "应用错误及其成因。"],
    "https://docs.sentry.io/product/sentry-mcp/",
    "signIn",
  ),
  remoteServer(
    "Hugging Face",
    "https://huggingface.co/mcp",
    ["Models, data sets and papers.", "模型、数据集与论文。"],
    "https://huggingface.co/settings/mcp",
    "open",
  ),
  remoteServer(
    "Cloudflare documentation",
    "https://docs.mcp.cloudflare.com/mcp",
    ["Searches the documentation of Cloudflare.", "搜索 Cloudflare 文档。"],
    "https://developers.cloudflare.com/agents/model-context-protocol/mcp-servers-for-cloudflare/",
    "open",
  ),
  remoteServer(
    "Microsoft Learn",
    "https://learn.microsoft.com/api/mcp",
    ["Searches the documentation of Microsoft.", "搜索 Microsoft 文档。"],
    "https://learn.microsoft.com/training/support/mcp",
    "open",
  ),
  remoteServer(
    "DeepWiki",
    "https://mcp.deepwiki.com/mcp",
    ["Answers questions about public GitHub repositories.", "回答有关公开 GitHub 仓库的问题。"],
    "https://docs.devin.ai/work-with-devin/deepwiki-mcp",
    "open",
  ),
  remoteServer(
    "Context7",
    "https://mcp.context7.com/mcp",
    ["Current documentation of programming libraries.", "编程库的最新文档。"],
    "https://github.com/upstash/context7",
    "open",
  ),
  localServer(
    "Filesystem",
    "npx",
    ["@modelcontextprotocol/server-filesystem@2026.8.31", "<folder>"],
    ["Reads and writes files of one folder of the service's machine.", "读写本服务所在机器上一个文件夹中的文件。"],
    `${REFERENCE_URL}/filesystem`,
  ),
  localServer(
    "Memory",
    "npx",
    ["@modelcontextprotocol/server-memory@2026.8.31"],
    ["Keeps a graph of entities and how they are related.", "保存实体及其关系的知识图谱。"],
    `${REFERENCE_URL}/memory`,
  ),
  localServer(
    "Sequential thinking",
    "npx",
    ["@modelcontextprotocol/server-sequential-thinking@2026.8.31"],
    ["Lets the model think in steps that it may revise.", "让模型分步思考，并可修正。"],
    `${REFERENCE_URL}/sequentialthinking`,
  ),
  localServer(
    "Everything",
    "npx",
    ["@modelcontextprotocol/server-everything@2026.8.31"],
    ["Tries out all that the protocol can do. For tests.", "演示协议的全部功能，用于测试。"],
    `${REFERENCE_URL}/everything`,
  ),
  localServer(
    "Playwright",
    "npx",
    ["@playwright/mcp@0.0.83"],
    [
      "Opens and operates web pages in a browser of the service's machine.",
      "在本服务所在机器的浏览器中打开并操作网页。",
    ],
    "https://github.com/microsoft/playwright-mcp",
  ),
  localServer(
    "Fetch",
    "uvx",
    ["mcp-server-fetch==<version>"],
    ["Reads web pages as text.", "以文本形式读取网页。"],
    `${REFERENCE_URL}/fetch`,
  ),
  localServer(
    "Git",
    "uvx",
    ["mcp-server-git==<version>", "--repository", "<folder>"],
    ["Reads and changes a Git repository of the service's machine.", "读取并更改本服务所在机器上的 Git 仓库。"],
    `${REFERENCE_URL}/git`,
  ),
  localServer(
    "Time",
    "uvx",
    ["mcp-server-time==<version>"],
    ["Tells the time and converts between time zones.", "报告时间并换算时区。"],
    `${REFERENCE_URL}/time`,
  ),
];
