import Joi from "@hapi/joi";
import { type Character, commaList, notFound, type Tool, textOf, tool, toSharedError } from "@parley/core";
import type { CharacterFields } from "@parley/core/characters";
import type { Page } from "@parley/core/http";
import type { CharacterRecords } from "./records/character-records.ts";
import { charactersTexts } from "./texts.ts";

const MAX_DESCRIPTION_CHARS = 300;

const READ_OPTIONS = { risk: "read", scope: "gateway.read", audience: ["mcp", "web-agent"] } as const;
const WRITE_OPTIONS = { risk: "high", scope: "gateway.manage", audience: ["mcp", "web-agent"] } as const;

interface ListArgs extends Page {
  readonly query?: string;
}
interface CharacterArgs extends Partial<CharacterFields> {
  readonly character_id: string;
}

const fields = {
  description: textOf(20_000),
  personality: textOf(20_000),
  scenario: textOf(20_000),
  system_prompt: textOf(100_000),
  first_message: textOf(20_000),
  rules: commaList(textOf(1_000), 100),
  tags: commaList(textOf(40), 32),
};
const characterId = Joi.string().trim().min(1).max(100).required();
const page = {
  limit: Joi.number().integer().min(1).max(500).default(50),
  offset: Joi.number().integer().min(0).default(0),
};

export function createCharacterTools(records: CharacterRecords): readonly Tool[] {
  const byIdOrName = async (idOrName: string): Promise<Character> => {
    const found = await records.find(idOrName);
    if (found) return found;
    const named = await records.named(idOrName);
    if (named.length > 1) {
      throw charactersTexts.error("conflict", "many_of_name", { ids: named.map(({ id }) => id).join(", ") });
    }
    if (!named[0]) throw notFound("character", idOrName);
    return named[0];
  };
  return [
    tool<ListArgs>({
      ...READ_OPTIONS,
      name: "web_list_characters",
      help: { en: "Lists characters, last changed first.", zh: "列出角色，最近修改的在前。" },
      purpose: "The characters, the last changed first.",
      args: Joi.object({ query: Joi.string().allow("").max(200), ...page }),
      async run({ query, ...asked }) {
        const { items, total } = await records.page({ ...asked, ...(query && { q: query }) });
        const characters = items.map(({ id, name, description, tags, created_at }) => ({
          id,
          name,
          description: [...description].slice(0, MAX_DESCRIPTION_CHARS).join(""),
          tags,
          created_at,
        }));
        return { characters, count: items.length, total, truncated: asked.offset + items.length < total };
      },
    }),
    tool<{ readonly character_id: string }>({
      ...READ_OPTIONS,
      name: "web_get_character",
      help: { en: "Shows a character by its ID or unique name.", zh: "按 ID 或唯一的名称查看一个角色。" },
      purpose: "One character, by its id or by a name that only one has.",
      args: Joi.object({ character_id: characterId }),
      run: async (asked) => ({ character: await byIdOrName(asked.character_id) }),
    }),
    tool<CharacterFields>({
      ...WRITE_OPTIONS,
      name: "web_create_character",
      help: { en: "Creates a character.", zh: "创建角色。" },
      purpose: "Creates a character.",
      args: Joi.object({ name: Joi.string().max(400).required(), ...fields }),
      async run(draft) {
        const { id, name } = await records.create(draft);
        return { character_id: id, name };
      },
    }),
    tool<CharacterArgs>({
      ...WRITE_OPTIONS,
      name: "web_update_character",
      help: {
        en: 'Changes a character; fields that are not given stay, "" or [] clears them.',
        zh: '修改角色；未给出的保持不变，"" 或 [] 表示清空。',
      },
      purpose: 'Changes a character; what is not given stays, "" or [] clears.',
      args: Joi.object({ character_id: characterId, name: Joi.string().max(400), ...fields }),
      async run({ character_id, ...patch }) {
        const { id } = await byIdOrName(character_id);
        if (Object.keys(patch).length === 0) throw toSharedError("bad_request", "nothing_to_update", {});
        const { name } = await records.update(id, patch);
        return { character_id: id, name };
      },
    }),
    tool<{ readonly character_id: string }>({
      ...WRITE_OPTIONS,
      deletes: true,
      name: "web_delete_character",
      help: {
        en: "Deletes a character; conversations bound to it keep its name and prompt.",
        zh: "删除角色；绑定过的会话保留其名称和提示词。",
      },
      purpose: "Deletes a character; sessions it was bound to keep its name and prompt.",
      args: Joi.object({ character_id: characterId }),
      async run({ character_id }) {
        const { id } = await byIdOrName(character_id);
        await records.remove(id);
        return { character_id: id };
      },
    }),
  ];
}
