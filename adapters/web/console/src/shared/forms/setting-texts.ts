/** What the packages say about their settings, in Chinese; by the English sentence, so that none goes stale unseen. */
const CHINESE: Readonly<Record<string, string>> = {
  "The platform's own region": "平台所在区域",
  "What a request is checked by": "以什么验证请求",
  "When the answer comes": "何时返回回复",
  "Who connects to whom": "由谁建立连接",
  "Address of the bridge; empty: the variable IMA_WS_URI": "桥的地址；留空则使用环境变量 IMA_WS_URI",
  "Environment variable with the access token": "保存访问令牌的环境变量",
  "Environment variable with the secret of posted events": "保存事件上报密钥的环境变量",
  "The account; empty: learned from the bridge": "机器人账号；留空则从桥获取",
  "Ids of users and conversations that are answered; empty: everybody is": "允许回答的用户和会话 ID；留空表示全部",
  "Ids of users and conversations that are never answered, not even their commands":
    "从不回答的用户和会话 ID，命令也不回答",
  "Messages a minute; 0: no limit. That of one address is for webhooks without a secret":
    "每分钟消息数；0 表示不限。按地址的限制仅用于没有密钥的 Webhook",
  "Seconds in which a repeat is recognised; a day at least": "在多少秒内识别重复消息，至少一天",
  "What people on a channel are told below an answer that broke off; empty: nothing, it ends with … alone; left out: a sentence in their language":
    "回答中断时在其下方的提示；留空则仅以 … 结尾；未填写则使用对方语言的提示",
  "Weather; another one of the same kind": "天气服务地址；可换成同类的其他服务",
  "Places of the weather": "天气所用的地名查询地址",
  "The Wikipedia that is searched, such as another language's": "搜索所用的 Wikipedia，例如其他语言版本",
  News: "新闻服务地址",
  "LibreOffice, where it is not found by itself": "LibreOffice 的路径，未能自动找到时填写",
  "Run the converter even where the system cannot take the network from it": "即使系统无法为转换程序断网，也运行它",
  "How long runs are kept, in days": "运行记录保留的天数",
  "Of more runs the oldest go earlier": "运行记录的最大条数，超出时先删除最早的",
  "Milliseconds before a step that failed is tried again; twice as long before each further try":
    "失败的步骤在多少毫秒后重试；之后每次加倍",
  "The bot's app id": "机器人的 App ID",
  "Environment variable with the app's secret": "保存应用密钥的环境变量",
  "Use the platform's sandbox": "使用平台的沙箱环境",
  "Another server, for tokens and calls; empty: the platform's own": "获取令牌和调用接口的服务器；留空使用平台默认",
  "Environment variable with the bot's token": "保存机器人令牌的环境变量",
  "Environment variable with the secret the platform sends along; empty: no check":
    "保存平台所带密钥的环境变量；留空则不校验",
  "Address that is registered with the platform": "在平台注册的地址",
  "Another Bot API server; empty: the platform's own": "Bot API 服务器；留空使用平台默认",
  "Header of the secret, where a proxy renames it": "携带密钥的请求头，仅在代理改名时填写",
  "Keep to the platform's public limits (25 a second, one a second in a chat); off for a server of your own":
    "遵守平台的公开限速（每秒 25 条，每个会话每秒 1 条）；使用自建服务器时可关闭",
  "The app's id; empty: the variable IMC_APP_ID": "应用 ID；留空则使用环境变量 IMC_APP_ID",
  "Environment variable with the encrypt key; empty: events are neither encrypted nor signed":
    "保存加密密钥的环境变量；留空则事件不加密、不签名",
  "Environment variable with the verification token; empty: it is not checked": "保存校验令牌的环境变量；留空则不校验",
  "Address that is entered at the platform; kept here as a note": "在平台填写的地址，仅作记录",
  "Another server; empty: the platform's own": "服务器地址；留空使用平台默认",
  "How a sender proves who it is": "如何验证发送方",
  "Environment variable with the token or key": "保存令牌或密钥的环境变量",
  "Addresses and networks that may post; empty: all": "允许发送的地址和网段；留空表示全部",
  "Where in the body the values are, when it has a form of its own": "消息体格式不同时，各字段在其中的路径",
  "Where answers are posted to: https, or http on this machine": "回复发送到的地址：https，或本机的 http",
  "Environment variable with a bearer token for outbound_url": "保存 outbound_url 访问令牌的环境变量",
  "Environment variable with a key that signs what is posted": "保存发送签名密钥的环境变量",
  "Seconds one post may take": "单次发送的超时（秒）",
  "Milliseconds between the words of the offline model": "离线模型输出词之间的间隔（毫秒）",
  "Calls of the model in one turn, with tools": "一轮对话中最多调用模型的次数（含工具）",
  "Milliseconds one source of the prompt may take": "提示词的单个来源最长耗时（毫秒）",
  "Give new sessions a title after their first answer": "首次回答后为新会话生成标题",
  "How long copies of a message are recognised, in seconds": "在多少秒内识别重复消息",
  "What people on a channel are told, once a minute, when they write too much; empty: nothing; left out: a sentence in their language":
    "消息过多时告知渠道用户的文字，每分钟最多一次；留空则不告知；不设置时使用对方语言的默认文字",
  "Messages a minute of one user; 0: no limit": "每个用户每分钟的消息数；0 表示不限",
  "Messages a minute of one conversation; 0: no limit": "每个会话每分钟的消息数；0 表示不限",
  "Messages a minute of one channel; 0: no limit": "每个渠道每分钟的消息数；0 表示不限",
  "What people on a channel are told when their message could not be answered; empty: nothing; left out: a sentence in their language":
    "无法回答时告知渠道用户的文字；留空则不告知；不设置时使用对方语言的默认文字",
  "Seconds a file of a channel's message may take; the turn waits for it":
    "获取渠道消息中文件的最长时间（秒），期间回答会等待",
  "How many jobs run at once in all": "同时运行的任务总数",
  "Seconds that jobs have to end when the service stops; then they run again at the next start":
    "服务停止时留给任务结束的时间（秒）；未结束的任务在下次启动时重新运行",
  "How long what is done is kept, in days": "已完成的任务保留多久（天）",
  "How long what was given up or cancelled is kept, in days": "已放弃或取消的任务保留多久（天）",
  "Of more jobs that are done the oldest go earlier": "已完成的任务超过这个数量时，较早的先被清除",
  "Where the rules are; relative to the folder of config.ini": "规则文件的位置，相对于 config.ini 所在目录",
  "Milliseconds one regular expression may take for one text": "单个正则表达式处理一段文本的最长耗时（毫秒）",
  "Milliseconds after which no more regular expressions are tried for a message":
    "处理一条消息时，超过此毫秒数后不再尝试其余正则表达式",
  "Mebibytes of speech in all; the oldest goes first": "语音文件的总大小（MiB），超出时先删除最早的",
  "How long speech is kept, in days": "语音文件保留的天数",
  "Seconds that a voice message waits to become text, with all its recordings":
    "语音消息等待转成文字的最长时间（秒），含其中全部录音",
  "Milliseconds one regular expression may take for one message": "单个正则表达式处理一条消息的最长耗时（毫秒）",
};

/** In the reader's language where it is known; settings of foreign packages stay as they were written. */
export function settingText(sentence: string | undefined, language: string): string {
  if (sentence === undefined) return "";
  return language === "zh-CN" ? (CHINESE[sentence] ?? sentence) : sentence;
}
