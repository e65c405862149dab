import Joi from "@hapi/joi";
import { setting, withLabel } from "@parley/core";

const createAddressSchema = () =>
  Joi.string()
    .uri({ scheme: ["http", "https"] })
    .max(500)
    .allow("");

export const PRIVATE_ADDRESSES = setting({
  key: "tools.allow_private_addresses",
  schema: Joi.boolean().strict().default(false),
  group: "network",
  title: { en: "Tools may reach private addresses", zh: "工具可访问内网地址" },
  help: {
    en: "Of this machine and its network. Anyone who talks to the AI may then have it call services there.",
    zh: "包括本机和内网。开启后，与 AI 对话的人可能让它请求内网服务。",
  },
});

const OFF_LABEL = { en: "Off", zh: "关闭" };
const toLabel = (name: string) => ({ en: name, zh: name });

export const WEATHER = setting({
  key: "tools.weather",
  schema: Joi.valid("off", "open_meteo").default("open_meteo"),
  group: "connections",
  title: { en: "Weather from", zh: "天气来源" },
  options: { off: OFF_LABEL, open_meteo: toLabel("Open-Meteo") },
  help: {
    en: "Open-Meteo needs no key. It receives the place asked about.",
    zh: "Open-Meteo 无需密钥，会收到查询的地点。",
  },
});

export const SEARCH = setting({
  key: "tools.search",
  schema: Joi.valid("off", "wikipedia", "searxng").default("off"),
  group: "connections",
  title: { en: "Search the web with", zh: "网页搜索" },
  options: { off: OFF_LABEL, wikipedia: toLabel("Wikipedia"), searxng: toLabel("SearXNG") },
  help: {
    en: "Wikipedia needs no key but only searches its own articles. SearXNG is a search service you host.",
    zh: "Wikipedia 无需密钥，但只搜索其自身条目；SearXNG 为自建的搜索服务。",
  },
});

export const NEWS = setting({
  key: "tools.news",
  schema: Joi.valid("off", "gdelt", "searxng").default("off"),
  group: "connections",
  title: { en: "News from", zh: "新闻来源" },
  options: { off: OFF_LABEL, gdelt: toLabel("GDELT"), searxng: toLabel("SearXNG") },
  help: {
    en: "GDELT needs no key. SearXNG is a search service you host.",
    zh: "GDELT 无需密钥；SearXNG 为自建的搜索服务。",
  },
});

export const SEARXNG_URL = setting({
  key: "tools.searxng_url",
  schema: createAddressSchema().default(""),
  group: "connections",
  title: { en: "Address of SearXNG", zh: "SearXNG 地址" },
  help: {
    en: "Enable the json format (search.formats in its settings.yml).",
    zh: "须在其 settings.yml 的 search.formats 中启用 json。",
  },
});

export const TOOL_SETTINGS = [PRIVATE_ADDRESSES, WEATHER, SEARCH, NEWS, SEARXNG_URL] as const;

/** URLs of the services without API keys; can be replaced by a mirror. */
export interface ToolsConfig {
  readonly open_meteo_url: string;
  readonly geocoding_url: string;
  readonly wikipedia_url: string;
  readonly gdelt_url: string;
}

const addressWithDefault = (fallback: string) => createAddressSchema().disallow("").default(fallback);
export const toolsConfig = Joi.object<ToolsConfig, true>({
  open_meteo_url: withLabel(addressWithDefault("https://api.open-meteo.com"), {
    title: { en: "Address of the weather service", zh: "天气服务地址" },
    help: { en: "Weather service, or a compatible one", zh: "天气服务地址；可换成同类的其他服务" },
  }),
  geocoding_url: withLabel(addressWithDefault("https://geocoding-api.open-meteo.com"), {
    title: { en: "Address of the geocoding service", zh: "地名查询地址" },
    help: { en: "Geocoding service for the weather", zh: "天气所用的地名查询地址" },
  }),
  wikipedia_url: withLabel(addressWithDefault("https://en.wikipedia.org"), {
    title: { en: "Wikipedia address", zh: "维基百科地址" },
    help: { en: "Wikipedia to search, for example in another language", zh: "搜索所用的 Wikipedia，例如其他语言版本" },
  }),
  gdelt_url: withLabel(addressWithDefault("https://api.gdeltproject.org"), {
    title: { en: "Address of the news service", zh: "新闻服务地址" },
    help: { en: "News", zh: "新闻服务地址" },
  }),
});
