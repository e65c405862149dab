import type { en } from "./en.ts";

/** Chinese texts of adapter chat-sdk. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  failed: "软件包 {name} 出错：{words}",
  gateway_address: "Discord 返回的网关地址无效",
  gateway_lost: "与 Discord 的连接已断开",
  gateway_refused: "Discord 拒绝连接：{code}",
  late: "软件包 {name} 未及时响应",
  message_shape: "软件包返回的消息无法读取：{reason}",
  no_adapter: "软件包 {name} 不是 Chat SDK 适配器：缺少 {missing}",
  no_identity: "平台未返回机器人身份，无法识别提及：{words}",
  not_json: "变量 {variable} 不是 JSON 对象",
  own_network: "该软件包使用自己的网络客户端，不受出站地址规则约束",
  platform: "{reason}",
  signature: "签名错误",
};
