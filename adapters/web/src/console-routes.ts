import type { ObjectSchema } from "@hapi/joi";
import {
  AREA_GROUPS,
  areaIcons,
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
import { answerFields, shape } from "@parley/core/http";

interface ConsoleRoutesDeps {
  readonly areas: () => readonly ConsoleArea[];
  readonly resources: () => readonly Resource[];
}

const { either, flag, listOf, localized, mapOf, record, text, texts, word } = answerFields;
const viewShape = (kind: string, field: string) => shape({ kind: word(kind), [field]: text });
const areaShape = shape(
  {
    id: text,
    group: word(...AREA_GROUPS),
    title: localized,
    icon: word(...areaIcons),
    view: either(viewShape("page", "page"), viewShape("resource", "resource"), viewShape("module", "url")),
  },
  "ConsoleArea",
);
const columnShape = shape({
  field: text,
  title: localized,
  type: word("text", "number", "switch", "choice", "tags", "time", "json"),
  options: listOf(shape({ value: text, title: localized })).optional(),
});
const formShape = shape({ properties: mapOf(record) }).unknown();
const actionShape = shape({
  id: text,
  title: localized,
  method: word("GET", "POST", "DELETE"),
  path: text,
  scope: text,
  confirm: localized.optional(),
  bulk: flag.optional(),
  answer: word("note", "shown", "download").optional(),
  form: formShape.optional(),
});
const resourceShape = shape<ResourceView>(
  {
    kind: text,
    path: text,
    param: text,
    title: shape({ one: localized, many: localized }),
    about: localized,
    verbs: listOf(word("list", "get", "create", "update", "remove")),
    scopes: shape({ read: text, change: text }),
    columns: listOf(columnShape),
    filters: listOf(columnShape),
    search: flag,
    sort: texts,
    form: formShape,
    edit: formShape,
    actions: listOf(actionShape),
    created: listOf(columnShape),
  },
  "ResourceView",
);
const languageFields = { code: text, name: text };
const listOfItems = (item: ObjectSchema) => shape({ items: listOf(item) });

/** The console's routes: navigation areas and resource pages for the caller. */
export function createConsoleRoutes({ areas, resources }: ConsoleRoutesDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/console/areas",
      summary: "the areas of the console that the caller may see, as its navigation shows them",
      data: listOfItems(areaShape),
      run: ({ caller }) => ({ items: buildNavigation(areas(), caller) }),
    }),
    route({
      method: "GET",
      path: "/api/languages",
      auth: "open",
      summary: "the languages of the service: English, Chinese, and those of the folder `languages`",
      data: listOfItems(shape(languageFields)),
      run() {
        const added = [...listAddedLanguages()].map(([code, { name }]) => ({ code, name }));
        return { items: [{ code: "en", name: "English" }, { code: "zh", name: "中文" }, ...added] };
      },
    }),
    route({
      method: "GET",
      path: "/api/languages/{code}",
      auth: "open",
      params: { code: Joi.string().max(10) },
      summary: "the texts of a language of the folder `languages`, by the English ones",
      data: shape({ ...languageFields, texts: mapOf(text) }),
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
      data: listOfItems(resourceShape),
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
  const canChange = hasScope(caller, view.scopes.change);
  return {
    ...view,
    verbs: view.verbs.filter((verb) => canChange || verb === "list" || verb === "get"),
    actions: view.actions.filter(({ scope }) => hasScope(caller, scope)),
  };
}

function buildNavigation(areas: readonly ConsoleArea[], caller: Caller) {
  const places = new Map(AREA_GROUPS.map((group, index) => [group, index]));
  const getPlace = ({ group }: ConsoleArea) => places.get(group) ?? 0;
  return areas
    .filter(({ scope = "read" }) => hasScope(caller, scope))
    .toSorted((a, b) => getPlace(a) - getPlace(b) || (a.order ?? 100) - (b.order ?? 100) || a.id.localeCompare(b.id))
    .map(({ id, group, title, icon, view }) => ({ id, group, title: capitalize(title), icon, view }));
}

/** Capitalizes a name for use on its own; kinds of resources are written as within a sentence. */
const capitalize = ({ en, zh }: Localized): Localized => ({ en: en.charAt(0).toUpperCase() + en.slice(1), zh });
