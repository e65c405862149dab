import {
  AREA_GROUPS,
  answerFields,
  type Caller,
  type ConsoleArea,
  hasScope,
  Joi,
  type Localized,
  listAddedLanguages,
  notFound,
  type Resource,
  type ResourceView,
  type RouteTable,
  route,
  toResourceView,
} from "@parley/core";

interface ConsoleRoutesDeps {
  readonly areas: () => readonly ConsoleArea[];
  readonly resources: () => readonly Resource[];
}

const localized = answerFields.localized;
const areaSchema = Joi.object({
  id: Joi.string().required(),
  group: Joi.valid(...AREA_GROUPS).required(),
  title: localized.required(),
  icon: Joi.string().required(),
  view: Joi.object({
    kind: Joi.valid("page", "resource", "module").required(),
    page: Joi.string(),
    resource: Joi.string(),
    url: Joi.string(),
  }).required(),
});
const columnSchema = Joi.object({
  field: Joi.string().required(),
  title: localized.required(),
  type: Joi.string().required(),
  options: Joi.array().items(Joi.object({ value: Joi.string().allow("").required(), title: localized.required() })),
});
const formSchema = Joi.object({ properties: Joi.object() }).unknown();
const actionSchema = Joi.object({
  id: Joi.string().required(),
  title: localized.required(),
  method: Joi.string().required(),
  path: Joi.string().required(),
  scope: Joi.string().required(),
  confirm: localized,
  bulk: Joi.boolean(),
  answer: Joi.string(),
  form: formSchema,
});
const names = Joi.array().items(Joi.string()).required();
const columns = Joi.array().items(columnSchema).required();
const resourceSchema = Joi.object({
  kind: Joi.string().required(),
  path: Joi.string().required(),
  param: Joi.string().required(),
  title: Joi.object({ one: localized.required(), many: localized.required() }).required(),
  about: localized.required(),
  verbs: names,
  scopes: Joi.object({ read: Joi.string().required(), change: Joi.string().required() }).required(),
  columns,
  filters: columns,
  search: Joi.boolean().required(),
  sort: names,
  form: formSchema.required(),
  edit: formSchema.required(),
  actions: Joi.array().items(actionSchema).required(),
  created: columns,
});
const languageSchema = { code: Joi.string().required(), name: Joi.string().required() };
const listOfItems = (item: typeof formSchema) => Joi.object({ items: Joi.array().items(item).required() });

/** The console's routes: navigation areas and resource pages for the caller. */
export function consoleRoutes({ areas, resources }: ConsoleRoutesDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/console/areas",
      summary: "the areas of the console that the caller may see, as its navigation shows them",
      data: listOfItems(areaSchema),
      run: ({ caller }) => ({ items: buildNavigation(areas(), caller) }),
    }),
    route({
      method: "GET",
      path: "/api/languages",
      auth: "open",
      summary: "the languages of the service: English, Chinese, and those of the folder `languages`",
      data: listOfItems(Joi.object(languageSchema)),
      run: () => ({
        items: [
          { code: "en", name: "English" },
          { code: "zh", name: "中文" },
          ...listAddedLanguages()
            .entries()
            .map(([code, { name }]) => ({ code, name })),
        ],
      }),
    }),
    route({
      method: "GET",
      path: "/api/languages/{code}",
      auth: "open",
      params: { code: Joi.string().max(10) },
      summary: "the texts of a language of the folder `languages`, by the English ones",
      data: Joi.object({ ...languageSchema, texts: Joi.object().pattern(Joi.string(), Joi.string()).required() }),
      run({ params: { code } }) {
        const language = listAddedLanguages().get(code);
        if (!language) throw notFound("language", code);
        return { code, name: language.name, texts: Object.fromEntries(language.texts) };
      },
    }),
    route({
      method: "GET",
      path: "/api/console/resources",
      summary: "the kinds of records that the caller may read: their columns, forms and actions",
      data: listOfItems(resourceSchema),
      run: ({ caller }) => ({
        items: resources()
          .filter(({ scopes }) => hasScope(caller, scopes.read ?? "read"))
          .map((one) => filterAllowed(toResourceView(one), caller)),
      }),
    }),
  ];
}

/** Removes the actions the caller may not use, so that the page shows no button for them. */
function filterAllowed(view: ResourceView, caller: Caller): ResourceView {
  const mayChange = hasScope(caller, view.scopes.change);
  return {
    ...view,
    verbs: view.verbs.filter((verb) => mayChange || verb === "list" || verb === "get"),
    actions: view.actions.filter(({ scope }) => hasScope(caller, scope)),
  };
}

function buildNavigation(areas: readonly ConsoleArea[], caller: Caller) {
  const places = new Map(AREA_GROUPS.map((group, index) => [group, index]));
  const placeOf = ({ group }: ConsoleArea) => places.get(group) ?? 0;
  return areas
    .filter(({ scope = "read" }) => hasScope(caller, scope))
    .toSorted((a, b) => placeOf(a) - placeOf(b) || (a.order ?? 100) - (b.order ?? 100) || a.id.localeCompare(b.id))
    .map(({ id, group, title, icon, view }) => ({ id, group, title: capitalize(title), icon, view }));
}

/** Capitalizes a name for use on its own; kinds of resources are written as within a sentence. */
const capitalize = ({ en, zh }: Localized): Localized => ({ en: en.charAt(0).toUpperCase() + en.slice(1), zh });
