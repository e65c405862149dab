import { textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("access", {
  passwordHint: [
    "It is changed where the service runs: start it once with SVC_ADMIN_PASSWORD set to the new password. Everybody who signed in with the old one is signed out.",
    "密码在服务运行处修改：将 SVC_ADMIN_PASSWORD 设为新密码并启动一次服务。使用旧密码登录的设备都会退出。",
  ],
  signIns: ["Sign-ins", "登录管理"],
  create: ["Create", "创建"],
  tokens: ["Login tokens", "登录令牌"],
  tokensHint: ["For devices and browsers that are signed in.", "已登录的设备和浏览器。"],
  revoke: ["Revoke", "撤销"],
  current: ["this browser", "当前浏览器"],
  secretOnce: ["Copy it now", "请立即复制"],
  secretOnceHint: [
    "It is not shown again. If it is lost, revoke it and create another one.",
    "关闭后不会再次显示。若丢失，请撤销并重新创建。",
  ],
  never: ["never", "从未"],
  lastUsed: ["Last used", "上次使用"],
  expires: ["Valid until", "有效期至"],
  address: ["Address", "地址"],
  days1: ["1 day", "1 天"],
  days30: ["30 days", "30 天"],
  days365: ["1 year", "1 年"],
  revokeTokenHint: ["Who uses this token is signed out at once.", "使用此令牌者将立即退出登录。"],
  revokeCurrentHint: ["This is the browser you are using: you will be signed out.", "这是当前浏览器：你将退出登录。"],
  endOthers: ["Sign out everywhere else", "退出其他所有设备"],
  endOthersHint: ["Every login token but this browser's is revoked.", "除当前浏览器外的所有登录令牌都将被撤销。"],
  holder: ["Who or what holds it", "持有者"],
});
