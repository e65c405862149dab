import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SENTENCES, translateToChinese } from "../../adapters/web/console/src/shared/trace/sentences.ts";

test("every translated trace message is in use", () => {
  const sources = globSync("plugins/*/src/**/*.ts", { exclude: (name) => name.endsWith(".test.ts") });
  const written = sources.map((file) => readFileSync(file, "utf8")).join("\n");
  const stale = Object.keys(SENTENCES).filter((one) =>
    one.split(/\{\w+\}/).some((part) => part.trim() !== "" && !written.includes(part)),
  );
  expect(stale).toEqual([]);
});

test.each([
  ["the turn begins", "开始处理"],
  ["the turn is over: answered", "处理结束：已回答"],
  ["a message from a task", "来自任务的消息"],
  ["a message from desk", "来自 desk 的消息"],
  ["Offline companion answers", "由 离线伙伴 回答"],
  ["the model is gone; tried again in 5 s", "the model is gone；5 秒后重试"],
  ["3 of 5 parts of the answer were delivered", "回复的 5 段中已送达 3 段"],
  ["delivered (confirmed)", "已送达（平台已确认）"],
  ["Forbidden: bot was blocked", undefined],
])("the trace message %j is translated as %j", (english, chinese) => {
  expect(translateToChinese(english)).toBe(chinese);
});
