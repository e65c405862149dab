import Joi from "@hapi/joi";
import { type Settings, type Tool, textOf, tool } from "@parley/core";
import { NEWS, SEARCH, SEARXNG_URL, type ToolsConfig } from "../settings.ts";
import { toolsTexts } from "../texts.ts";
import type { JsonService } from "./json-service.ts";
import { buildUrl } from "./weather.ts";

const MAX_TEXT_CHARS = 500;

interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  readonly date?: string;
}

export interface SearchDeps {
  /** Calls public search services. */
  readonly publicService: JsonService;
  /** Calls a search service that an administrator runs. */
  readonly ownService: JsonService;
  readonly settings: () => Settings;
  readonly config: ToolsConfig;
}

const text = Joi.string().allow("", null).default("");
const listOfItems = (fields: object) =>
  Joi.array()
    .items(Joi.object(fields as never).unknown())
    .default([]);

const searxngSchema = Joi.object<{ readonly results: readonly SearxngResult[] }>({
  results: listOfItems({ title: text, url: text, content: text, publishedDate: text }).required(),
});
interface SearxngResult {
  readonly title: string;
  readonly url: string;
  readonly content: string;
  readonly publishedDate: string;
}
const wikipediaSchema = Joi.object<{ readonly query: { readonly search: readonly WikipediaResult[] } }>({
  query: Joi.object({ search: listOfItems({ title: text, snippet: text, pageid: Joi.number().required() }) })
    .unknown()
    .required(),
});
interface WikipediaResult {
  readonly title: string;
  readonly snippet: string;
  readonly pageid: number;
}
const gdeltSchema = Joi.object<{ readonly articles: readonly GdeltArticle[] }>({
  articles: listOfItems({ title: text, url: text, domain: text, seendate: text }),
});
interface GdeltArticle {
  readonly title: string;
  readonly url: string;
  readonly domain: string;
  readonly seendate: string;
}

/** Creates the tools that search the web and the news with the configured services; without a service they are not offered. */
export function createSearchTools({ publicService, ownService, settings, config }: SearchDeps): readonly Tool[] {
  const isUsable = (chosen: string) => chosen !== "off" && (chosen !== "searxng" || settings().get(SEARXNG_URL) !== "");
  const searchSearxng = async (query: string, category: string, signal: AbortSignal) => {
    const url = buildUrl(settings().get(SEARXNG_URL), "/search", { q: query, format: "json", categories: category });
    const { results } = await ownService.get(url, searxngSchema, signal);
    return results.map(({ title, url: address, content, publishedDate }) =>
      toSearchResult(title, address, content, publishedDate),
    );
  };
  const searchWikipedia = async (query: string, count: number, signal: AbortSignal) => {
    const asked = { action: "query", list: "search", srsearch: query, srlimit: String(count), format: "json" };
    const { search } = (
      await publicService.get(buildUrl(config.wikipedia_url, "/w/api.php", asked), wikipediaSchema, signal)
    ).query;
    return search.map(({ title, snippet, pageid }) =>
      toSearchResult(title, buildUrl(config.wikipedia_url, "/", { curid: String(pageid) }).href, stripMarkup(snippet)),
    );
  };
  const searchGdelt = async (query: string, count: number, signal: AbortSignal) => {
    const asked = { query, mode: "ArtList", format: "json", sort: "DateDesc", maxrecords: String(count) };
    const { articles } = await publicService.get(
      buildUrl(config.gdelt_url, "/api/v2/doc/doc", asked),
      gdeltSchema,
      signal,
    );
    return articles.map(({ title, url, domain, seendate }) => toSearchResult(title, url, domain, seendate));
  };
  const shared = { scope: "gateway.read", risk: "read", audience: ["ai"], group: "time_and_web" } as const;
  const query = textOf(400).trim().min(1).disallow("").required();
  return [
    tool<{ readonly query: string; readonly num_results: number }>({
      ...shared,
      name: "search_web",
      help: { en: "Searches the web for titles, addresses and excerpts.", zh: "搜索网页，给出标题、地址和摘要。" },
      purpose: "Searches the web; returns titles, addresses and short texts.",
      args: Joi.object({ query, num_results: Joi.number().integer().min(1).max(10).default(3) }),
      answersAreData: true,
      isOffered: () => isUsable(settings().get(SEARCH)),
      async run({ query: asked, num_results }, { signal }) {
        const chosen = settings().get(SEARCH);
        const results =
          chosen === "wikipedia"
            ? await searchWikipedia(asked, num_results, signal)
            : await searchSearxng(asked, "general", signal);
        return toReply(chosen, results, num_results);
      },
    }),
    tool<{ readonly query: string; readonly count: number }>({
      ...shared,
      name: "search_news",
      help: { en: "Searches the news, newest first.", zh: "搜索新闻，最新的在前。" },
      purpose: "Searches the news, newest first; returns titles, addresses and dates.",
      args: Joi.object({
        query: textOf(400).trim().min(3).disallow("").required(),
        count: Joi.number().integer().min(1).max(20).default(5),
      }),
      answersAreData: true,
      isOffered: () => isUsable(settings().get(NEWS)),
      async run({ query: asked, count }, { signal }) {
        const chosen = settings().get(NEWS);
        const results =
          chosen === "gdelt" ? await searchGdelt(asked, count, signal) : await searchSearxng(asked, "news", signal);
        return toReply(chosen, results, count);
      },
    }),
  ];
}

function toReply(source: string, results: readonly SearchResult[], count: number) {
  if (source === "off") throw toolsTexts.error("unavailable", "no_search");
  return { source, results: results.slice(0, count) };
}

function toSearchResult(title: string, url: string, content: string, date = ""): SearchResult {
  return { title, url, text: [...content].slice(0, MAX_TEXT_CHARS).join(""), ...(date && { date }) };
}

function stripMarkup(snippet: string): string {
  const entities: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", "#039": "'" };
  return snippet
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(quot|amp|lt|gt|#039);/g, (_, name: string) => entities[name] ?? "");
}
