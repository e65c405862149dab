import type { Prompt } from "@modelcontextprotocol/sdk/types.js";
import { type McpPrompt, McpPrompts, McpResources, type Resolver, ToolGuard } from "@parley/core";
import { OwnSettings, Policy } from "../keys.ts";
import { GATEWAY_PROMPTS } from "./gateway-prompts.ts";
import { createResources, type Resources } from "./resources.ts";

export function makeResources(from: Resolver): Resources {
  return createResources({
    guard: from.get(ToolGuard),
    policy: from.get(Policy),
    settings: from.get(OwnSettings),
    contributed: () => from.all(McpResources),
  });
}

export function makePrompts(from: Resolver): () => readonly McpPrompt[] {
  return () => [...GATEWAY_PROMPTS, ...from.all(McpPrompts)];
}

export function toPromptList(prompts: readonly McpPrompt[]): Prompt[] {
  return prompts.map(({ name, description, arguments: args }) => ({
    name,
    description,
    arguments: args.map(({ name: argument, description: meaning, required }) => ({
      name: argument,
      description: meaning,
      required,
    })),
  }));
}
