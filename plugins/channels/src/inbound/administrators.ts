import Joi from "@hapi/joi";
import { type Settings, setting } from "@parley/core";

export const MASTER_ID = setting({
  key: "master_id",
  schema: Joi.string().allow("").max(128).default(""),
  group: "people",
  title: { en: "Owner on channels", zh: "渠道上的所有者" },
  help: { en: "Another administrator, as <channel id>:<user id>.", zh: "另一位管理员，写作 <渠道 ID>:<用户 ID>。" },
});

export const ADMIN_IDS = setting({
  key: "admin_ids",
  schema: Joi.array<readonly string[]>().items(Joi.string().max(200)).max(200).default([]),
  group: "people",
  title: { en: "Administrators on channels", zh: "渠道管理员" },
  help: {
    en: "As <channel id>:<user id>. They can use administrator commands.",
    zh: "写作 <渠道 ID>:<用户 ID>；可使用管理员命令。",
  },
});

/** Administrators are named by channel and the platform's id of the person: `imB:4711`. */
export function isAdministrator(settings: Settings, person: string): boolean {
  return settings.get(MASTER_ID) === person || settings.get(ADMIN_IDS).includes(person);
}
