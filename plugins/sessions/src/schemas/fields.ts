import Joi, { type CustomHelpers } from "@hapi/joi";
import { type Attachment, displayName, messageText, reportProblem, withPattern } from "@parley/core";
import { sessionsTexts } from "../texts.ts";

export const name = displayName(100);
export const shortName = displayName(100).allow("");
export const picture = Joi.string().allow("").max(500);
export const tags = Joi.array()
  .items(Joi.string().trim().min(1).max(40))
  .max(32)
  .unique((a, b) => String(a).toLowerCase() === String(b).toLowerCase());
/** Folder of a conversation; empty for no folder. */
export const folder = Joi.string().trim().allow("").max(60);
export const metadata = Joi.object()
  .unknown()
  .custom(maxJsonBytes(16 * 1024));
export const content = messageText();
export const timestamp = Joi.string().isoDate();

/** An attachment of a message; other URL schemes are rejected. */
export const attachment = Joi.object<Attachment>({
  type: Joi.string().valid("image", "audio", "video", "file", "sticker").required(),
  name: Joi.string().max(200),
  mime_type: Joi.string().max(200),
  size: Joi.number().integer().min(0),
  url: withPattern(
    Joi.string().max(2000),
    /^(https:\/\/|\/static\/files\/[^/?#]+$|\/api\/(sessions\/[^/?#]+\/workspace|workspace\/shared)\/files\/[^/?#]+$)/i,
    sessionsTexts.error("bad_request", "no_attachment"),
  )
    .uri({ scheme: ["https"], allowRelative: true })
    .required()
    .messages({ "string.uriRelativeCustomScheme": "must be an https address or an uploaded file that exists" }),
  source: Joi.string().max(100),
  meta: Joi.object()
    .unknown()
    .custom(maxJsonBytes(4 * 1024)),
});
export const attachments = Joi.array().items(attachment).max(10);
export const role = Joi.string().valid("user", "assistant", "system");
export const tempId = Joi.string().min(1).max(64);

function maxJsonBytes(bytes: number) {
  return (value: object, helpers: CustomHelpers) =>
    JSON.stringify(value).length > bytes
      ? reportProblem(sessionsTexts.error("bad_request", "large_value", { most: bytes / 1024 }), helpers)
      : value;
}
