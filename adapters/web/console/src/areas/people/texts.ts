import { createTexts } from "../../shared/i18n/i18n.ts";

export const useTexts = createTexts("people", {
  people: ["People", "用户数据"],
  peopleHint: [
    "Everyone who has a private conversation with the bot. Export or erase everything stored about them.",
    "与机器人有私聊的所有人。可以导出或清除关于他们的全部数据。",
  ],
  searchPeople: ["Search people", "搜索用户"],
  noPeople: ["Nobody yet", "还没有人"],
  noPeopleHint: ["People appear here after they write on a channel.", "有人通过渠道发来消息后会显示在这里。"],
  nobodyFound: ["Nobody matches.", "没有匹配的用户。"],
  person: ["Person", "用户"],
  lastWrote: ["Last message", "最近消息"],
  actions: ["Actions", "操作"],
  exportPerson: ["Export", "导出"],
  erase: ["Erase", "清除"],
  erasePerson: ["Erase everything about {{name}}", "清除关于 {{name}} 的全部数据"],
  erasedKinds: ["This is erased for good:", "以下内容将被永久清除："],
  eraseChats: [
    "Private conversations with this person, archived messages included",
    "与此人的私聊会话，包括已归档的消息",
  ],
  eraseGroups: [
    "What they wrote in groups, and the answers to it. The rest of a group stays",
    "此人在群聊中的发言及其回复；群里的其他内容保留",
  ],
  eraseMemories: ["Memories, and what characters feel and remember about them", "关于此人的记忆，以及角色与其的关系"],
  eraseFiles: ["Files and voice messages sent by or to them", "此人发来或收到的文件和语音"],
  eraseTraces: [
    "Traces, logs, usage records, and messages waiting to be sent to them",
    "追踪、日志、用量记录，以及待发送给此人的消息",
  ],
  retainedHint: [
    "Anonymous statistics and existing backups are kept. Delete those backups yourself if you need to.",
    "不含姓名的统计数字会保留，已有的备份也会保留：如有需要，请自行删除。",
  ],
  typeName: ["Type “{{name}}” to confirm", "输入“{{name}}”以确认"],
  cannotBeUndone: ["This cannot be undone.", "此操作无法撤销。"],
  erasingNow: ["Erasing… You can close this window.", "正在清除……关闭此窗口后仍会继续。"],
  erased: [
    { one: "Erased: {{count}} record of {{name}}.", other: "Erased: {{count}} records of {{name}}." },
    "已清除 {{name}} 的 {{count}} 条数据。",
  ],
  erasedAll: ["Erased: everything about {{name}}.", "已清除关于 {{name}} 的全部数据。"],
  notErased: [
    "Erasing did not finish. It is retried automatically: see Jobs.",
    "未能全部清除，稍后会自动重试，请在“后台任务”中查看。",
  ],
});
