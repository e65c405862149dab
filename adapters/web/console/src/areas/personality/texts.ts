import { createTexts } from "../../shared/i18n/i18n.ts";

export const useTexts = createTexts("personality", {
  personality: ["Personality", "人设"],
  hint: [
    "Used in conversations without a character. Changes take effect with the next message.",
    "用于未绑定角色的会话。更改从下一条消息起生效。",
  ],
  currentPersonality: ["Current personality", "当前人设"],
  fromPreset: ["Based on the preset {{name}}.", "来自预设“{{name}}”。"],
  withoutPreset: ["Not based on a preset.", "未使用预设。"],
  preset: ["Preset", "预设"],
  builtIn: ["Built in", "内置"],
  custom: ["Your presets", "自定义预设"],
  use: ["Use this one", "使用此预设"],
  useHint: [
    "All fields are replaced by those of the preset. Text that is not saved in a preset is lost.",
    "所有字段将替换为该预设的内容，未存入预设的内容会丢失。",
  ],
  presetApplied: ["Now using {{name}}.", "已使用预设“{{name}}”。"],
  saved: ["Personality saved.", "人设已保存。"],
  presets: ["Manage presets", "管理预设"],
});
