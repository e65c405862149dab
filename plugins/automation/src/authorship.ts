import Joi from "@hapi/joi";
import { BY_SERVICE, type Caller, type SpeakOrder, toSpeakOrder, withLabel } from "@parley/core";

/** Last editor of a record's text, and that person's right to send to people on platforms. */
export interface Authorship {
  readonly changed_by?: string | null;
  readonly may_speak?: boolean | null;
}

/** The fields of `Authorship` in responses; null in records of earlier versions, which keep running. */
export const authorshipFields = {
  changed_by: withLabel(Joi.string().allow(null).required(), { title: { en: "Last changed by", zh: "最后修改者" } }),
  may_speak: withLabel(Joi.boolean().allow(null).required(), {
    title: { en: "May send to people of platforms", zh: "可向平台上的人发送" },
  }),
};

/** Returns the authorship that is stored with a change; without a caller it has no right. */
export function toAuthorship(caller: Caller | undefined) {
  const { by, maySpeak } = caller ? toSpeakOrder(caller) : { by: "", maySpeak: false };
  return { changed_by: by, may_speak: maySpeak };
}

/** Returns true when a patch changes more than `enabled`. */
export function changesContent(patch: object): boolean {
  return Object.entries(patch).some(([key, value]) => key !== "enabled" && value !== undefined);
}

/** Returns the order with the rights of the last editor. Records without stored rights keep running. */
export function readSpeakOrder({ changed_by, may_speak }: Authorship): SpeakOrder {
  return may_speak === undefined || may_speak === null ? BY_SERVICE : { by: changed_by ?? "", maySpeak: may_speak };
}

export function toAuthorshipView({ changed_by = null, may_speak = null }: Authorship) {
  return { changed_by, may_speak };
}

/** Order stored with each run; absent in runs that an earlier version started. */
export interface StoredSpeakOrder {
  readonly speaks?: SpeakOrder;
}

/** Returns the order of a run, with its right to send to people of platforms. */
export function getSpeakOrder({ order }: { readonly order: unknown }): SpeakOrder {
  return (order as StoredSpeakOrder).speaks ?? BY_SERVICE;
}

/** Combines two orders: the record's author and the provider of the text both need the right. */
export function combineSpeakOrders(one: SpeakOrder, other: SpeakOrder | undefined): SpeakOrder {
  return one.maySpeak && other ? other : one;
}
