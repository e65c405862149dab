import Joi from "@hapi/joi";
import { type Settings, type Tool, textOf, tool } from "@parley/core";
import { toolFailure } from "../said-failures.ts";
import { NEWS, SEARCH, SEARXNG_URL, type ToolsConfig } from "../settings.ts";
import type { JsonService } from "./json-service.ts";
import { addressOf } from "./weather.ts";

const MAX_TEXT = 500;

interface Found {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  readonly date?: string;
}

export interface SearchParts {
  /** For services of strangers. */
  readonly open: JsonService;
  /** For the one that an administrator runs. */
  readonly own: JsonService;
  readonly settings: () => Settings;
  readonly config: ToolsConfig;
}

const text = Joi.string().allow("", null).default("");
const itemsOf = (fields: object) =>
  Joi.array()
    .items(Joi.object(fields as never).unknown())
    .default([]);

const searxng = Joi.object<{ readonly results: readonly SearxngResult[] }>({
  results: itemsOf({ title: text, url: text, content: text, publishedDate: text }).required(),
});
interface SearxngResult {
  readonly title: string;
  readonly url: string;
  readonly content: string;
  readonly publishedDate: string;
}
const wikipedia = Joi.object<{ readonly query: { readonly search: readonly WikipediaResult[] } }>({
  query: Joi.object({ search: itemsOf({ title: text, snippet: text, pageid: Joi.number().required() }) })
    .unknown()
    .required(),
});
interface WikipediaResult {
  readonly title: string;
  readonly snippet: string;
  readonly pageid: number;
}
const gdelt = Joi.object<{ readonly articles: readonly GdeltArticle[] }>({
  articles: itemsOf({ title: text, url: text, domain: text, seendate: text }),
});
interface GdeltArticle {
  readonly title: string;
  readonly url: string;
  readonly domain: string;
  readonly seendate: string;
}

/** Searches of the web and of the news, by the service that is set; without one they are not offered. */
export function searchTools({ open, own, settings, config }: SearchParts): readonly Tool[] {
  const isUsable = (chosen: string) => chosen !== "off" && (chosen !== "searxng" || settings().get(SEARXNG_URL) !== "");
  const bySearxng = async (query: string, category: string, signal: AbortSignal) => {
    const url = addressOf(settings().get(SEARXNG_URL), "/search", { q: query, format: "json", categories: category });
    const { results } = await own.get(url, searxng, signal);
    return results.map(({ title, url: address, content, publishedDate }) =>
      found(title, address, content, publishedDate),
    );
  };
  const byWikipedia = async (query: string, count: number, signal: AbortSignal) => {
    const asked = { action: "query", list: "search", srsearch: query, srlimit: String(count), format: "json" };
    const { search } = (await open.get(addressOf(config.wikipedia_url, "/w/api.php", asked), wikipedia, signal)).query;
    return search.map(({ title, snippet, pageid }) =>
      found(title, addressOf(config.wikipedia_url, "/", { curid: String(pageid) }).href, withoutMarkup(snippet)),
    );
  };
  const byGdelt = async (query: string, count: number, signal: AbortSignal) => {
    const asked = { query, mode: "ArtList", format: "json", sort: "DateDesc", maxrecords: String(count) };
    const { articles } = await open.get(addressOf(config.gdelt_url, "/api/v2/doc/doc", asked), gdelt, signal);
    return articles.map(({ title, url, domain, seendate }) => found(title, url, domain, seendate));
  };
  const shared = { scope: "gateway.read", risk: "read", audience: ["ai"], group: "time_and_web" } as const;
  const query = textOf(400).trim().min(1).disallow("").required();
  return [
    tool<{ readonly query: string; readonly num_results: number }>({
      ...shared,
      name: "search_web",
      purpose: "Searches the web; gives titles, addresses and short texts.",
      args: Joi.object({ query, num_results: Joi.number().integer().min(1).max(10).default(3) }),
      answersAreData: true,
      isOffered: () => isUsable(settings().get(SEARCH)),
      async run({ query: asked, num_results }, { signal }) {
        const chosen = settings().get(SEARCH);
        const results =
          chosen === "wikipedia"
            ? await byWikipedia(asked, num_results, signal)
            : await bySearxng(asked, "general", signal);
        return answerOf(chosen, results, num_results);
      },
    }),
    tool<{ readonly query: string; readonly count: number }>({
      ...shared,
      name: "search_news",
      purpose: "Searches the news, the newest first; gives titles, addresses and dates.",
      args: Joi.object({
        query: textOf(400).trim().min(3).disallow("").required(),
        count: Joi.number().integer().min(1).max(20).default(5),
      }),
      answersAreData: true,
      isOffered: () => isUsable(settings().get(NEWS)),
      async run({ query: asked, count }, { signal }) {
        const chosen = settings().get(NEWS);
        const results =
          chosen === "gdelt" ? await byGdelt(asked, count, signal) : await bySearxng(asked, "news", signal);
        return answerOf(chosen, results, count);
      },
    }),
  ];
}

function answerOf(source: string, results: readonly Found[], count: number) {
  if (source === "off") throw toolFailure("unavailable", "no_search");
  return { source, results: results.slice(0, count) };
}

function found(title: string, url: string, content: string, date = ""): Found {
  return { title, url, text: [...content].slice(0, MAX_TEXT).join(""), ...(date && { date }) };
}

function withoutMarkup(snippet: string): string {
  const entities: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", "#039": "'" };
  return snippet
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(quot|amp|lt|gt|#039);/g, (_, name: string) => entities[name] ?? "");
}
