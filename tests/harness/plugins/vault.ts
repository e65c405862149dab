import { definePlugin, McpResources } from "@parley/core";

/** A plugin with a resource whose scope requires `admin = true`. */
export const vaultPlugin = definePlugin({
  id: "vault",
  register({ contribute }) {
    contribute(McpResources, () => ({
      uri: "vault://key",
      name: "The key",
      mimeType: "text/plain",
      scope: "gateway.manage" as const,
      read: async () => "under the mat",
    }));
  },
});
