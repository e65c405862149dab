import { createTexts, type KeyOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = createTexts("channels", {
  noChannels: ["No channels yet", "还没有渠道"],
  channelsHint: ["Where messages come in and answers go out.", "消息从渠道进入，回复由渠道发出。"],
  addChannel: ["Add channel", "添加渠道"],
  channelKind: ["Kind", "种类"],
  channelId: ["ID", "ID"],
  channelIdHint: [
    "Part of its address and of its conversations' IDs. It cannot be changed later.",
    "用于接收地址和会话 ID，之后不能修改。",
  ],
  channelIdLetters: ["Letters, digits, - and _", "字母、数字、- 和 _"],
  idTaken: ["Another channel has this ID.", "此 ID 已被其他渠道使用。"],
  otherType: ["Another type", "其他类型"],
  otherTypeHint: ["Enter the type name its package defines", "按所用的包给出的类型名称添加"],
  channelType: ["Type", "类型"],
  channelTypeHint: [
    "The type name its package defines. Types without a package are served by webhook.",
    "由所用的包定义。没有对应包的类型通过 Webhook 接入。",
  ],
  transportWebhook: ["webhook", "通过 Webhook"],
  transportWebsocket: ["persistent connection", "长连接"],
  transportBridge: ["through a bridge", "通过网桥"],
  transportPolling: ["polling", "轮询"],
  transportOfType: ["Default for this type", "该类型的默认方式"],
  channelConfigHint: [
    "As JSON. Leave it empty for the defaults; you can change everything later.",
    "JSON 格式。留空使用默认值，之后都可以修改。",
  ],
  presetImB: ["A bot that receives messages by webhook", "通过 Webhook 接收消息的机器人"],
  presetImC: ["An app that receives messages by webhook", "通过 Webhook 接收消息的应用"],
  presetImCSocket: [
    "An app that connects to the platform itself, without a public address",
    "主动连接平台的应用，不需要公开地址",
  ],
  presetWebhook: ["Any program that can post JSON", "任何可以发送 JSON 的程序"],
  notInstalledShort: ["not installed", "未安装"],
  readyToReceive: ["ready, nothing received yet", "就绪，尚未收到消息"],
  turnedAway: [
    "A request to its address was rejected at {{time}}: its secret or signature is not the one set here.",
    "{{time}} 有一个发往此地址的请求被拒绝：其密钥或签名与此处的设置不符。",
  ],
  channelWaiting: ["running, waiting for the platform", "运行中，等待平台"],
  onNode: ["on node {{node}}", "位于节点 {{node}}"],
  onAnotherNode: ["on another node", "位于其他节点"],
  messagesOfWeek: [
    { one: "{{count}} message in 7 days", other: "{{count}} messages in 7 days" },
    "7 天内 {{count}} 条消息",
  ],
  lastIn: ["last received", "最近收到"],
  lastOut: ["last sent", "最近发出"],
  testMessage: ["Test message", "测试消息"],
  removeChannel: [
    "The channel and its pending messages are deleted. Its conversations are kept.",
    "将删除该渠道及其待发送内容，会话保留。",
  ],
  missingSecrets: ["Missing: {{names}}. Enter it under Edit.", "缺少{{names}}，请在“编辑”中填写。"],
  missingVariables: [
    "Alternatively, set as environment variables and restart the service:",
    "也可设置以下环境变量并重启服务：",
  ],
  webhookAddress: ["Receives at", "接收地址"],
  abilities: ["What it can do", "能力"],
  canStream: ["Stream answers", "流式显示回复"],
  canProgress: ["Show progress", "显示进度"],
  canFiles: ["Send files", "发送文件"],
  canStop: ["Stop an answer", "停止回复"],
  canTools: ["Use tools", "使用工具"],
  registerWebhook: ["Public address of this channel", "渠道的公开地址"],
  registerWebhookHint: [
    "https on port 443, 80, 88 or 8443. Saving registers it with the platform.",
    "https，端口 443、80、88 或 8443。保存时会在平台注册。",
  ],
  registered: ["Registered:", "已注册："],
  needsHttps: [
    "The platform delivers to https only. Enter the public address, beginning with https://",
    "平台只发送到 https 地址。请填写以 https:// 开头的公开地址。",
  ],
  pendingUpdates: ["Messages waiting at the platform:", "平台上等待投递的消息："],
  webhookNotTold: [
    "The platform accepted the address but did not report its status.",
    "平台已收到该地址，但未返回其状态。",
  ],
  lastWebhookError: ["The platform's last error:", "平台最近一次遇到的问题："],
  noTestWeb: ["This channel is the console itself. Write in Conversations.", "此渠道就是本控制台，请在“会话”中发送。"],
  noTestOff: ["Switch the channel on first.", "请先启用该渠道。"],
  noTestAddress: [
    "There is no address to send to: fill in outbound_url in the settings.",
    "没有可发送的地址：请在设置中填写 outbound_url。",
  ],
  conversationId: ["Conversation", "会话"],
  conversationIdHint: [
    "The platform's ID of the chat. A conversation of this channel shows it in its header.",
    "平台的会话 ID，此渠道的会话会在标题栏显示。",
  ],
  isGroup: ["This is a group", "是群聊"],
  testText: ["Hello from Parley", "来自 Parley 的问候"],
  sentAs: ["Sent:", "已发送："],
  sentConfirmed: ["confirmed by the platform", "平台已确认"],
  sentAccepted: ["accepted by the platform, without confirmation", "平台已接收，未返回确认"],
  variableOf: ["{{title}}: name", "{{title}}：名称"],
  fromEnvironment: ["Secrets from the environment", "从环境变量读取密钥"],
  fromEnvironmentHint: [
    "The name of each secret. If none is entered above, the environment variable of that name is used.",
    "每个密钥的名称。上方未填写时，使用同名的环境变量。",
  ],
  saveAndSwitchOn: ["Save and switch on", "保存并启用"],
  channelSaved: ["Saved.", "已保存。"],
  abilitiesHint: [
    "What is off is not used in answers. For example, a link is sent instead of a file.",
    "关闭的能力不会用于回复：例如关闭文件后会改发链接。",
  ],
  secrets: ["Secrets", "密钥"],
  secretsHint: [
    "Stored encrypted and never shown again. Leave a field empty to keep its current value.",
    "加密保存，之后不再显示。留空则保持不变。",
  ],
  secretKept: ["Stored since", "已保存于"],
  secretFromVariable: ["Taken from the environment variable", "取自环境变量"],
  secretMissing: ["Not entered. Alternatively, set the environment variable", "未填写。也可设置环境变量"],
  forget: ["Clear", "清除"],
  checkCredentials: ["Check credentials", "验证凭据"],
  checkedAs: ["Recognised by the platform as", "平台识别为"],
  guide: ["How to connect it", "接入步骤"],
  guideImBBot: [
    "In the platform's app, send /newbot to @BotFather and copy the token you get into “Bot token”.",
    "在平台中向 @BotFather 发送 /newbot，把得到的令牌填入“机器人令牌”。",
  ],
  guideImBSecret: [
    "Choose a webhook secret of letters, digits, - and _. The platform sends it with every message.",
    "自定一个由字母、数字、- 和 _ 组成的 Webhook 密钥，平台每次发送消息都会带上它。",
  ],
  guideImBAddress: [
    "Enter the public https address that leads to this service, check the token, and save.",
    "填写通向本服务的公开 https 地址，验证令牌，然后保存。",
  ],
  guideImCApp: [
    "In the platform's developer console create an app with a bot; copy its app ID and app secret here.",
    "在平台的开发者后台创建带机器人的应用，把应用 ID 和应用密钥填到此处。",
  ],
  guideImCKeys: [
    "Under “Events”, copy the encrypt key and the verification token here and save.",
    "在“事件订阅”中把加密密钥和校验令牌填到此处并保存。",
  ],
  guideImCAddress: [
    "There, enter {{address}} as the request address and subscribe to im.message.receive_v1.",
    "在该页把请求地址填为 {{address}}，并订阅 im.message.receive_v1。",
  ],
  guideImCSocket: [
    "Under “Events”, choose the long connection and subscribe to im.message.receive_v1; then save here.",
    "在“事件订阅”中选择长连接并订阅 im.message.receive_v1，然后在此保存。",
  ],
  guideImABridge: [
    "Run a OneBot v11 bridge that is signed in with the bot's account.",
    "运行一个已登录机器人账号的 OneBot v11 网桥。",
  ],
  guideImAConnect: [
    "Enter the bridge's address and its access token, or choose reverse_ws and let the bridge connect to /ws/imA.",
    "填写网桥的地址和访问令牌；或选择 reverse_ws，让网桥连接 /ws/imA。",
  ],
  guideImABotApp: [
    "In the platform's developer console create a bot; copy its app ID and app secret here.",
    "在平台的开发者后台创建机器人，把应用 ID 和应用密钥填到此处。",
  ],
  guideImABotRun: [
    "Check the credentials and save. The bot connects by itself and needs no public address.",
    "验证凭据并保存。机器人会主动连接，不需要公开地址。",
  ],
  guideWebhookSecret: [
    "Choose a token and enter it below. The sender passes it in the header X-Svc-Token.",
    "自定一个令牌填在下面，发送方在请求头 X-Svc-Token 中携带它。",
  ],
  guideWebhookPost: [
    "Post JSON with “content” and “user_id” to {{address}}.",
    "把含 content 和 user_id 的 JSON 发送到 {{address}}。",
  ],
  guideWebhookAnswer: [
    "Enter the address that answers are posted to, or choose “sync” to get them with the answer to the request.",
    "填写接收回复的地址，或选择 sync 在请求的响应中返回回复。",
  ],
  sendNow: ["Send", "发送"],
});

export type TextKey = KeyOf<typeof useTexts>;
