import { textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("notifications", {
  notifications: ["Notifications", "通知"],
  hint: [
    "You are notified of answers, tools that wait for your approval and messages that could not be answered, while no console shows the conversation. Press a notification to open it.",
    "没有控制台正在显示该会话时提醒：有了回答、有工具等待批准、或消息未能回答。点按通知即可打开会话。",
  ],
  thisDevice: ["This device", "本设备"],
  state_on: ["Notifications arrive here.", "本设备会收到通知。"],
  state_off: ["Nothing arrives here.", "本设备不会收到通知。"],
  state_denied: [
    "The browser does not allow them. Allow notifications for this site in the browser's settings, then come back.",
    "浏览器已禁止通知。请在浏览器设置中允许本站点发送通知，然后再回到这里。",
  ],
  state_unsupported: [
    "This browser cannot receive them here. They need https, and on an iPhone or iPad the installed app (Share, Add to Home Screen).",
    "此浏览器在这里无法接收通知。需要使用 https；在 iPhone 或 iPad 上还需先安装应用（分享，添加到主屏幕）。",
  ],
  notReady: [
    "The service cannot send notifications: its key pair can neither be read nor made. The log says why.",
    "服务无法发送通知：密钥无法读取或创建，原因见日志。",
  ],
  notAllowed: ["The browser was not allowed to show notifications.", "浏览器未获准显示通知。"],
  start: ["Notify me here", "在本设备上通知我"],
  stop: ["Stop here", "停止在本设备通知"],
  test: ["Send a test", "发送测试"],
  tested: [
    "{{sent}} sent, {{failed}} failed, {{removed}} gone, {{skipped}} skipped.",
    "已发送 {{sent}}，失败 {{failed}}，已失效 {{removed}}，跳过 {{skipped}}。",
  ],
  testedNone: ["No device is notified yet.", "还没有设备会收到通知。"],
  devices: ["My devices", "我的设备"],
  devicesHint: ["Where your notifications go.", "你的通知会发往这些设备。"],
  device: ["Device", "设备"],
  tells: ["Covers", "提醒范围"],
  allSessions: ["all conversations", "所有会话"],
  oneSession: ["one conversation", "一个会话"],
  lastSent: ["Last notified", "最近通知"],
  never: ["never", "从未"],
  failing: [{ one: "failed once", other: "failed {{count}} times" }, "已失败 {{count}} 次"],
  here: ["this one", "本设备"],
  remove: ["Remove", "移除"],
  removeHint: ["Nothing is sent there any more.", "不再向该设备发送通知。"],
  what: ["What they say", "通知内容"],
  hideContent: ["Who wrote, without the words", "只显示来自谁，不显示内容"],
  hideContentHint: [
    "For all devices: for screens that others can see.",
    "对所有设备生效：适合他人可能看到屏幕的情况。",
  ],
});
