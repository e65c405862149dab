import type { Check } from "@parley/core";

const ADVICE = {
  en: "look at the server, at the way to it, and at the variable with its address; a start ends while that is so",
  zh: "请检查数据库服务器、网络以及存放其地址的环境变量；在此之前无法启动",
};

/** Whether the rows can be reached, where no service works. `examine` throws the sentence that says why not. */
export function databaseCheck(examine: () => Promise<unknown>): Check {
  return {
    id: "storage",
    // While a service works its probe tells it.
    run: async () => [],
    async elsewhere() {
      const reason = await examine().then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (reason === undefined) return [];
      const said = { en: reason, zh: `无法使用数据库：${reason}` };
      return [{ key: "storage.failing", level: "problem", said, advice: ADVICE, parameters: { reason } }];
    },
  };
}
