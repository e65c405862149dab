import type { en } from "./en.ts";

/** Chinese texts of plugin push. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  failed: "{id}（{host}）：{why}",
  fragment: "不能带有 # 片段",
  full: "每个账户最多订阅 {most} 个浏览器",
  gone: "{id}（{host}）：订阅已失效",
  https: "必须是 https 地址",
  key_length: "长度必须为 {length} 字节",
  key_point: "不是 P-256 曲线上的点",
  keys: "无法读取或生成此服务的推送密钥",
  later: "{id}（{host}）：稍后再发",
  notice_approval: "等待你的批准：{tool}",
  notice_failed: "未能回复：{error}",
  notice_files: "发送了文件",
  notice_test: "这是一条测试通知，本设备可以收到通知。",
  sent: "{id}（{host}）：已发送",
  not_https: "推送地址不是 https",
  service_late: "推送服务没有及时响应",
  service_answered: "推送服务返回了 {status}",
};
