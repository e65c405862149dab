import {
  addResource,
  type ConsoleArea,
  ConsoleAreas,
  type DefinedPlugin,
  definePlugin,
  displayName,
  Joi,
  type Localized,
  metadata,
  RouteTables,
  rawReply,
  resource,
  route,
  tagsOf,
  textOf,
  timestamp,
  withLabel,
} from "@parley/core";

interface Plant {
  readonly name: string;
  readonly kind: "tree" | "herb";
  readonly care: string;
  readonly notes: string;
  readonly tags: readonly string[];
  readonly months: readonly ("spring" | "summer")[];
  readonly watered: boolean;
  readonly height: number;
  readonly light: number;
  readonly planted_at: string | null;
  readonly photo: string;
  readonly sheet: string | null;
  readonly extra: object;
}

const titled = (en: string, zh: string): { readonly title: Localized } => ({ title: { en, zh } });

/** A resource with a field of every kind. */
export const plantResource = resource<Plant>({
  kind: "plant",
  path: "/api/plants",
  param: "plant_id",
  idPrefix: "plant",
  title: { one: { en: "plant", zh: "植物" }, many: { en: "plants", zh: "植物" } },
  about: { en: "What grows here, and how to keep it alive.", zh: "这里种了什么，以及如何照料。" },
  fields: {
    name: withLabel(displayName(40).required(), {
      ...titled("Name", "名称"),
      help: { en: "As on its label", zh: "如标签所写" },
    }),
    kind: withLabel(Joi.valid("tree", "herb").default("herb"), {
      ...titled("Kind", "种类"),
      options: { tree: { en: "Tree", zh: "树" }, herb: { en: "Herb", zh: "草本" } },
    }),
    care: withLabel(textOf(2000).default(""), { ...titled("Care", "养护"), widget: "markdown" }),
    notes: withLabel(textOf(500).default(""), { ...titled("Notes", "备注"), widget: "textarea" }),
    tags: withLabel(tagsOf(5).default([]), titled("Tags", "标签")),
    months: withLabel(Joi.array().items(Joi.valid("spring", "summer")).unique().default([]), {
      ...titled("Seasons", "季节"),
      options: { spring: { en: "Spring", zh: "春" }, summer: { en: "Summer", zh: "夏" } },
    }),
    watered: withLabel(Joi.boolean().default(false), titled("Watered", "已浇水")),
    height: withLabel(Joi.number().integer().min(0).max(9000).default(0), titled("Height (cm)", "高度（厘米）")),
    light: withLabel(Joi.number().min(0).max(1).default(0.5), { ...titled("Light", "光照"), widget: "slider" }),
    planted_at: withLabel(timestamp().allow(null).default(null), titled("Planted", "种植时间")),
    photo: withLabel(textOf(500).default(""), { ...titled("Photo", "照片"), widget: "picture" }),
    sheet: withLabel(textOf(500).allow(null).default(null), { ...titled("Data sheet", "说明书"), widget: "file" }),
    extra: withLabel(metadata().default({}), { ...titled("Extra", "其他"), widget: "json" }),
  },
  search: ["name"],
  filters: ["kind", "watered"],
  sort: ["name", "height"],
  unique: "name",
  columns: ["name", "kind", "tags", "watered", "height", "planted_at", "updated_at"],
  actions: [
    {
      id: "prune",
      title: { en: "Prune", zh: "修剪" },
      method: "POST",
      path: "{plant_id}/prune",
      bulk: true,
      confirm: { en: "What is cut off does not grow back at once.", zh: "剪掉的部分不会立刻长回。" },
      body: Joi.object({
        depth: withLabel(Joi.number().integer().min(1).max(50).required(), titled("Depth (cm)", "深度（厘米）")),
      }),
    },
    { id: "look", title: { en: "Look", zh: "查看" }, method: "GET", path: "{plant_id}/look", answer: "shown" },
  ],
});

const moduleRoute = (text: string, name: string) =>
  route({
    method: "GET",
    path: `/api/garden/${name}.js`,
    summary: "a page of the garden",
    reply: "raw",
    data: { "text/javascript": Joi.string() },
    run: () => rawReply({ body: text, type: "text/javascript; charset=utf-8" }),
  });

const WEATHER = `export default {
  async mount(element, host) {
    const { total } = await host.call("GET", "/api/plants");
    const text = document.createElement("p");
    text.lang = host.locale;
    text.textContent = host.localize({ en: "Plants: ", zh: "植物：" }) + total + " " + host.theme + " " + (host.record ?? "");
    const button = document.createElement("button");
    button.textContent = "To the plants";
    button.onclick = () => host.navigate("/area/plants");
    const say = document.createElement("button");
    say.textContent = "Say it";
    say.onclick = () => host.toast("It rains");
    element.append(text, button, say);
    return () => document.body.dataset.left = "yes";
  },
};`;

const area = (one: ConsoleArea) => one;

/** A third-party plugin with records, a module page, and a page that fails. */
export const galleryPlugin: DefinedPlugin = definePlugin({
  id: "garden",
  register(context) {
    addResource(context, plantResource);
    const { contribute } = context;
    contribute(RouteTables, () => [
      moduleRoute(WEATHER, "weather"),
      moduleRoute(`export default { mount() { throw new Error("the barometer fell"); } };`, "broken"),
      route({
        method: "POST",
        path: "/api/plants/{plant_id}/prune",
        summary: "cut a plant",
        body: Joi.object<{ readonly depth: number }>({ depth: Joi.number().integer().min(1).max(50).required() }),
        data: Joi.object({ id: Joi.string().required(), depth: Joi.number().required() }),
        run: ({ params, body }) => ({ id: params.plant_id, ...body }),
      }),
      route({
        method: "GET",
        path: "/api/plants/{plant_id}/look",
        summary: "look at a plant",
        data: Joi.object({ leaves: Joi.number().required() }),
        run: () => ({ leaves: 12 }),
      }),
    ]);
    contribute(ConsoleAreas, () =>
      area({
        id: "plants",
        group: "knowledge",
        title: { en: "Plants", zh: "植物" },
        icon: "heart",
        view: { kind: "resource", resource: "plant" },
      }),
    );
    contribute(ConsoleAreas, () =>
      area({
        id: "weather",
        group: "knowledge",
        title: { en: "Weather", zh: "天气" },
        icon: "globe",
        view: { kind: "module", url: "/api/garden/weather.js" },
      }),
    );
    contribute(ConsoleAreas, () =>
      area({
        id: "barometer",
        group: "knowledge",
        title: { en: "Barometer", zh: "气压" },
        icon: "chart",
        view: { kind: "module", url: "/api/garden/broken.js" },
      }),
    );
  },
});
