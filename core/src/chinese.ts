import type { ErrorText } from "./english.ts";
import type { ErrorDetail } from "./errors.ts";
import { filledIn } from "./filled-in.ts";

/** Chinese texts of `ERROR_TEXTS`; a text may omit a parameter of the English one. */
export const CHINESE_ERROR_TEXTS: Readonly<Record<ErrorText, string>> = {
  app_not_set: "未设置 app_id 或环境变量 {variable}",
  bridge_lost: "与网桥的连接已断开",
  channel_type_near: "未知的类型“{type}”，是否指“{near}”？",
  channel_type_unserved: "没有已安装的包支持类型“{type}”",
  channel_not_connected: "渠道未连接",
  channel_off: "渠道已停用",
  changed_meanwhile: "记录已被他人修改，当前版本为 {revision}",
  import_running: "另一个导入正在进行，请在完成后重试",
  nothing_to_update: "没有需要更新的内容",
  not_a_package: "此文件不是配置包",
  named_channel_not_connected: "渠道“{id}”未连接",
  named_channel_off: "渠道“{id}”已停用",
  not_found: "找不到“{id}”",
  no_such_row: "{path} 不存在，所属的插件可能已关闭",
  other_site: "请求来自其他网站",
  record_exists: "已有相同的记录",
  restarting: "服务正在重启",
  package_altered: "密码错误，或配置包在生成后被改动过",
  package_newer: "配置包的版本较新（{version}），请先更新此服务",
  package_too_large: "配置包解压后超出可导入的大小，未做任何更改",
  may_not_speak: "“{by}”不能向平台上的人发送内容：需要权限“admin”",
  scope_missing: "当前凭据缺少权限“{scope}”",
  sign_in_first: "请先登录",
  setting_unused: "对此类渠道无效",
  setting_not_set: "尚未设置 {setting}",
  storage_busy: "存储暂时无法处理",
  storage_closed: "存储尚未打开",
  storage_damaged: "数据库已损坏",
  too_late: "{seconds} 秒内没有响应",
  too_many_at_once: "同时到达的请求过多",
  too_many_a_minute: "每分钟请求数超过 {most}",
  unknown_section: "没有已启用的插件支持配置部分“{section}”",
  variable_not_set: "环境变量 {variable} 未设置",
  wrong_login: "用户名或密码错误",
  wrong_password: "密码错误",
};

/** Chinese texts of field errors, by joi's error type. */
export const CHINESE_FIELD_TEXTS: Readonly<Record<string, string>> = {
  "any.required": "必填",
  "any.only": "只能是：{valids}",
  "any.invalid": "值无效",
  "any.unknown": "不允许填写",
  "object.unknown": "不允许填写",
  "object.base": "必须是对象",
  "string.base": "必须是文本",
  "string.empty": "不能为空",
  "string.min": "至少 {limit} 个字符",
  "string.max": "最多 {limit} 个字符",
  "string.length": "必须是 {limit} 个字符",
  "string.pattern.base": "格式不正确",
  "string.pattern.name": "格式不正确",
  "string.uri": "不是有效的地址",
  "string.uriCustomScheme": "地址必须以 {scheme} 开头",
  "string.uriRelativeCustomScheme": "不是有效的地址",
  "string.unreadable": "不能包含控制字符",
  "string.unshowable": "不能包含控制字符和改变文字方向的字符",
  "string.timestamp": "不是有效的时间，例如 2026-01-31T08:00:00Z",
  "string.isoDate": "不是有效的时间",
  "number.base": "必须是数字",
  "number.integer": "必须是整数",
  "number.min": "不能小于 {limit}",
  "number.max": "不能大于 {limit}",
  "number.unsafe": "数字过大",
  "boolean.base": "只能为是或否",
  "array.base": "必须是列表",
  "array.min": "至少 {limit} 项",
  "array.max": "最多 {limit} 项",
  "array.unique": "有重复项",
};

/** Chinese meanings of error codes and of outcomes without an error. */
export const CHINESE_CODES: Readonly<Record<string, string>> = {
  bad_request: "请求有误",
  confirmation_required: "需要确认",
  unauthorized: "未通过身份验证",
  permission_denied: "没有权限",
  not_found: "不存在",
  conflict: "与现状冲突",
  too_large: "内容过大",
  rate_limited: "过于频繁",
  internal: "内部错误",
  upstream_failed: "外部服务出错",
  unavailable: "暂时不可用",
  timed_out: "超时",
  interrupted: "已中断",
  crash_loop: "进程反复退出",
};

const BY_KEY: ReadonlyMap<string, string> = new Map(Object.entries({ ...CHINESE_ERROR_TEXTS, ...CHINESE_FIELD_TEXTS }));

interface FailureFacts {
  readonly key?: string | undefined;
  readonly params?: ErrorDetail["params"] | undefined;
  readonly chinese?: string | undefined;
}

/** Returns the Chinese template of a shared key, with its parameters unfilled; undefined for an unknown key. */
export function chineseOfKey(key: string): string | undefined {
  return BY_KEY.get(key);
}

/** Returns the Chinese message of an error: the one it carries, else the one of its key. Undefined for an unknown key. */
export function chineseOf({ key = "", params = {}, chinese = chineseOfKey(key) }: FailureFacts): string | undefined {
  return chinese && filledIn(chinese, params);
}

/** Returns an English-only sentence for Chinese readers, after the meaning of its code. */
export function chineseByCode(code: string, sentence: string): string {
  const meaning = Object.hasOwn(CHINESE_CODES, code) ? CHINESE_CODES[code] : undefined;
  return meaning === undefined ? sentence : `${meaning}：${sentence}`;
}
