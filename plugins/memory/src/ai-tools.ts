import Joi from "@hapi/joi";
import type { Clock } from "@parley/core";
import { type Memory, notBlank, type Tool, type ToolContext, textOf, tool } from "@parley/core";
import type { PersonsMemories, Talker } from "./own-memories.ts";
import type { Remember } from "./remember.ts";
import { memoryFailure } from "./said-failures.ts";
import { MAX_CONTENT } from "./schema.ts";
import { isOn, type SwitchParts } from "./settings.ts";

/** What whoever talks may always do with what is remembered of them. */
const whose = { scope: "gateway.read", audience: ["ai"], group: "memory" } as const;
const SHOWN = 20;

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

export interface AiToolsParts extends SwitchParts {
  readonly own: PersonsMemories;
  readonly remember: Remember;
  readonly write: (writes: Parameters<import("@parley/core").Database["write"]>[0]) => Promise<unknown>;
  readonly clock: Clock;
  /** Whether anything is remembered and recalled, known without asking. */
  readonly isOffered: () => boolean;
}

const ids = Joi.array().items(Joi.string().max(64)).min(1).max(SHOWN).required();
const content = notBlank(textOf(MAX_CONTENT)).required();

/** The model's tools for the person it talks with; of nobody else it is told anything. */
export function aiTools(parts: AiToolsParts): readonly Tool[] {
  const { own: persons, remember, write, clock, isOffered } = parts;
  const own = { ...whose, isOffered };
  const talkerOf = async ({ inbound, sessionId }: ToolContext): Promise<Talker> => {
    if (!inbound || sessionId === undefined) throw memoryFailure("unavailable", "nobody");
    if (!(await isOn(parts))) throw memoryFailure("unavailable", "off");
    return { inbound, sessionId };
  };
  return [
    tool<SaveArgs>({
      ...own,
      risk: "action",
      name: "save_to_memory",
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
        const talker = await talkerOf(context);
        await persons.refuseTemporary(talker);
        const finding = { ...given, summary, type: mem_type, kind: "other" as const, importance: 7, fact: null };
        const { kept, writes, applied } = await remember.keeping([finding], {
          target_id: persons.address(talker),
          character_id: await persons.characterOf(talker),
          session_id: talker.sessionId,
          source: "tool",
          source_turn_id: context.traceId,
          said_at: new Date(clock.now()).toISOString(),
        });
        await write(writes);
        applied();
        return kept[0] ? { memory_id: kept[0].id } : { known: true };
      },
    }),
    tool<ReadArgs>({
      ...own,
      risk: "read",
      name: "read_memory",
      purpose: "What is remembered of the person you talk with; with a query, what fits it best.",
      args: Joi.object({
        mem_type: Joi.valid("all", "long", "short").default("all"),
        query: textOf(2_000).default(""),
      }),
      async run({ mem_type, query }, context) {
        const found = await persons.list(await talkerOf(context), {
          text: query.trim(),
          ...(mem_type !== "all" && { type: mem_type }),
        });
        return { memories: found.slice(0, SHOWN).map(listed), total: found.length };
      },
    }),
    tool<{ readonly memory_id: string; readonly content: string }>({
      ...own,
      risk: "action",
      name: "correct_memory",
      purpose: "Corrects what is remembered of the person you talk with, by the id that read_memory gives.",
      args: Joi.object({ memory_id: Joi.string().max(64).required(), content }),
      async run({ memory_id, content: text }, context) {
        const talker = await talkerOf(context);
        await persons.refuseTemporary(talker);
        return listed(await persons.correct(talker, memory_id, text));
      },
    }),
    tool<{ readonly memory_ids: readonly string[] }>({
      ...own,
      risk: "high",
      concernsAsker: true,
      deletes: true,
      name: "forget_memory",
      purpose:
        "Forgets for good what the person you talk with wants forgotten, by the ids that read_memory gives; they are asked to confirm it.",
      args: Joi.object({ memory_ids: ids }),
      async run({ memory_ids }, context) {
        const gone = await persons.forget(await talkerOf(context), memory_ids);
        return { forgotten: gone.length };
      },
    }),
  ];
}

function listed({ id, title, content: text, type, kind, said_at, expires_at }: Memory) {
  return { id, title, content: text, type, kind, said_at, expires_at };
}
