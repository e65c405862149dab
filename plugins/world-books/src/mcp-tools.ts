import Joi from "@hapi/joi";
import { commaList, type Tool, textOf, toFieldProblems, tool, toValidationError } from "@parley/core";
import type { Page } from "@parley/core/http";
import { toBookView } from "./books/assumed-name.ts";
import type { Books } from "./books/books.ts";
import { ENTRY_TYPES, type EntryDraft } from "./books/entry-fields.ts";
import { type BookDraft, books as bookResource } from "./books/schema.ts";

const read = { risk: "read", scope: "gateway.read", audience: ["mcp", "web-agent"] } as const;
const act = { risk: "high", scope: "gateway.manage", audience: ["mcp", "web-agent"] } as const;

interface BookArgs {
  readonly book_id: string;
}
interface NewBook {
  readonly name: string;
  readonly description?: string;
  readonly character_ids?: readonly string[];
}

const bookId = Joi.string().trim().min(1).max(128).required();
const page = {
  limit: Joi.number().integer().min(1).max(500).default(50),
  offset: Joi.number().integer().min(0).default(0),
};

export function createWorldBookTools(books: Books): readonly Tool[] {
  return [
    tool<Page>({
      ...read,
      name: "web_list_world_books",
      help: { en: "Lists world books, last changed first.", zh: "列出世界书，最近修改的在前。" },
      purpose: "Lists the world books, last changed first.",
      args: Joi.object(page),
      async run(asked) {
        const { items, total } = await books.page({ ...asked });
        const world_books = items.map(({ id, name, description, entry_count, character_ids, enabled, created_at }) => ({
          id,
          name,
          description,
          entry_count,
          character_ids,
          enabled,
          created_at,
        }));
        return { world_books, count: items.length, total, truncated: asked.offset + items.length < total };
      },
    }),
    tool<BookArgs & Page>({
      ...read,
      name: "web_get_world_book",
      help: {
        en: "Shows a world book and its entries, highest priority first.",
        zh: "查看世界书及其条目，优先级高的在前。",
      },
      purpose: "Returns a world book and its entries, highest priority first.",
      args: Joi.object({ book_id: bookId, ...page }),
      async run({ book_id, ...asked }) {
        const book = await books.get(book_id);
        const { items, total } = await books.listEntries(book_id, asked);
        const truncated = asked.offset + items.length < total;
        return {
          world_book: { ...toBookView(book), entry_count: total, entries: items },
          count: items.length,
          total,
          truncated,
        };
      },
    }),
    tool<NewBook>({
      ...act,
      name: "web_create_world_book",
      help: {
        en: "Creates a world book; without characters it applies to all conversations.",
        zh: "创建世界书；未指定角色时在所有会话生效。",
      },
      purpose: "Creates a world book; without character_ids it applies to every conversation.",
      args: Joi.object({
        name: Joi.string().max(400).required(),
        description: textOf(4_000),
        character_ids: commaList(textOf(100).trim().min(1), 500),
      }),
      async run(draft) {
        const { item } = await books.create(validateBook(draft), []);
        return { book_id: item.id, name: item.name };
      },
    }),
    tool<BookArgs & EntryDraft>({
      ...act,
      name: "web_add_world_book_entry",
      help: {
        en: "Adds an entry to a world book, used when a keyword is mentioned or always.",
        zh: "向世界书添加设定，提到关键词时或始终带入。",
      },
      purpose: "Adds an entry to a world book; it is activated when one of its keywords occurs, or always.",
      args: Joi.object({
        book_id: bookId,
        content: textOf(20_000).required(),
        name: textOf(200),
        keywords: commaList(textOf(200), 100),
        priority: Joi.number().integer().min(-1_000).max(1_000).default(0),
        entry_type: Joi.valid(...ENTRY_TYPES).default("lore"),
        always_on: Joi.boolean().default(false),
      }),
      async run({ book_id, ...draft }) {
        const [entry] = (await books.addEntries(book_id, [draft], true)).items;
        return { entry_id: entry?.id, book_id, warnings: entry?.warnings };
      },
    }),
    tool<BookArgs>({
      ...act,
      deletes: true,
      name: "web_delete_world_book",
      help: { en: "Deletes a world book and all its entries.", zh: "删除世界书及其所有条目。" },
      purpose: "Deletes a world book with all its entries.",
      args: Joi.object({ book_id: bookId }),
      async run({ book_id }) {
        await books.get(book_id);
        await books.remove(book_id);
        return { book_id };
      },
    }),
  ];
}

/** Validates a draft like the routes do, for callers other than the routes. */
function validateBook(draft: NewBook): BookDraft {
  const { value, error } = bookResource.draft.validate(draft, { errors: { label: false } });
  if (error) throw toValidationError(toFieldProblems(error).slice(0, 1), "book");
  return value as unknown as BookDraft;
}
