import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import { RouteTables } from "../../http/route.ts";
import type { RegisterContext, Resolver } from "../../plugin.ts";
import type { Resource } from "../../resource/resource.ts";
import { createResourceRoutes, type ResourceRecords } from "../../resource/resource-routes.ts";
import { createResourceRecords } from "../../resource/stored-resource.ts";
import { RecordStore } from "../../services/storage/record-store.ts";
import { objectSchema, validateWith } from "../../validation/joi-schemas.ts";
import { addRecords } from "../data/stored-tables.ts";

const resourceShape = Joi.object<Resource>({
  kind: Joi.string().required(),
  path: Joi.string().required(),
  draft: objectSchema.required(),
  patch: objectSchema.required(),
}).unknown();

/** Kinds of records; the console builds the page of each that an area shows. Added by `addResource`. */
export const Resources: ExtensionPoint<Resource> = extensionPoint("resources", {
  accept: validateWith(resourceShape),
  unique: { kind: "resource", names: ({ kind }) => [kind] },
});

/**
 * Declares a resource in a plugin's `register`: its routes, its table and its description for the console. `records` provides the
 * storage; without it the service stores the records in its own tables, and its answers contain no secrets. When `records` uses `RecordStore`, `addRecords` is required too.
 */
export function addResource<Fields extends object>(
  { contribute }: Pick<RegisterContext<never>, "contribute">,
  one: Resource<Fields>,
  records?: (from: Resolver) => ResourceRecords<Fields>,
): void {
  if (!records) addRecords({ contribute }, one);
  contribute(Resources, () => one as unknown as Resource);
  contribute(RouteTables, (from) =>
    createResourceRoutes(one, records?.(from) ?? createResourceRecords(one, from.get(RecordStore).of(one))),
  );
}
