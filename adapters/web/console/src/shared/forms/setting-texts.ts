/** Chinese translations of setting texts by the English sentence, so that a changed sentence cannot keep an outdated one. */
const CHINESE: Readonly<Record<string, string>> = {
  "The platform's own region": "平台所在区域",
  "What a request is checked by": "以什么验证请求",
  "When the answer comes": "何时返回回复",
  "Which side connects": "由哪一方建立连接",
  "Address of the bridge. Empty: the variable IMA_WS_URI": "网桥的地址；留空则使用环境变量 IMA_WS_URI",
  "Environment variable with the access token": "保存访问令牌的环境变量",
  "Environment variable with the secret of posted events": "保存事件上报密钥的环境变量",
  "The account. Empty: taken from the bridge": "机器人账号；留空则从网桥获取",
  "IDs of users and conversations to answer. Empty: everyone": "允许回答的用户和会话 ID；留空表示全部",
  "IDs of users and conversations never to answer, not even their commands": "从不回答的用户和会话 ID，命令也不回答",
  "Messages per minute. 0: no limit. The limit per address is for webhooks without a secret":
    "每分钟消息数；0 表示不限。按地址的限制仅用于没有密钥的 Webhook",
  "Seconds in which duplicates are recognised. At least one day": "在多少秒内识别重复消息，至少一天",
  "Message on a channel, once, when no part of an answer appears within 8 seconds. Empty: none; not set: a sentence in the reader's language":
    "8 秒后仍没有回答时，在渠道上提示一次；留空则不提示；未设置时使用对方语言的默认文字",
  "Text below an answer that breaks off on a channel. Empty: only …; not set: a sentence in the reader's language":
    "渠道上的回答中断时，附在其下方的提示；留空则仅以 … 结尾；未设置时使用对方语言的默认文字",
  "Weather service, or a compatible one": "天气服务地址；可换成同类的其他服务",
  "Geocoding service for the weather": "天气所用的地名查询地址",
  "Wikipedia to search, for example in another language": "搜索所用的 Wikipedia，例如其他语言版本",
  News: "新闻服务地址",
  "Path of LibreOffice, if it is not found automatically": "LibreOffice 的路径，未能自动找到时填写",
  "Run the converter even if the system cannot cut its network access": "即使系统无法为转换程序断网，也运行它",
  "Days to keep runs": "运行记录保留的天数",
  "Maximum number of runs. The oldest are removed first": "运行记录的最大条数，超出时先删除最早的",
  "Milliseconds before a failed step is retried, doubled for each further attempt":
    "失败的步骤在多少毫秒后重试；之后每次加倍",
  "App ID of the bot": "机器人的 App ID",
  "Environment variable with the app's secret": "保存应用密钥的环境变量",
  "Use the platform's sandbox environment": "使用平台的沙箱环境",
  "Server for tokens and API calls. Empty: the platform's own": "获取令牌和调用接口的服务器；留空使用平台默认",
  "Environment variable with the bot's token": "保存机器人令牌的环境变量",
  "Environment variable with the secret the platform sends. Empty: not checked":
    "保存平台所带密钥的环境变量；留空则不校验",
  "Address registered with the platform": "在平台注册的地址",
  "Bot API server. Empty: the platform's own": "Bot API 服务器；留空使用平台默认",
  "Header of the secret, if a proxy renames it": "携带密钥的请求头，仅在代理改名时填写",
  "Respect the platform's public limits (25 messages per second, one per second in a chat). Switch off for a server of your own":
    "遵守平台的公开限速（每秒 25 条，每个会话每秒 1 条）；使用自建服务器时可关闭",
  "The app ID. Empty: the variable IMC_APP_ID": "应用 ID；留空则使用环境变量 IMC_APP_ID",
  "Environment variable with the encrypt key. Empty: events are neither encrypted nor signed":
    "保存加密密钥的环境变量；留空则事件不加密、不签名",
  "Environment variable with the verification token. Empty: not checked": "保存校验令牌的环境变量；留空则不校验",
  "Address entered on the platform. Only a note": "在平台填写的地址，仅作记录",
  "API server. Empty: the platform's own": "服务器地址；留空使用平台默认",
  "How senders are verified": "如何验证发送方",
  "Environment variable with the token or key": "保存令牌或密钥的环境变量",
  "Addresses and networks that may send messages. Empty: all": "允许发送的地址和网段；留空表示全部",
  "Where to find each field if the body has a format of its own": "消息体格式不同时，各字段在其中的路径",
  "Where replies are sent: https, or http on this machine": "回复发送到的地址：https，或本机的 http",
  "Environment variable with the bearer token for outbound_url": "保存 outbound_url 访问令牌的环境变量",
  "Environment variable with the key that signs replies": "保存发送签名密钥的环境变量",
  "Seconds until sending a reply times out": "单次发送的超时（秒）",
  "Milliseconds between words of the offline model": "离线模型输出词之间的间隔（毫秒）",
  "Maximum model calls in one turn, including those with tools": "一轮对话中最多调用模型的次数（含工具）",
  "Milliseconds each part of the prompt may take": "提示词的单个来源最长耗时（毫秒）",
  "Name new conversations after their first answer": "首次回答后为新会话生成标题",
  "Seconds in which duplicates of a message are recognised": "在多少秒内识别重复消息",
  "Reply on a channel, once a minute, when someone writes too much. Empty: none; not set: a sentence in the reader's language":
    "消息过多时告知渠道用户的文字，每分钟最多一次；留空则不告知；未设置时使用对方语言的默认文字",
  "Messages per minute and user. 0: no limit": "每个用户每分钟的消息数；0 表示不限",
  "Messages per minute and conversation. 0: no limit": "每个会话每分钟的消息数；0 表示不限",
  "Messages per minute and address, on webhooks without a secret. 0: no limit":
    "没有密钥的 Webhook 上每个地址每分钟的消息数；0 表示不限",
  "Messages per minute and channel. 0: no limit": "每个渠道每分钟的消息数；0 表示不限",
  "Reply on a channel when a message could not be answered. Empty: none; not set: a sentence in the reader's language":
    "无法回答时告知渠道用户的文字；留空则不告知；未设置时使用对方语言的默认文字",
  "Seconds to wait for files of a channel message. The answer waits for them":
    "获取渠道消息中文件的最长时间（秒），期间回答会等待",
  "Jobs that run at the same time": "同时运行的后台任务数",
  "Seconds for jobs to finish when the service stops. Unfinished jobs run again at the next start":
    "服务停止时留给后台任务结束的时间（秒）；未结束的后台任务在下次启动时重新运行",
  "Days to keep finished jobs": "已完成的后台任务保留的天数",
  "Days to keep failed and cancelled jobs": "失败或取消的后台任务保留的天数",
  "Maximum number of finished jobs. The oldest are removed first": "已完成后台任务的最大数量，超出时先删除最早的",
  "Path of the rules file, relative to the folder of config.ini. Not set: resources/config/message_filter.json":
    "规则文件的位置，相对于 config.ini 所在目录；未设置时为 resources/config/message_filter.json",
  "Milliseconds one regular expression may take per text": "单个正则表达式处理一段文本的最长耗时（毫秒）",
  "Milliseconds per message after which no more regular expressions are tried":
    "处理一条消息时，超过此毫秒数后不再尝试其余正则表达式",
  "Total size of speech files in MiB. The oldest are removed first": "语音文件的总大小（MiB），超出时先删除最早的",
  "Days to keep speech files": "语音文件保留的天数",
  "Seconds to wait for a voice message to be transcribed, with all its recordings":
    "语音消息等待转成文字的最长时间（秒），含其中全部录音",
  "Milliseconds one regular expression may take per message": "单个正则表达式处理一条消息的最长耗时（毫秒）",
};

/** In the reader's language where it is known; settings of foreign packages stay as they were written. */
export function settingText(sentence: string | undefined, language: string): string {
  if (sentence === undefined) return "";
  return language === "zh-CN" ? (CHINESE[sentence] ?? sentence) : sentence;
}
