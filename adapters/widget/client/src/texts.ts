const en = {
  open: "Open chat",
  close: "Close chat",
  write: "Write a message",
  send: "Send",
  attach: "Attach a file",
  remove: "Remove {name}",
  retry: "Retry",
  notSent: "Not sent.",
  notAnswered: "This message could not be answered.",
  sending: "Sending…",
  connecting: "Connecting…",
  unavailable: "This chat is not available at the moment.",
  typing: "Writing…",
  operatorJoined: "You are talking to a person now.",
  consent: "Your messages are sent to this service and stored so that it can answer them.",
  agree: "Agree and start",
  messages: "Messages",
  you: "You",
  fileTooLarge: "{name} is too large.",
  fileFailed: "{name} could not be uploaded.",
  uploading: "Uploading…",
  newMessages: "New messages",
  choices: "Choices",
  choose: "Choose",
  chosen: "Chosen: {name}",
  choiceExpired: "This can no longer be chosen.",
  picture: "Picture",
} as const;

export type TextKey = keyof typeof en;

const zh: Readonly<Record<TextKey, string>> = {
  open: "打开聊天",
  close: "关闭聊天",
  write: "输入消息",
  send: "发送",
  attach: "添加文件",
  remove: "移除 {name}",
  retry: "重试",
  notSent: "未发送。",
  notAnswered: "这条消息未能得到回复。",
  sending: "发送中…",
  connecting: "正在连接…",
  unavailable: "聊天暂时不可用。",
  typing: "正在输入…",
  operatorJoined: "现在由人工为您服务。",
  consent: "您的消息将发送到本服务并保存，以便回复您。",
  agree: "同意并开始",
  messages: "消息",
  you: "您",
  fileTooLarge: "{name} 过大。",
  fileFailed: "{name} 上传失败。",
  uploading: "上传中…",
  newMessages: "有新消息",
  choices: "可选项",
  choose: "选择",
  chosen: "已选择：{name}",
  choiceExpired: "已过期，无法再选择。",
  picture: "图片",
};

export type Translate = (key: TextKey, name?: string) => string;

/** Returns the texts in the language of the page. */
export function createTranslate(language: string): Translate {
  const texts = language.toLowerCase().startsWith("zh") ? zh : en;
  return (key, name = "") => texts[key].replace("{name}", name);
}
