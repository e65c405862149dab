import Joi, { type Schema } from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import { SCOPES, type Scope } from "../../services/operations/accounts.ts";
import { validateWith } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";

/** Headings of the console's navigation, from top to bottom. */
export const AREA_GROUPS = ["chat", "bot", "knowledge", "connections", "automation", "safety", "system"] as const;
/** A group of the console's navigation. */
export type AreaGroup = (typeof AREA_GROUPS)[number];

/** Icons that the console can show next to the name of an area. */
export const AREA_ICONS = [
  "archive",
  "bell",
  "book",
  "brain",
  "calendar",
  "channel",
  "chart",
  "chat",
  "clock",
  "dice",
  "file",
  "filter",
  "gateway",
  "globe",
  "heart",
  "key",
  "model",
  "people",
  "picture",
  "play",
  "plug",
  "settings",
  "shield",
  "star",
  "status",
  "sticker",
  "tag",
  "task",
  "tool",
  "voice",
] as const;
/** Every icon that an area can have: `AREA_ICONS`, whose length is published, and later ones. */
export const areaIcons = [...AREA_ICONS, "send"] as const;
/** Name of an icon of an area. */
export type AreaIcon = (typeof areaIcons)[number];

/** Content of an area's page. */
export type AreaView =
  /** A page of the console's own, by its name. */
  | { readonly kind: "page"; readonly page: string }
  /** The table and the form of a resource, by its kind. */
  | { readonly kind: "resource"; readonly resource: string }
  /**
   * An ES module that the plugin serves from a path below `/`. Its default export is `{ mount(element, host) }`; the function that
   * `mount` returns runs when the page is left.
   */
  | { readonly kind: "module"; readonly url: string };

/** Default export of an area's module. */
export interface AreaModule<Element = unknown> {
  /** Mounts the page into an empty element; the returned function runs when the page is left. */
  mount(
    element: Element,
    host: AreaHost,
  ): (() => void) | undefined | void | Promise<(() => void) | undefined | undefined>;
}

/** Console functions and values for a plugin's page. The page is mounted again when one of the values changes. */
export interface AreaHost {
  /** Calls a route as the viewing person and returns its `data`; rejects with an `Error` with `code` and `status`. */
  call<Data = unknown>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<Data>;
  /** English unless the person reads Chinese. */
  readonly language: "en" | "zh";
  /** Code of the person's language, which may be one that the operator has added (`de`); also for `Intl`. */
  readonly locale: string;
  /** Returns a text in the person's language; English where it has none. */
  localize(text: Localized): string;
  readonly theme: "light" | "dark";
  /** Record id in the address of the area: `/area/<id>/<record>`. */
  readonly record: string | undefined;
  /** Opens another page: `/area/<id>/<record>`, `/models`. */
  navigate(address: string): void;
  /** Shows a brief message. */
  toast(text: string): void;
}

/** A console navigation entry and the page that it opens. It exists while its plugin runs. */
export interface ConsoleArea {
  /** Kebab-case and unique in the whole service; part of the page's address. */
  readonly id: string;
  readonly group: AreaGroup;
  readonly title: Localized;
  readonly icon: AreaIcon;
  /** Order within the group, smallest first; default 100. Equal ones are sorted by id. */
  readonly order?: number;
  /** Scope required to see the area; default `read`. */
  readonly scope?: Scope;
  readonly view: AreaView;
}

/** Types an area, so that group, icon and view are checked where it is defined. */
export function area(definition: ConsoleArea): ConsoleArea {
  return definition;
}

const kebabName = Joi.string().pattern(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, "a name in kebab-case");
const localized = localizedSchema;
// Only this origin, because the console runs the module with the viewer's rights.
const modulePath = Joi.string().pattern(/^\/(?![/\\])[^\\?#]*\.m?js$/, "a path like /api/dice/page.js");
const requiredForKind = (kind: AreaView["kind"], schema: Schema) =>
  schema.required().when("kind", { is: kind, otherwise: Joi.forbidden() });
const view = Joi.object({
  kind: Joi.valid("page", "resource", "module").required(),
  page: requiredForKind("page", kebabName),
  resource: requiredForKind("resource", Joi.string()),
  url: requiredForKind("module", modulePath),
});
const areaShape = Joi.object<ConsoleArea>({
  id: kebabName.required(),
  group: Joi.valid(...AREA_GROUPS).required(),
  title: localized.required(),
  icon: Joi.valid(...areaIcons).required(),
  order: Joi.number(),
  scope: Joi.valid(...SCOPES),
  view: view.required(),
});

/** Console navigation contributed by plugins, in groups. A disabled plugin has no entry. */
export const ConsoleAreas: ExtensionPoint<ConsoleArea> = extensionPoint("console-areas", {
  accept: validateWith(areaShape),
  unique: { kind: "console area", names: ({ id }) => [id] },
  refers: ({ view }) => {
    if (view.kind === "resource") return [{ field: "view.resource", kind: "resource", name: view.resource }];
    // Without a console the page may be missing.
    if (view.kind === "page") return [{ field: "view.page", kind: "console page", name: view.page, ifAny: true }];
    return [];
  },
});

/** Console pages that areas can name. */
export interface ConsolePages {
  readonly names: readonly string[];
}
export const ConsolePages: ExtensionPoint<ConsolePages> = extensionPoint("console-pages", {
  accept: validateWith(Joi.object<ConsolePages>({ names: Joi.array().items(kebabName).required() })),
  unique: { kind: "console page", names: ({ names }) => names },
});
