import Joi from "@hapi/joi";
import { commaList, notBlank, type Tool, textOf, tool } from "@parley/core";
import type { Page } from "@parley/core/http";
import type { DocumentStore } from "./documents/document-store.ts";
import type { Documents } from "./documents/documents.ts";
import { type DocumentDraft, documentDraft, MAX_CONTENT } from "./schema.ts";
import type { KnowledgeSearch } from "./search/search.ts";

const PREVIEW_CHARS = 300;

const read = { risk: "read", scope: "gateway.read", audience: ["mcp", "web-agent"] } as const;
const act = { risk: "high", scope: "gateway.manage", audience: ["mcp", "web-agent"] } as const;

const tags = commaList(textOf(40), 32);

export interface ToolDeps {
  readonly store: DocumentStore;
  readonly documents: Documents;
  readonly search: KnowledgeSearch;
}

/** Creates the knowledge tools for MCP clients, the web agent and models. */
export function createKnowledgeTools({ store, documents, search }: ToolDeps): readonly Tool[] {
  return [
    tool<Page>({
      ...read,
      name: "web_list_knowledge",
      help: { en: "Lists knowledge documents, newest first.", zh: "列出知识文档，最新的在前。" },
      purpose: "Lists the knowledge documents, newest first.",
      args: Joi.object({
        limit: Joi.number().integer().min(1).max(500).default(50),
        offset: Joi.number().integer().min(0).default(0),
      }),
      async run(asked) {
        const { items, total } = await store.page(asked);
        const shown = items.map(({ id, title, source, tags: words, size, preview, created_at }) => ({
          id,
          title,
          source,
          tags: words,
          size,
          preview,
          created_at,
        }));
        return { documents: shown, count: items.length, total, truncated: asked.offset + items.length < total };
      },
    }),
    createSearchTool({ ...read, name: "web_search_knowledge" }, search),
    createSearchTool(
      {
        ...read,
        name: "search_knowledge",
        audience: ["ai"],
        group: "knowledge",
      },
      search,
    ),
    tool<Partial<DocumentDraft>>({
      ...act,
      name: "web_add_knowledge",
      help: { en: "Adds a knowledge document.", zh: "添加知识文档。" },
      purpose: "Adds a knowledge document.",
      args: Joi.object({
        title: textOf(200).trim().min(1).disallow("").required(),
        content: notBlank(textOf(MAX_CONTENT)).required(),
        source: textOf(500),
        tags,
      }),
      async run(draft) {
        const { value, error } = documentDraft.validate({ source: "mcp", ...draft });
        if (error) throw error;
        const { id, title } = await documents.create(value);
        return { doc_id: id, title };
      },
    }),
    tool<{ readonly doc_id: string }>({
      ...act,
      deletes: true,
      name: "web_delete_knowledge",
      help: { en: "Deletes a knowledge document.", zh: "删除知识文档。" },
      purpose: "Deletes a knowledge document.",
      args: Joi.object({ doc_id: Joi.string().trim().min(1).max(128).required() }),
      async run({ doc_id }) {
        await documents.remove(doc_id);
        return { doc_id };
      },
    }),
  ];
}

/** Creates the search tool, which has different names for clients and for models. */
function createSearchTool(
  named: Pick<Tool, "name" | "risk" | "scope" | "audience" | "group">,
  search: KnowledgeSearch,
): Tool {
  return tool<{ readonly query: string; readonly top_k: number }>({
    ...named,
    help: {
      en: "Searches the knowledge documents for the passages that fit a question best.",
      zh: "搜索知识文档，给出与问题最相符的段落。",
    },
    purpose: "Searches the knowledge documents; returns the passages that match a question best.",
    args: Joi.object({
      query: textOf(2_000).trim().min(1).disallow("").required(),
      top_k: Joi.number().integer().min(1).max(50).default(5),
    }),
    async run({ query, top_k }, { signal }) {
      const { hits } = await search.find({ query, top_k, mode: "hybrid", min_score: 0 }, signal);
      const results = hits.map(({ doc_id, title, score, chunk }) => ({
        doc_id,
        title,
        score,
        preview: [...chunk].slice(0, PREVIEW_CHARS).join(""),
      }));
      return { query, results, count: results.length };
    },
  });
}
