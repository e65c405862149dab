import { createTexts } from "../../shared/i18n/i18n.ts";

export const useTexts = createTexts("notifications", {
  notifications: ["Notifications", "通知"],
  hint: [
    "You are notified of new answers, tools waiting for your approval and messages that could not be answered, unless a console is showing the conversation. Click a notification to open it.",
    "有新回答、工具等待批准或消息未能回答时通知你；若有控制台正在显示该会话则不通知。点按通知即可打开会话。",
  ],
  thisDevice: ["This device", "本设备"],
  state_on: ["Notifications are on for this device.", "本设备会收到通知。"],
  state_off: ["Notifications are off for this device.", "本设备不会收到通知。"],
  state_denied: [
    "The browser blocks them. Allow notifications for this site in the browser's settings, then come back.",
    "浏览器已禁止通知。请在浏览器设置中允许本站点发送通知，然后再回到这里。",
  ],
  state_unsupported: [
    "This browser cannot receive them here. They need https, and on an iPhone or iPad the installed app (Share, Add to Home Screen).",
    "此浏览器在这里无法接收通知。需要使用 https；在 iPhone 或 iPad 上还需先安装应用（分享，添加到主屏幕）。",
  ],
  notReady: [
    "The service cannot send notifications: its key pair cannot be read or created. See the log for the reason.",
    "服务无法发送通知：密钥无法读取或创建，原因见日志。",
  ],
  notAllowed: ["The browser was not allowed to show notifications.", "浏览器未获准显示通知。"],
  start: ["Notify me on this device", "在本设备上通知我"],
  stop: ["Stop on this device", "停止在本设备上通知"],
  test: ["Send a test", "发送测试"],
  tested: [
    "{{sent}} sent, {{failed}} failed, {{removed}} expired, {{skipped}} skipped.",
    "已发送 {{sent}}，失败 {{failed}}，已失效 {{removed}}，跳过 {{skipped}}。",
  ],
  testedNone: ["No devices receive notifications yet.", "还没有设备会收到通知。"],
  devices: ["My devices", "我的设备"],
  devicesHint: ["Devices that receive your notifications.", "接收通知的设备。"],
  device: ["Device", "设备"],
  covers: ["Covers", "提醒范围"],
  allSessions: ["all conversations", "所有会话"],
  oneSession: ["one conversation", "一个会话"],
  lastSent: ["Last notified", "最近通知"],
  never: ["never", "从未"],
  failedTimes: [{ one: "failed once", other: "failed {{count}} times" }, "已失败 {{count}} 次"],
  isThisDevice: ["this device", "本设备"],
  remove: ["Remove", "移除"],
  removeHint: ["It no longer receives notifications.", "不再向该设备发送通知。"],
  contentTitle: ["Content", "通知内容"],
  hideContent: ["Hide message text", "不显示消息内容"],
  hideContentHint: [
    "Notifications show only the sender, on all devices. For screens that others can see.",
    "所有设备的通知只显示发送者，适合他人可能看到屏幕的情况。",
  ],
});
