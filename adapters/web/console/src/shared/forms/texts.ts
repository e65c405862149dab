import { createTexts, type KeyOf } from "../i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = createTexts("forms", {
  noArguments: ["No arguments.", "不需要参数。"],
  argument: ["Argument", "参数"],
  valueType: ["Type", "类型"],
  type_string: ["text", "文本"],
  type_number: ["number", "数字"],
  type_integer: ["whole number", "整数"],
  type_boolean: ["yes or no", "是或否"],
  type_array: ["list", "列表"],
  type_object: ["object", "对象"],
  type_json: ["JSON", "JSON"],
  characters: ["characters", "个字符"],
  rawSchema: ["JSON Schema", "JSON Schema"],
  fixJson: ["To save, correct the JSON of:", "请先修正以下 JSON 再保存："],
  savedSettings: ["Saved and in effect", "已保存并生效"],
  defaultIs: ["default: {{value}}", "默认：{{value}}"],
  resetToDefaults: ["Reset to defaults", "恢复默认"],
  noSettings: ["No settings.", "没有设置。"],
  defaultModel: ["Default model", "默认模型"],
  noCharacter: ["No character", "无角色"],
  deletedOption: ["{{id}} (no longer exists)", "{{id}}（已不存在）"],
  addTag: ["Press Enter to add", "按回车添加"],
  uploadOne: ["Upload", "上传"],
  chooseUploaded: ["Choose", "选择"],
  clear: ["Remove", "移除"],
  dropHere: ["Drop a file here, or paste an address", "将文件拖到此处，或粘贴地址"],
  stored: ["Uploaded files", "已有文件"],
  storedPictures: ["Uploaded pictures", "已有图片"],
  noneStored: ["Nothing has been uploaded yet.", "尚未上传任何文件。"],
  notAPicture: ["This is not a picture.", "这不是图片。"],
  uploadingOne: ["Uploading {{name}}", "正在上传 {{name}}"],
  notSet: ["not set", "未设置"],
});

export type TextKey = KeyOf<typeof useTexts>;
