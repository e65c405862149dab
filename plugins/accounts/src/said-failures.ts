import { failuresOf } from "@parley/core";

/** Creates localized errors about accounts, keys and signing in. */
export const accountFailure = failuresOf("accounts", {
  key_off: { en: "this API key is switched off", zh: "此 API 密钥已停用" },
  key_over: { en: "this API key has expired", zh: "此 API 密钥已过期" },
  key_maker: {
    en: "the API key that this one was made with is switched off, expired or deleted",
    zh: "创建此密钥的 API 密钥已停用、过期或被删除",
  },
  login_key: {
    en: "the API key that this login was made with is switched off, expired or deleted",
    zh: "创建此登录的 API 密钥已停用、过期或被删除",
  },
  login_account: {
    en: "you were signed out: the account no longer exists, or was renamed",
    zh: "你已退出登录：账户已不存在或已改名",
  },
  login_ended: {
    en: "you were signed out: this login was ended by you elsewhere, or by an administrator",
    zh: "你已退出登录：此登录已由你在别处或由管理员结束",
  },
  login_expired: { en: "you were signed out: the login expired", zh: "你已退出登录：登录已过期" },
  login_many: {
    en: "you were signed out: the account signed in too often elsewhere",
    zh: "你已退出登录：该账户在其他地方登录次数过多",
  },
  login_password: {
    en: "you were signed out: the password of the account was changed",
    zh: "你已退出登录：账户的密码已更改",
  },
  login_role: { en: "you were signed out: the role of the account was changed", zh: "你已退出登录：账户的角色已更改" },
  login_unknown: {
    en: "you are not signed in: this login is unknown; it ended long ago, or the service was set up again",
    zh: "你尚未登录：此登录不存在，可能早已结束，或服务已重新安装",
  },
  key_itself: { en: "an API key cannot change itself", zh: "API 密钥不能更改自身" },
  keys_full: { en: "there are already {most} API keys", zh: "已有 {most} 个 API 密钥" },
  no_account: { en: "there is no account yet", zh: "还没有账户" },
  no_token: { en: "is missing", zh: "缺少" },
  not_shown: { en: "the form is out of date: reload the page", zh: "表单已失效，请重新打开页面" },
  not_valid: { en: "the credential is not valid", zh: "凭据无效" },
  not_yours: { en: "you do not have the permission '{scope}' yourself", zh: "你自己没有权限“{scope}”" },
  own_account: { en: "you cannot delete the account you use", zh: "不能删除正在使用的账户" },
  past: { en: "is in the past", zh: "已过期" },
  people_full: { en: "there are already {most} accounts", zh: "已有 {most} 个账户" },
  person_for_accounts: {
    en: "accounts can be managed only when signed in, not with an API key",
    zh: "管理账户须登录后进行，不能使用 API 密钥",
  },
  person_for_password: {
    en: "a password can be changed only when signed in, not with an API key",
    zh: "修改密码须登录后进行，不能使用 API 密钥",
  },
  service_account: {
    en: "'{name}' is the built-in account: it cannot be deleted and stays an administrator",
    zh: "“{name}”是内置账户，不能删除，且始终为管理员",
  },
  sign_ins: {
    en: "too many people are signing in: try again in {seconds} s",
    zh: "同时登录的人过多，请在 {seconds} 秒后重试",
  },
  taken: { en: "'{name}' is taken", zh: "“{name}”已被使用" },
  tokens_full: { en: "there are already {most} login tokens", zh: "已有 {most} 个登录令牌" },
  tried_often: {
    en: "too many failed attempts: try again in {seconds} s",
    zh: "失败次数过多，请在 {seconds} 秒后重试",
  },
  wrong_level: { en: "is not one you may grant", zh: "不在你可授予的范围内" },
});
