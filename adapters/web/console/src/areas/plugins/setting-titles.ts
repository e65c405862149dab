/** Titles of the settings of built-in plugins, [English, 中文]. */
const TITLES: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  automation: {
    keep_runs_days: ["Keep runs for (days)", "运行记录保留（天）"],
    keep_runs_most: ["Maximum runs kept", "运行记录上限（条）"],
    retry_pause_ms: ["Pause before a step is retried (ms)", "步骤重试间隔（毫秒）"],
  },
  chat: {
    max_steps: ["Model calls per turn", "一轮对话的模型调用次数"],
    prompt_source_timeout_ms: ["Time limit per part of the prompt (ms)", "单个提示词来源的时限（毫秒）"],
    name_sessions: ["Name new conversations", "自动命名新会话"],
  },
  files: {
    fetch_timeout_s: ["Time limit for fetching a file (seconds)", "获取文件的时限（秒）"],
    soffice: ["Path of LibreOffice", "LibreOffice 路径"],
    convert_with_network: ["Convert files with network access", "允许联网转换文件"],
  },
  filter: {
    file: ["Rules file", "规则文件"],
    regex_limit_ms: ["Time limit per regular expression (ms)", "正则表达式时限（毫秒）"],
  },
  gateway: {
    dedupe_ttl_s: ["Recognise duplicates for (seconds)", "重复消息识别时长（秒）"],
    error_reply: ["Reply when answering fails", "无法回答时的回复"],
    cut_reply: ["Note below an answer that broke off", "回答中断时的提示"],
    slow_reply: ["Word when an answer takes longer", "回答较慢时的提示"],
    limit_reply: ["Reply when someone writes too much", "消息过多时的回复"],
    limit_user_per_minute: ["Messages per minute and user", "每个用户每分钟消息数"],
    limit_conversation_per_minute: ["Messages per minute and conversation", "每个会话每分钟消息数"],
    limit_address_per_minute: ["Messages per minute and address", "每个地址每分钟消息数"],
    limit_channel_per_minute: ["Messages per minute and channel", "每个渠道每分钟消息数"],
  },
  jobs: {
    concurrency: ["Concurrent jobs", "同时运行的后台任务数"],
    drain_s: ["Time to finish when the service stops (seconds)", "停止服务时的等待时间（秒）"],
    keep_done_days: ["Keep finished jobs for (days)", "已完成的后台任务保留（天）"],
    keep_dead_days: ["Keep failed and cancelled jobs for (days)", "已失败或取消的后台任务保留（天）"],
    keep_most: ["Maximum finished jobs kept", "已完成的后台任务上限（个）"],
  },
  models: { offline_word_ms: ["Pause between words of the offline model (ms)", "离线模型输出间隔（毫秒）"] },
  postgres: {
    url_env: ["Variable with the database address", "保存数据库地址的环境变量"],
    read_connections: ["Read connections", "读取连接数"],
    statement_timeout_s: ["Statement time limit (seconds)", "语句时限（秒）"],
    nodes: ["Several nodes share the database", "多个节点共用数据库"],
  },
  s3: {
    endpoint: ["Endpoint", "存储服务地址"],
    bucket: ["Bucket", "存储桶"],
    region: ["Region", "区域"],
    prefix: ["Folder in the bucket", "桶内文件夹"],
    access_key_env: ["Variable with the access key ID", "保存访问密钥 ID 的环境变量"],
    secret_key_env: ["Variable with the secret access key", "保存访问密钥的环境变量"],
    path_style: ["Path-style addresses", "路径样式的地址"],
    timeout_s: ["Timeout (seconds)", "超时（秒）"],
    backups: ["Include files in backups", "备份中包含文件"],
    move_back: ["Move files back", "移回文件"],
  },
  tools: {
    open_meteo_url: ["Address of the weather service", "天气服务地址"],
    geocoding_url: ["Address of the geocoding service", "地名查询地址"],
    wikipedia_url: ["Wikipedia address", "维基百科地址"],
    gdelt_url: ["Address of the news service", "新闻服务地址"],
  },
  voice: {
    keep_mb: ["Maximum size of speech kept (MiB)", "语音文件总大小上限（MiB）"],
    keep_days: ["Keep speech for (days)", "语音文件保留（天）"],
    transcribe_timeout_s: ["Time limit for transcribing (seconds)", "语音转文字时限（秒）"],
  },
  "world-books": {
    regex_limit_ms: ["Time limit per regular expression (ms)", "正则表达式时限（毫秒）"],
    regex_total_ms: ["Time limit for all regular expressions (ms)", "全部正则表达式时限（毫秒）"],
  },
};

/** The localized title of a plugin setting; the key for a third-party plugin. */
export function pluginSettingTitle(plugin: string, key: string, language: string): string {
  const [english, chinese] = TITLES[plugin]?.[key] ?? [];
  return (language.startsWith("zh") ? chinese : english) ?? key;
}
