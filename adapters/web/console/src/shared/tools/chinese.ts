import type { Localized } from "@parley/core";

/** Chinese descriptions of built-in tools, whose English ones are written for models. */
const CHINESE: Readonly<Record<string, string>> = {
  get_date_time: "当前日期、时间和星期，可指定时区。",
  get_weather: "某地现在和未来几天的天气。",
  search_web: "搜索网页，给出标题、地址和摘要。",
  search_news: "搜索新闻，最新的在前。",
  http_get: "读取网址的内容，最多 20,000 个字符。",
  download_file: "将网址的文件下载到本会话的工作区，最大 50 MiB。",
  understand_image: "查看图片并回答有关问题。",
  generate_image: "按描述生成图片，附在回答中。",
  save_to_memory: "应对方要求记住某件事。",
  read_memory: "查看关于对方的记忆。",
  correct_memory: "更正关于对方的记忆。",
  forget_memory: "应对方要求忘记某件事，会先确认。",
  search_knowledge: "在知识库中搜索相关段落。",
  send_message: "回答之前告知进展，不会保存。",
  get_session_thinking_history: "查看本会话中以往的思考过程。",
  workspace_create_file: "在工作区中新建文本文件。",
  workspace_read_file: "读取工作区中的文本文件。",
  workspace_edit_file: "替换工作区文本文件中的一段内容。",
  workspace_delete_file: "删除工作区中的文件或文件夹，七天内可恢复。",
  workspace_list_files: "列出工作区中的文件和文件夹。",
  workspace_send_file: "在会话中展示工作区中的文件。",
  workspace_parse_file: "读取办公文档中的文字。",
  workspace_file_info: "查看文件的大小、类型和修改时间。",
  exec_command: "在工作区的隔离环境中运行命令，每次都会先确认。",
  todo_add: "在本会话的待办列表中添加一项。",
  todo_list: "查看本会话的待办列表。",
  todo_complete: "将待办标记为完成。",
  todo_delete: "删除一项待办。",
  todo_clear: "清空待办列表。",
  skill_list: "列出可用的技能及其用途。",
  skill_get_info: "查看技能的参数、文件和要求。",
  use_skill: "使用技能：获取其说明并照做，或获取结果。",
  read_skill_file: "读取技能中的文本文件。",
  workspace_skill_copy: "将技能的文件复制到本会话的工作区。",
  run_skill_script: "在隔离环境中运行技能脚本，每次都会先确认。",
};

/** Returns the Chinese description where known; else the service's own. */
export function describedIn(language: string, { name, description, builtin, help }: Described): string {
  const isChinese = language.startsWith("zh");
  if (help) return isChinese ? help.zh : help.en;
  return (builtin && isChinese ? CHINESE[name] : undefined) ?? description;
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly builtin: boolean;
  readonly help?: Localized | null;
}
