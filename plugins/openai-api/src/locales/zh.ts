import type { en } from "./en.ts";

/** Chinese texts of plugin openai-api. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  no_model: "模型“{name}”不存在。可用的模型见 GET /v1/models。",
  no_method: "此地址不接受 {method} 请求。",
  several_answers: "n：每次请求只能生成一个回答",
  no_conversation: "此密钥没有会话“{id}”。",
  other_model: "该会话属于模型“{model}”。",
  no_user_message: "最后一条消息必须来自用户。",
  tools_with_user: "客户端工具只能在不带 user 时使用：在保存的会话中，服务使用自己的工具。",
  unsupported_part: "不支持“{type}”类型的内容，仅支持 text 和 image_url。",
  no_picture: "图片必须是 PNG、JPEG、GIF 或 WebP。",
  bad_address: "图片需要 data: 或 https: 地址。",
  picture_failed: "无法加载图片：{why}",
  too_many_pictures: "一次请求最多包含 {most} 张图片。",
  no_call: "tool 消息引用的调用不在消息中。",
  bad_arguments: "工具调用的参数不是有效的 JSON。",
};
