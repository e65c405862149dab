import { bySentence } from "../../shared/i18n/by-sentence.ts";

/**
 * Chinese translations of our log messages by the English one: the file stays English, so that it can be searched. A
 * name in braces is a placeholder.
 */
export const LOG_SENTENCES: Readonly<Record<string, string>> = {
  "secrets that an earlier version stored could not be encrypted": "无法加密早期版本保存的密钥",
  "{file} is upgraded to Parley {own}; a copy of the previous state is kept for {KEEP_DAYS} days":
    "{file} 已升级到 Parley {own}，升级前的副本保留 {KEEP_DAYS} 天",
  "leftovers of an unfinished write could not be removed": "无法删除未完成写入的残留文件",
  "the last valid content of a file could not be saved": "无法保存文件的有效副本，文件损坏时将无法沿用",
  "the database is upgraded to Parley {version}; a copy of the previous state is kept for {days} days in the schema {name}":
    "数据库已升级到 Parley {version}，升级前的数据在模式 {name} 中保留 {days} 天",
  "a secret in the settings cannot be read: enter it again": "无法读取设置中的密钥，请重新输入",
  "the filter rules were copied to the data folder, where they are read from now on":
    "过滤规则已复制到数据文件夹，今后从那里读取",
  "a blocked message could not be withdrawn on the platform": "无法在平台上撤回被拦截的消息",
  "a body could not be used": "收到的消息体无法使用",
  "a changed setting could not be applied": "设置的更改未能生效",
  "a channel could not be changed": "无法更改渠道",
  "a channel could not be opened": "无法打开渠道",
  "a channel that moves to another node could not be closed": "无法关闭移交给其他节点的渠道",
  "an abandoned channel could not be closed": "无法关闭已放弃的渠道",
  "a channel's link did not close in time": "渠道连接未能及时关闭",
  "a client revoked its own access": "客户端已交还访问权限",
  "a client lost its access: {what} was used twice": "客户端已失去访问权限：{what} 被使用了两次",
  "a person granted a client access": "已有人允许客户端访问",
  "a client was granted access": "客户端已获得访问权限",
  "a person denied a client access": "已有人拒绝客户端访问",
  "a configuration package was imported": "已导入配置包",
  "a configuration package was created": "已导出配置包",
  "a connection could not be closed": "无法关闭连接",
  "a credential could not be checked": "无法核对凭据",
  "a file cannot be used; its last valid content still applies": "文件无法使用，沿用上次有效的内容",
  "a file cannot be used; none of it applies": "文件无法使用，其内容均未生效",
  "a filter rule cannot be applied": "过滤规则无法应用",
  "a filter rule is disabled until it is edited: it timed out repeatedly": "过滤规则多次超时，在修改之前不再使用",
  "a filter rule was skipped for a message: it took too long": "过滤规则超时，已对一条消息跳过",
  "a socket frame could not be answered": "无法处理实时连接的一条请求",
  "a listener failed": "事件处理出错",
  "a login failed": "登录失败",
  "a login succeeded": "登录成功",
  "a data loss is accepted, as requested": "已按要求接受数据丢失",
  "a model gave no answer": "模型没有应答",
  "a node sends no heartbeats: its work is taken over": "节点没有心跳，其工作已被接管",
  "a password was changed": "密码已修改",
  "a pattern could not be analysed": "无法分析表达式",
  "a question could not be sent to a person on the platform": "无法在平台上请人批准",
  "a plugin could not release all its resources": "插件未能释放全部资源",
  "a health probe failed": "运行指标无法读取",
  "a promise of {plugin} failed and nobody waited for it": "{plugin} 的后台操作失败，且未被处理",
  "a request failed": "请求失败",
  "a server could not be reconnected": "无法重新连接服务器",
  "a server could not be stopped": "无法停止服务器",
  "a server did not revoke its access: revoke it there": "服务器未撤销授权，请在该服务器上撤销",
  "a server does not renew its token: sign in again": "服务器不再续期令牌，需要重新登录",
  "a server has changed a tool": "服务器更改了工具",
  "a server is not connected": "服务器未连接",
  "a server disconnected": "服务器已断开连接",
  "a sign-in at a server was completed": "已登录服务器",
  "the changes of a server could not be applied": "无法应用服务器的更改",
  "a setting is not valid; its default applies": "设置的值不可用，使用默认值",
  "a signal from another process could not be handled": "其他进程的通知未能处理",
  "a socket could not be opened": "无法打开实时连接",
  "a thread of the regular expressions had to be replaced": "正则表达式线程已重启",
  "after the stop there is still {what}": "停止后仍有未释放的资源：{what}",
  "an MCP request could not be served": "无法处理 MCP 请求",
  "an answer broke off": "响应中断",
  "an answer could not be spoken while it was written": "未能边生成边朗读回答",
  "an answer of the bridge came too late": "网桥的答复来得太晚",
  "an event could not be accepted; reconnecting": "无法接收事件，正在重新连接",
  "an event of the bridge could not be accepted": "无法接收网桥的事件",
  "expired memories were not removed": "未能清理过期的记忆",
  "files are in the {place}": "文件存放在 {place}",
  "files can be stored and read again": "文件存储已恢复",
  "files cannot be stored or read: {reason}": "文件无法保存或读取：{reason}",
  "files that a crash left behind could not be removed": "无法清理崩溃后遗留的文件",
  "files that a crash left behind were removed": "已清理崩溃后遗留的文件",
  "history could not be written": "无法写入历史记录",
  "hit counts could not be stored": "无法保存命中次数",
  "partitions moved to other nodes": "部分渠道和会话已移交给其他节点",
  "the progress of a rebuild could not be reported": "未能通报索引重建进度",
  "memories could not be vectorized": "未能为记忆计算向量",
  "MCP is served at {address}": "MCP 服务地址：{address}",
  "MCP listens on {host}: put a proxy with TLS in front of it": "MCP 监听 {host}，请在其前面部署 TLS 代理",
  "models could not be read": "无法读取模型",
  "a sticker could not be fetched": "未能获取表情",
  "the model gave no title": "模型没有给出标题",
  "an open question could not be announced": "未能通知任何人有操作等待批准",
  "nobody could be notified of an answer": "未能发送新回答的通知",
  "the state of the worker could not be stored for later nodes": "后来的节点无法得知处理已暂停或恢复",
  "nothing can be stored: {reason}": "无法保存数据：{reason}",
  "notifications cannot be sent": "无法发送通知",
  "old MCP sessions could not be ended": "无法结束过期的 MCP 连接",
  "old audit rows could not be removed": "无法清理旧的调用记录",
  "old token usage could not be removed": "无法清理旧的 token 用量",
  "other users of this machine could read the data folder: they no longer can":
    "本机其他用户原可读取数据文件夹，现已禁止",
  "other users of this machine may read a database": "本机其他用户可能可以读取数据库",
  "other users of this machine may read files of the data folder": "本机其他用户可能可以读取数据文件夹中的文件",
  "plugin '{id}' could not release what it had acquired": "插件“{id}”未能释放资源",
  "plugin '{id}' ended the service: its code called process.exit({code})":
    "插件“{id}”的代码调用了 process.exit({code})，服务因此结束",
  "a plugin failed after it was registered": "插件在注册之后出错",
  "renamed conversations could not be read": "无法读取会话的改名",
  "data is stored in PostgreSQL": "数据保存在 PostgreSQL 中",
  "sessions of a revoked credential could not be ended": "无法结束已撤销凭据的连接",
  "sessions of clients could not be ended": "无法结束客户端的连接",
  "storing works again": "数据保存已恢复",
  "tool switches could not be reloaded": "无法重新读取工具的开关",
  "the MCP client can no longer be read": "无法继续读取 MCP 客户端",
  "an MCP client of this machine could not be served": "无法为本机的 MCP 客户端提供服务",
  "settings.json names settings that no enabled plugin has; they have no effect":
    "settings.json 中有些设置不属于任何已启用的插件，不会生效",
  "local programs cannot connect: no socket can be made in the data folder":
    "本机程序无法连接：数据文件夹中无法创建套接字",
  "a local program broke off": "本机程序断开了连接",
  "the MCP session could not be ended": "无法结束 MCP 连接",
  "the administrator is called '{name}': '{other}' cannot sign in any more":
    "管理员账户名是“{name}”，“{other}”不能再登录",
  "the bridge does not answer": "网桥没有应答",
  "the configuration of models could not be read": "无法读取模型配置",
  "the new configuration did not start; the previous one is restored": "新配置未能启动，已恢复原配置",
  "the node could not be restarted": "节点未能重新启动",
  "the node could not send its heartbeat": "节点未能上报状态",
  "the node could not be marked as draining": "节点未能通报即将停止",
  "the other nodes could not be notified": "未能通知其他节点",
  "the state of a channel could not be sent to the other nodes": "其他节点无法得知渠道状态",
  "the other nodes considered this one offline: it restarts":
    "其他节点认为此节点已离线，此节点将放弃当前工作并重新启动",
  "the other nodes were not notified": "未能通知其他节点",
  "the other nodes were not notified of a question": "未能将待批准的操作通知其他节点",
  "the other nodes were not notified of a rule": "未能将规则变化通知其他节点",
  "the password was changed by the environment; all login tokens are revoked":
    "密码已由环境变量修改，所有登录令牌均已撤销",
  "the platform does not say who the bot is; in groups only replies and commands reach it":
    "平台未返回机器人身份，群聊中只能收到回复和命令",
  "the secrets of a record cannot be opened": "记录中的密钥无法解密",
  "the service stood still for {seconds} s: nothing was answered in that time{more}":
    "服务停顿了 {seconds} 秒，期间没有响应{more}",
  "the session could not be named": "未能为会话命名",
  "the speech of a deleted session could not be removed": "无法清理已删除会话的语音",
  "the subscriptions of an ended login could not be removed": "无法清理已结束登录的通知订阅",
  "the thread of the text index failed": "文本索引线程出错",
  "the usage of a model call could not be stored": "无法保存模型调用的用量",
  "the workspace of a deleted session could not be removed": "无法清理已删除会话的工作区",
  "tool '{name}' failed": "工具“{name}”执行失败",
  "the tools of a server could not be stored": "无法记录工具",
  "tools could not be reloaded": "无法重新读取工具",
  "traces are exported again": "追踪导出已恢复",
  "traces cannot be exported": "无法导出追踪",
  "vectors are indexed by pgvector": "已由 pgvector 为向量建立索引",
  "vectors could not be indexed by pgvector": "pgvector 无法为向量建立索引",
  "the caches cannot be used": "无法使用缓存",
  "the file of the caches was damaged and is created again": "缓存文件已损坏，已重新创建",
  "vectors could not be refreshed": "无法更新向量",
  "views of published conversations were not counted": "未能统计公开会话的阅读次数",
  "webhooks come with X-Forwarded-For from an address that is not trusted: if it is your proxy, name it in web.trusted_proxies":
    "Webhook 请求带有 X-Forwarded-For，但其来源不受信任：如果是你的代理，请写入 web.trusted_proxies",
  "changes of another process could not be read": "无法读取其他进程的更改",
  "missed runs could not be caught up": "未能补上错过的计划",
  "changes after the damage are lost; the damaged log is kept as a copy": "损坏之后的内容已略去，损坏的日志另行保存",
  "a job change of another process could not be handled": "未能处理其他进程关于后台任务的通知",
  "this node could not hand over its work": "未能移交此节点的工作",
  "work that waits for nodes of other versions could not be done": "未能完成等待旧版本节点退出的工作",
  "this node cannot take over waiting work now": "暂时无法接手等待此节点的工作",
  "the stored state of a sign-in cannot be read": "无法读取已保存的登录信息",
  "messages sent in the meantime could not be fetched": "无法获取断开期间的消息",
  "the event-loop monitor stopped": "不再监测服务繁忙的原因",
  "world books could not be prepared": "世界书未能就绪",
  "world books could not be read": "无法读取世界书",
  "{plugin} threw an error that nothing caught; {what}": "{plugin} 抛出了未捕获的异常；{what}",
  "{reason}: stopping": "{reason}：正在停止",
  "{what} could not be planned": "无法安排计划：{what}",
};

/** Maximum texts per query, as in the service. */
const MAX_SEARCH_TEXTS = 50;

/** Returns the English search texts of log messages whose Chinese translation contains the words, one per line. */
export function englishOf(words: string): string {
  if (words === "") return "";
  const found = Object.entries(LOG_SENTENCES).filter(([, chinese]) => chinese.includes(words));
  return found
    .slice(0, MAX_SEARCH_TEXTS)
    .map(([english]) => longestPart(english))
    .join("\n");
}

/** Returns the longest text between placeholders, whose values are unknown. */
function longestPart(sentence: string): string {
  return sentence.split(/\{\w+\}/).reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** Returns the Chinese translation of a log message; undefined for one that is not ours. */
export const logInChinese = bySentence(LOG_SENTENCES);
