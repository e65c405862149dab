import { textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("personality", {
  personality: ["Personality", "人设"],
  hint: [
    "Who speaks in conversations where no character is bound. What you change here counts from the next message.",
    "未绑定角色的会话由它发言。此处的更改从下一条消息起生效。",
  ],
  inForce: ["In force", "当前人设"],
  fromPreset: ["Taken from the preset {{name}}.", "取自预设“{{name}}”。"],
  ownText: ["Its own text, taken from no preset.", "自有文本，不取自任何预设。"],
  preset: ["Preset", "预设"],
  builtIn: ["Comes with the service", "内置"],
  custom: ["Your presets", "自定义预设"],
  take: ["Use this one", "使用此预设"],
  takeHint: [
    "All fields are replaced by those of the preset. What was written here and is in no preset is lost.",
    "所有字段将替换为该预设的内容；此处已写而不在预设中的内容会丢失。",
  ],
  taken: ["{{name}} speaks from now on.", "现在由“{{name}}”发言。"],
  saved: ["The personality is saved.", "人设已保存。"],
  presets: ["Manage presets", "管理预设"],
});
