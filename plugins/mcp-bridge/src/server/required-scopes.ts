import type { ToolGuard, ToolScope } from "@parley/core";
import type { ToolPolicy } from "../guard/tool-policy.ts";
import type { Resources } from "./resources.ts";

interface RequestMessage {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly uri?: unknown };
}

/** Returns the scopes that messages require, as far as the configuration grants them; others cannot be granted. */
export function listRequiredScopes(
  messages: unknown,
  { guard, policy, resources }: { guard: Pick<ToolGuard, "list">; policy: ToolPolicy; resources: Resources },
): readonly ToolScope[] {
  const found = [messages].flat().flatMap((message) => {
    const { method, params } = (message ?? {}) as RequestMessage;
    if (method === "tools/call") return guard.list("mcp").find(({ name }) => name === params?.name) ?? [];
    if (method === "resources/read") return resources.list().find(({ uri }) => uri === params?.uri) ?? [];
    return [];
  });
  return [...new Set(found.filter((what) => policy.covers(what)).map(({ scope }) => scope))];
}
