import Joi from "@hapi/joi";
import type { Clock } from "@parley/core";
import { commaList, type Memory, notBlank, type Tool, type ToolContext, textOf, tool } from "@parley/core";
import type { MemoryWriter } from "../extraction/memory-writer.ts";
import { MAX_CONTENT } from "../schema.ts";
import { isMemoryEnabled, type MemorySwitchDeps } from "../settings.ts";
import { memoryTexts } from "../texts.ts";
import type { PersonMemories, Talker } from "./person-memories.ts";

/** Common options of the tools about a person's own memories. */
const TOOL_OPTIONS = { scope: "gateway.read", audience: ["ai"], group: "memory" } as const;
const MAX_LISTED = 20;

interface SaveArgs {
  readonly title: string;
  readonly content: string;
  readonly summary?: string;
  readonly mem_type: "long" | "short";
  readonly expire_days?: number;
}
interface ReadArgs {
  readonly mem_type: "all" | "long" | "short";
  readonly query: string;
}

export interface AiToolsDeps extends MemorySwitchDeps {
  readonly personMemories: PersonMemories;
  readonly remember: MemoryWriter;
  readonly write: (writes: Parameters<import("@parley/core").Database["write"]>[0]) => Promise<unknown>;
  readonly clock: Clock;
  /** Returns true when memory is on, from a cached state. */
  readonly isOffered: () => boolean;
}

const ids = commaList(Joi.string().max(64), MAX_LISTED, 1).required();
const content = notBlank(textOf(MAX_CONTENT)).required();

/** Creates the model's memory tools, limited to the person it talks with. */
export function createAiTools(deps: AiToolsDeps): readonly Tool[] {
  const { personMemories, remember, write, clock, isOffered } = deps;
  const toolOptions = { ...TOOL_OPTIONS, isOffered };
  const requireTalker = async ({ inbound, sessionId, characterId }: ToolContext): Promise<Talker> => {
    if (!inbound || sessionId === undefined) throw memoryTexts.error("unavailable", "nobody");
    if (!(await isMemoryEnabled(deps))) throw memoryTexts.error("unavailable", "off");
    return { inbound, sessionId, ...(characterId !== undefined && { characterId }) };
  };
  return [
    tool<SaveArgs>({
      ...toolOptions,
      risk: "action",
      name: "save_to_memory",
      help: { en: "Remembers something when the person asks for it.", zh: "应对方要求记住某件事。" },
      purpose:
        "Remembers something of the person you talk with. What they say is remembered without it: use it when they ask you to.",
      args: Joi.object({
        title: textOf(200).trim().min(1).disallow("").required(),
        content,
        summary: textOf(500),
        mem_type: Joi.valid("long", "short").default("long"),
        expire_days: Joi.number().integer().min(1).max(3_650),
      }),
      async run({ mem_type, summary = "", ...given }, context) {
        const talker = await requireTalker(context);
        await personMemories.assertNotTemporary(talker);
        const finding = { ...given, summary, type: mem_type, kind: "other" as const, importance: 7, fact: null };
        const { stored, writes, applied } = await remember.storeWrites([finding], {
          target_id: personMemories.address(talker),
          character_id: await personMemories.findCharacterId(talker),
          session_id: talker.sessionId,
          source: "tool",
          source_turn_id: context.traceId,
          said_at: new Date(clock.now()).toISOString(),
        });
        await write(writes);
        applied();
        return stored[0] ? { memory_id: stored[0].id } : { known: true };
      },
    }),
    tool<ReadArgs>({
      ...toolOptions,
      risk: "read",
      name: "read_memory",
      help: { en: "Reads the memories about the person.", zh: "查看关于对方的记忆。" },
      purpose: "Lists memories about the person you talk with; with a query, those that match best.",
      args: Joi.object({
        mem_type: Joi.valid("all", "long", "short").default("all"),
        query: textOf(2_000).default(""),
      }),
      async run({ mem_type, query }, context) {
        const found = await personMemories.list(await requireTalker(context), {
          text: query.trim(),
          ...(mem_type !== "all" && { type: mem_type }),
        });
        return { memories: found.slice(0, MAX_LISTED).map(toMemoryView), total: found.length };
      },
    }),
    tool<{ readonly memory_id: string; readonly content: string }>({
      ...toolOptions,
      risk: "action",
      name: "correct_memory",
      help: { en: "Corrects a memory about the person.", zh: "更正关于对方的记忆。" },
      purpose: "Corrects a memory about the person you talk with, by the id that read_memory returns.",
      args: Joi.object({ memory_id: Joi.string().max(64).required(), content }),
      async run({ memory_id, content: text }, context) {
        const talker = await requireTalker(context);
        await personMemories.assertNotTemporary(talker);
        return toMemoryView(await personMemories.correct(talker, memory_id, text));
      },
    }),
    tool<{ readonly memory_ids: readonly string[] }>({
      ...toolOptions,
      risk: "high",
      concernsAsker: true,
      deletes: true,
      name: "forget_memory",
      help: {
        en: "Forgets something when the person asks for it, after a confirmation.",
        zh: "应对方要求忘记某件事，会先确认。",
      },
      purpose:
        "Forgets for good what the person you talk with wants forgotten, by the ids that read_memory gives; they are asked to confirm it.",
      args: Joi.object({ memory_ids: ids }),
      async run({ memory_ids }, context) {
        const gone = await personMemories.forget(await requireTalker(context), memory_ids);
        return { forgotten: gone.length };
      },
    }),
  ];
}

function toMemoryView({ id, title, content: text, type, kind, said_at, expires_at }: Memory) {
  return { id, title, content: text, type, kind, said_at, expires_at };
}
