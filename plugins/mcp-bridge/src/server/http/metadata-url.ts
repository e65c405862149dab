export const MCP_PATH = "/mcp";
const METADATA_PATH = "/.well-known/oauth-protected-resource";
export const METADATA_PATHS: readonly string[] = [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`];

/** Returns the metadata URL of a resource (RFC 9728 §3.1). */
export function toMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${METADATA_PATH}${pathname}`;
}
