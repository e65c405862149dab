import Joi from "@hapi/joi";
import { type Memory, notBlank, type Tool, textOf, tool, toSharedError } from "@parley/core";
import type { Page } from "@parley/core/http";
import { MAX_CONTENT, type MemoryFields } from "./schema.ts";
import type { MemoryService, NewMemory } from "./store/memories.ts";

const READ_OPTIONS = { risk: "read", scope: "gateway.read", audience: ["mcp", "web-agent"] } as const;
const WRITE_OPTIONS = { risk: "high", scope: "gateway.manage", audience: ["mcp", "web-agent"] } as const;

interface ListArgs extends Page {
  readonly target_id?: string;
  readonly character_name?: string;
  readonly mem_type: "all" | "long" | "short";
}
interface AddArgs {
  readonly title: string;
  readonly content: string;
  readonly target_id?: string;
  readonly character_name?: string;
  readonly mem_type: "long" | "short";
  readonly expire_days?: number;
}
interface UpdateArgs extends Partial<Pick<AddArgs, "title" | "content" | "mem_type" | "expire_days">> {
  readonly memory_id: string;
}

const id = Joi.string().trim().min(1).max(128).required();
const title = textOf(200).trim().min(1).disallow("");
const content = notBlank(textOf(MAX_CONTENT));
const target = textOf(200).trim().min(1).disallow("");
const days = Joi.number().integer().min(1).max(3_650);
const retention = Joi.valid("long", "short");

export function createMemoryTools(memories: MemoryService): readonly Tool[] {
  return [
    tool<ListArgs>({
      ...READ_OPTIONS,
      name: "web_list_memories",
      help: {
        en: "Lists memories, newest first; can be filtered by person or character.",
        zh: "列出记忆，最新的在前；可按用户或角色筛选。",
      },
      purpose: "Lists memories, newest first, optionally of one person or character.",
      args: Joi.object({
        target_id: target,
        character_name: textOf(400).trim().min(1).disallow(""),
        mem_type: Joi.valid("all", "long", "short").default("all"),
        limit: Joi.number().integer().min(1).max(500).default(50),
        offset: Joi.number().integer().min(0).default(0),
      }),
      async run({ mem_type, ...asked }) {
        const { items, total } = await memories.page({ ...asked, type: mem_type });
        return {
          memories: items.map(toMemoryView),
          count: items.length,
          total,
          truncated: asked.offset + items.length < total,
        };
      },
    }),
    tool<AddArgs>({
      ...WRITE_OPTIONS,
      name: "web_add_memory",
      help: { en: "Adds a memory, about one person or everyone.", zh: "添加记忆，针对某人或所有人。" },
      purpose: "Adds a memory about a person, or one that applies to everyone.",
      args: Joi.object({
        title: title.required(),
        content: content.required(),
        target_id: target,
        character_name: textOf(400).trim().min(1).disallow(""),
        mem_type: retention.default("long"),
        expire_days: days,
      }),
      async run({ mem_type, ...given }) {
        const draft: NewMemory = { ...given, type: mem_type, source: "mcp" };
        return { memory_id: (await memories.create(draft)).id };
      },
    }),
    tool<UpdateArgs>({
      ...WRITE_OPTIONS,
      name: "web_update_memory",
      help: { en: "Changes a memory; fields that are not given stay.", zh: "修改记忆；未给出的保持不变。" },
      purpose: "Changes a memory; omitted fields stay unchanged.",
      args: Joi.object({ memory_id: id, title, content, mem_type: retention, expire_days: days }),
      async run({ memory_id, mem_type, ...given }) {
        const patch: Partial<MemoryFields> = { ...given, ...(mem_type && { type: mem_type }) };
        if (Object.keys(patch).length === 0) throw toSharedError("bad_request", "nothing_to_update", {});
        await memories.change(memory_id, patch);
        return { memory_id };
      },
    }),
    tool<{ readonly memory_id: string }>({
      ...WRITE_OPTIONS,
      deletes: true,
      name: "web_delete_memory",
      help: { en: "Forgets a memory and its history.", zh: "忘记一条记忆及其历史。" },
      purpose: "Deletes a memory and those that it replaced.",
      args: Joi.object({ memory_id: id }),
      async run({ memory_id }) {
        await memories.remove(memory_id);
        return { memory_id };
      },
    }),
  ];
}

function toMemoryView(memory: Memory) {
  const { id: memory_id, title: name, content: text, type, target_id, character_id, character_name } = memory;
  const { kind, importance, priority, said_at, expires_at, created_at } = memory;
  return {
    id: memory_id,
    title: name,
    content: text,
    type,
    kind,
    target_id,
    character_id,
    character_name,
    importance,
    priority,
    said_at,
    expires_at,
    created_at,
  };
}
