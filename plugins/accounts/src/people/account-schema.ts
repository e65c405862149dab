import Joi from "@hapi/joi";
import { resource, withLabel, withPattern } from "@parley/core";
import { ROLES, type Role } from "./roles.ts";

export const USERNAME_PATTERN = /^[A-Za-z0-9._@-]{1,64}$/;
export const MIN_PASSWORD = 8;

export interface AccountDraft {
  readonly name: string;
  readonly role: Role;
}
export interface PasswordChange {
  readonly old_password: string;
  readonly new_password: string;
  readonly end_others: boolean;
}

export const passwordChange = Joi.object<PasswordChange>({
  old_password: Joi.string().min(1).max(256).required(),
  new_password: Joi.string().min(MIN_PASSWORD).max(256).required(),
  end_others: Joi.boolean().default(true).description("Also ends the other logins, and the access of clients"),
});

const toTitle = (en: string, zh: string) => ({ title: { en, zh } });

/** Accounts of people, besides the initial one. */
export const accountResource = resource<AccountDraft>({
  kind: "account",
  path: "/api/accounts",
  param: "account_id",
  idPrefix: "user",
  title: { one: { en: "account", zh: "账户" }, many: { en: "accounts", zh: "账户" } },
  about: {
    en: "Everyone who works with this service has their own account. The role says what it may do.",
    zh: "每位使用者都应有自己的账户，角色决定其权限。",
  },
  fields: {
    name: withLabel(
      withPattern(Joi.string(), USERNAME_PATTERN, {
        en: "must be 1 to 64 letters, digits and . _ @ -",
        zh: "须为 1 至 64 个字母、数字或 . _ @ -",
      }).required(),
      {
        ...toTitle("User name", "用户名"),
        help: {
          en: "Letters, digits and . _ @ -. It cannot be changed later.",
          zh: "字母、数字和 . _ @ -，之后不能更改。",
        },
      },
    ),
    role: withLabel(
      Joi.string()
        .valid(...ROLES)
        .default("operator"),
      {
        ...toTitle("Role", "角色"),
        help: {
          en: "Operators work with conversations and content. Settings, channels, models, plugins and accounts are managed by administrators. Readers change nothing. After a change, the person signs in again.",
          zh: "操作员处理会话和内容；设置、渠道、模型、插件和账户由管理员管理。只读成员不能更改任何内容。更改后该账户需重新登录。",
        },
        options: {
          admin: { en: "Administrator", zh: "管理员" },
          operator: { en: "Operator", zh: "操作员" },
          reader: { en: "Reader", zh: "只读成员" },
        },
      },
    ),
  },
  derived: {
    made_by: withLabel(Joi.string().allow(null).required(), toTitle("Created by", "创建者")),
    last_seen_at: withLabel(Joi.string().isoDate().allow(null).required(), toTitle("Last seen", "最近活动")),
  },
  created: { password: withLabel(Joi.string().required(), toTitle("Password", "密码")) },
  search: ["name"],
  filters: ["role"],
  sort: ["name", "-created_at"],
  fixed: ["name"],
  most: 100,
  scopes: { read: "admin", change: "admin" },
  columns: ["name", "role", "made_by", "last_seen_at", "created_at"],
  actions: [
    {
      id: "new-password",
      title: { en: "New password", zh: "重设密码" },
      method: "POST",
      path: "{account_id}/new-password",
      confirm: {
        en: "A new password is created and shown once. The old one stops working, and the person is signed out everywhere.",
        zh: "将生成新密码并仅显示一次。旧密码立即失效，该账户会在所有设备上退出。",
      },
      answer: "shown",
    },
  ],
});
