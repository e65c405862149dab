import Joi from "@hapi/joi";
import { textOf } from "@parley/core";
import { answerFields, shape } from "@parley/core/http";

export const portraitData = shape({
  url: answerFields.text,
  file_name: answerFields.text,
  size: answerFields.count,
  mime_type: answerFields.text,
  width: answerFields.count,
  height: answerFields.count,
});

export interface PictureUrl {
  readonly url?: string;
}
export const pictureUrl = Joi.object<PictureUrl>({ url: textOf(500) });
export const portraitRemovedData = shape({
  deleted: Joi.valid(true),
  url: answerFields.text,
  references_cleared: answerFields.count,
});
export const cleanBody = Joi.object<{ readonly dry_run: boolean }>({ dry_run: Joi.boolean().default(false) });
export const cleanData = shape({
  removed: answerFields.count,
  freed_bytes: answerFields.count,
  files: answerFields.texts,
});
