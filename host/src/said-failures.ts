import { failuresOf } from "@parley/core";

/** Creates localized errors of requests in general and of the host itself. */
export const hostFailure = failuresOf("host", {
  backup_runs: { en: "another backup is being made", zh: "正在进行另一个备份" },
  body_large: { en: "the body is too large", zh: "请求内容过大" },
  body_late: { en: "the body took too long", zh: "接收请求内容超时" },
  form_field: { en: "a field of the form is longer than {most} KiB", zh: "表单中有字段超过 {most} KiB" },
  form_fields: { en: "the form has more than {most} KiB besides its files", zh: "表单除文件外的内容超过 {most} KiB" },
  form_head: { en: "the headers of a part are longer than {most} KiB", zh: "表单中有部分的标头超过 {most} KiB" },
  form_headers: { en: "a part of the form has more than {most} headers", zh: "表单中有部分的标头超过 {most} 个" },
  form_parts: { en: "the form has more than {most} parts", zh: "表单的部分超过 {most} 个" },
  given_twice: { en: "is given twice", zh: "重复给出" },
  json_or_multipart: {
    en: "content-type: must be application/json or multipart/form-data",
    zh: "content-type 必须是 application/json 或 multipart/form-data",
  },
  json_file_at: {
    en: "'{name}' is not valid JSON: line {line}, column {column}",
    zh: "“{name}”不是有效的 JSON：第 {line} 行第 {column} 列",
  },
  json_file: { en: "'{name}' is not a JSON file", zh: "“{name}”不是 JSON 文件" },
  json_type: { en: "content-type: must be application/json", zh: "content-type 必须是 application/json" },
  one_tag: { en: "if-match: send one tag, not a list", zh: "if-match：请只发送一个标签，而不是列表" },
  other_tag: { en: "if-match: the record does not have this tag", zh: "if-match：记录的标签与此不符" },
  key_reused: { en: "idempotency-key: was used with a different body", zh: "idempotency-key 已用于另一请求" },
  key_runs: { en: "the first request with this key is still running", zh: "使用此键的首个请求仍在处理" },
  key_shape: { en: "idempotency-key: 1 to 128 printable characters", zh: "idempotency-key 须为 1 至 128 个可显示字符" },
  missing: { en: "is missing", zh: "缺少" },
  multipart_type: { en: "content-type: must be multipart/form-data", zh: "content-type 必须是 multipart/form-data" },
  no_storage: { en: "idempotency-key: there is no storage", zh: "没有存储，不能使用 idempotency-key" },
  no_restart: {
    en: "nothing here would start the service again: stop it where it was started, and start it there (Ctrl+C and npm start, or docker restart)",
    zh: "此处没有程序会再次启动服务，请在启动它的地方停止并重新启动（按 Ctrl+C 后运行 npm start，或 docker restart）",
  },
  not_found: { en: "not found", zh: "不存在" },
  not_multipart: { en: "is not valid multipart/form-data", zh: "不是有效的 multipart/form-data" },
  not_started: { en: "the plugin did not start with this change: {reason}", zh: "更改后插件未能启动：{reason}" },
  other_host: {
    en: "host: is not an address of this service; config.ini names others: [web] public_base_url, allowed_hosts",
    zh: "不是此服务的地址，可在 config.ini 中添加：[web] public_base_url、allowed_hosts",
  },
  other_id: { en: "differs from the ID in the path", zh: "与路径中的 ID 不一致" },
  reload_runs: { en: "a reload is already running", zh: "正在重新加载" },
  variable_name: { en: "'{name}' is not the name of a variable", zh: "“{name}”不是环境变量名" },
  variable_reserved: { en: "'{name}' is reserved for the service itself", zh: "“{name}”保留给服务自身使用" },
});
