import * as parley from "@parley/core";
import { literalSecrets } from "@parley/core/secrets";

const { Joi, withLabel } = parley;
const texts = parley.defineTexts("watch", { en: { down: "{name} is down" }, zh: { down: "{name} 无法访问" } });
const title = { one: { en: "watched page", zh: "监测的网页" }, many: { en: "Watched pages", zh: "监测的网页" } };
// The request headers may contain a token: it is encrypted at rest, and answers contain a mask.
const pages = parley.resource<{ name: string; url: string; headers: Record<string, string>; is_up: boolean }>({
  kind: "watched_page",
  path: "/api/watched-pages",
  param: "page_id",
  idPrefix: "page",
  title,
  about: { en: "Checked every hour. Ask the bot which are down.", zh: "每小时检查一次，可以问机器人哪些无法访问。" },
  fields: {
    name: withLabel(parley.textOf(100).trim().min(1).required(), { title: { en: "Name", zh: "名称" } }),
    url: withLabel(Joi.string().uri().required(), { title: { en: "Address", zh: "地址" } }),
    headers: withLabel(Joi.object().pattern(/^/, Joi.string()).default({}), { title: { en: "Headers", zh: "请求头" } }),
    is_up: withLabel(Joi.boolean().default(true), { title: { en: "Up", zh: "可访问" } }),
  },
  secrets: literalSecrets({ url: { form: "address" }, headers: { form: "values", to: "url" } }),
  filters: ["is_up"],
});
const SECONDS = parley.setting<number>({
  key: "watch.seconds",
  schema: Joi.number().integer().min(1).max(60).default(10),
  group: "connections",
  title: { en: "Seconds after which a watched page is down", zh: "监测的网页多少秒无响应算作无法访问" },
});
const view = { kind: "resource", resource: pages.kind } as const;
const AREA = parley.area({ id: "watch", group: "system", title: title.many, icon: "task", view });
const TOOL = { name: "watched_pages", purpose: "Lists the watched web pages that are up, or those that are down." };
const RIGHTS = { scope: "gateway.read", risk: "read", audience: ["ai", "mcp"] } as const;
const args = Joi.object<{ is_up: boolean }>({ is_up: Joi.boolean().required() });
const CHECK = { name: "watch.check", title: { en: "Check watched pages", zh: "检查监测的网页" }, everyMs: 3_600_000 };

export default parley.definePlugin({
  id: "watch",
  requires: [parley.RecordStore, parley.Settings],
  register(context) {
    const stored = (from: parley.Resolver) => from.get(parley.RecordStore).of(pages);
    parley.addResource(context, pages);
    context.contribute(parley.SettingDefinitions, () => SECONDS);
    context.contribute(parley.ConsoleAreas, () => AREA);
    context.contribute(parley.Tools, (from) => {
      const list = (filter: { is_up: boolean }) => stored(from).page({ ...filter, limit: 50, offset: 0 });
      return parley.tool({ ...TOOL, ...RIGHTS, args, run: list });
    });
    context.contribute(parley.Upkeeps, (from) => ({ ...CHECK, run: ({ log }) => check(from, log) }));
    const check = async (from: parley.Resolver, log: parley.JobContext["log"]) => {
      const timeoutMs = from.get(parley.Settings).get(SECONDS) * 1_000;
      const request = from.get(parley.Egress).fetch({ reach: "loopback", timeoutMs });
      for await (const { id, name, url, headers } of stored(from).all()) {
        const answer = await request(url, { headers }).catch(() => undefined);
        if (!answer?.ok) log(texts.message("down", { name }));
        await stored(from).change(id, { is_up: answer?.ok ?? false });
      }
    };
  },
});
