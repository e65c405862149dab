import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";
import type { ToolScope } from "./tool.ts";

/** Something MCP clients may read. */
export interface McpResource {
  /** `svc://gateway/status`; unique. */
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly scope: ToolScope;
  read(signal: AbortSignal): Promise<string | Uint8Array>;
}

/** What MCP clients may read besides what tools answer. */
export const McpResources: ExtensionPoint<McpResource> = extensionPoint("mcp-resources");
