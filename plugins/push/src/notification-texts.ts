/** Localized texts of notifications. */
export interface NoticeTexts {
  readonly approval: (tool: string) => string;
  readonly failed: (error: string) => string;
  readonly files: string;
  readonly test: string;
}

export const TEXTS: { readonly en: NoticeTexts; readonly zh: NoticeTexts } = {
  en: {
    approval: (tool) => `Waiting for your approval: ${tool}`,
    failed: (error) => `No answer: ${error}`,
    files: "Sent a file",
    test: "This is a test. Notifications work on this device.",
  },
  zh: {
    approval: (tool) => `等待你的批准：${tool}`,
    failed: (error) => `没有回答：${error}`,
    files: "发送了文件",
    test: "这是一条测试通知，本设备可以收到通知。",
  },
};
