let chinese: Readonly<Record<string, string>> = {};

/** Only who reads Chinese loads what failures say in it; until then what their code means is shown. */
export async function loadChinese(): Promise<void> {
  chinese = (await import("./failure-texts.ts")).CHINESE;
}

/** By the code of the failure. */
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

/** The service's own sentence for who reads Chinese: behind what its code means. */
export function chineseByCode(code: string, sentence: string): string {
  const meaning = CHINESE_CODES[code];
  return meaning === undefined ? sentence : `${meaning}：${sentence}`;
}

interface FailureFacts {
  readonly key?: string | undefined;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
}

/** What a failure says in Chinese; undefined where that is not known. */
export function chineseOf({ key, params = {} }: FailureFacts): string | undefined {
  return chinese[key ?? ""]?.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));
}
