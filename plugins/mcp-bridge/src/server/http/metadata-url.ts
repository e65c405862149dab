export const MCP_PATH = "/mcp";
const METADATA_PATH = "/.well-known/oauth-protected-resource";
export const METADATA_PATHS: readonly string[] = [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`];

/** Where a client of a resource learns how to log in (RFC 9728 §3.1). */
export function toMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${METADATA_PATH}${pathname}`;
}
