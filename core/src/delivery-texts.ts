import { defineTexts } from "./define-texts.ts";
import type { ItemFailure } from "./error-texts.ts";
import { DeliveryError, type DeliveryFailure, type LocalizedError } from "./errors.ts";
import { deliveryTexts as en } from "./locales/en.ts";
import { deliveryTexts as zh } from "./locales/zh.ts";
import type { ParamsIn, TextArguments } from "./text-params.ts";

const texts = defineTexts("delivery", { en, zh });

type DeliveryText = keyof typeof en;
type Params<Key extends DeliveryText> = ParamsIn<(typeof en)[Key], string | number>;

/** Keys of the delivery texts whose only parameter is `words`, the platform's own message. */
export type PlatformText = {
  [Key in DeliveryText]: keyof Params<Key> extends "words" ? ("words" extends keyof Params<Key> ? Key : never) : never;
}[DeliveryText];

/** Returns a delivery message as a value instead of an error, such as the reason a delivery was dead-lettered. */
export function deliverySentence<Key extends DeliveryText>(
  key: Key,
  ...given: TextArguments<Params<Key>>
): ItemFailure {
  return texts.message(key, ...(given as TextArguments<never>));
}

/** Creates a localized delivery error that ends with the platform's own message. */
export function deliveryFailure<Key extends DeliveryText>(
  failure: DeliveryFailure,
  key: Key,
  params: Params<Key>,
  options: ConstructorParameters<typeof DeliveryError>[2] = {},
): DeliveryError {
  const { error, ...detail } = texts.message(key, ...([params] as TextArguments<never>));
  return new DeliveryError(failure, error, { ...options, ...detail });
}

/** Returns the localized detail of a failed delivery; undefined when it exists in English only. */
export function deliveryDetail(
  failed: string | (Pick<DeliveryError, "message"> & Partial<Pick<DeliveryError, "detail">>),
): LocalizedError["detail"] {
  return typeof failed === "string" ? undefined : failed.detail;
}
