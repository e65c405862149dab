import { edged, spaced } from "../i18n/spacing.ts";

/**
 * What the service says of a step, in Chinese, by its English sentence. A name in braces stands for what differs; `STATES` are
 * the words that have a translation of their own.
 */
export const SENTENCES: Readonly<Record<string, string>> = {
  "a copy of an earlier message": "与之前的消息重复",
  "a message from {source}": "来自{source}的消息",
  "an edited message from {source}": "来自{source}的消息已编辑",
  "a message withdrawn on {source}": "{source}的一条消息已撤回",
  "work that is to run, from {source}": "来自{source}的待运行任务",
  "another answer was requested by {source}": "{source}请求重新回答",
  "over a limit: not answered": "超出频率限制，不予回答",
  stored: "已保存",
  "to be sent, without a turn": "直接发送，不经过对话处理",
  "the turn begins": "开始处理",
  "the turn is over: {state}": "处理结束：{state}",
  "stopped before anything was said": "尚未回复即被停止",
  "the turn took too long": "处理超时",
  "the answer broke off": "回答中断",
  "waited too long": "等待过久",
  "one of an album: answered under {id}": "属于一组图片，在 {id} 中一并回答",
  "the process crashed repeatedly on this message": "此消息反复导致进程中断",
  "the service could not process the message": "服务无法处理此消息",
  "the message could not be answered": "无法回答此消息",
  "{why}; tried again in {seconds} s": "{why}；{seconds} 秒后重试",
  "blocked by the filter": "被过滤规则拦截",
  "text removed by the filter": "已按过滤规则删除部分文字",
  "rules that took too long were skipped": "已跳过耗时过长的规则",
  "{by} answers in this conversation, not the AI": "{by} 正在此会话中人工回答，AI 不作答",
  "a file was not fetched: {why}": "文件未能获取：{why}",
  "a voice message was not transcribed: {why}": "语音消息未能转成文字：{why}",
  "part of the prompt left out: {why}": "提示词的一部分被略去：{why}",
  "switched off in the session": "已在会话中关闭",
  "the session has no character": "会话没有角色",
  "nothing to say": "没有内容",
  "memories were left out: {why}": "记忆被略去：{why}",
  "knowledge was left out: {why}": "知识被略去：{why}",
  "the character is {mood}": "角色的心情：{mood}",
  "{model} gives no answer: {why}": "{model} 没有应答：{why}",
  "{model} is asked again: {why}": "再次询问 {model}：{why}",
  "{model} answers": "由 {model} 回答",
  "the reply was decorated": "已为回复添加表情或来源",
  "being sent": "正在发送",
  "delivered ({quality})": "已送达（{quality}）",
  "given with the answer to the request": "已随请求的响应返回",
  "{arrived} of {parts} parts of the answer were delivered": "回复的 {parts} 段中已送达 {arrived} 段",
  "retried by {by}": "由 {by} 重试",
  "dismissed by {by}: {reason}": "由 {by} 忽略：{reason}",
  "the task is done": "任务已完成",
  "the task failed": "任务失败",
  "the run begins": "开始运行",
  "the run is done": "运行完成",
  "the service is {ms} ms behind: fewer turns run at once": "服务滞后 {ms} 毫秒：已减少同时处理的对话",
  "the service keeps up again": "服务已恢复正常速度",
  "{count} messages waited too long while the service was away: they are not answered":
    "服务停止期间有 {count} 条消息等待过久，不再回答",
  "told from the queue: the service ended before its history was written": "由队列补记：服务在写入历史之前已结束",
  "nothing is stored under this id": "没有与此 ID 对应的记录",
  "the id is mistyped or cut off": "ID 有误或不完整",
  "the record is older than 30 days and was deleted": "记录已超过 30 天，已被删除",
  "the message was refused before it was stored; its sender was told so": "消息在保存前已被拒绝，并已告知发送者",
};

const STATES: Readonly<Record<string, string>> = {
  "Offline companion": "离线伙伴",
  answered: "已回答",
  blocked: "已拦截",
  "the console": "控制台",
  "the API": "API",
  "an MCP client": "MCP 客户端",
  "a workflow": "工作流",
  "a task": "任务",
  "the heartbeat": "心跳",
  stopped: "已停止",
  ignored: "未回答",
  confirmed: "平台已确认",
  accepted: "平台已接收",
};

interface Pattern {
  readonly pattern: RegExp;
  readonly chinese: string;
}

const PATTERNS: readonly Pattern[] = Object.entries(SENTENCES).map(([english, chinese]) => ({
  pattern: new RegExp(
    `^${english.replaceAll(/[.*+?^$()[\]\\|]/g, "\\$&").replaceAll(/\{(\w+)\}/g, "(?<$1>.+?)")}$`,
    "s",
  ),
  chinese,
}));

/** A sentence of the service in Chinese; undefined for one that is not known here, such as a platform's own. */
export function inChinese(sentence: string): string | undefined {
  for (const { pattern, chinese } of PATTERNS) {
    const groups = pattern.exec(sentence)?.groups;
    if (groups) return spaced(chinese.replaceAll(/\{(\w+)\}/g, (_, name: string) => edged(said(groups[name] ?? ""))));
    if (pattern.test(sentence)) return chinese;
  }
  return undefined;
}

function said(word: string): string {
  return STATES[word] ?? word;
}
