import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chineseOf } from "../chinese.ts";
import { deliveryDetail } from "../delivery-texts.ts";
import { connectionFailure } from "./connection-failure.ts";

const coded = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });
const inChinese = (sentence: string) => chineseOf(deliveryDetail(sentence) ?? {});

describe("a failed request is described in both languages:", () => {
  test.each([
    [coded("ECONNREFUSED"), "not_sent", "the connection was refused: getMe (ECONNREFUSED)", "连接被拒绝"],
    [coded("ENOTFOUND"), "not_sent", "the host name could not be resolved: getMe (ENOTFOUND)", "找不到主机名"],
    [
      coded("EHOSTUNREACH"),
      "not_sent",
      "the host cannot be reached over the network: getMe (EHOSTUNREACH)",
      "网络无法",
    ],
    [coded("CERT_HAS_EXPIRED"), "not_sent", "the certificate is not trusted: getMe (CERT_HAS_EXPIRED)", "证书"],
    [
      coded("ECONNRESET"),
      "ambiguous",
      "the server closed the connection before answering: getMe (ECONNRESET)",
      "关闭了连接",
    ],
    [
      new DOMException("it took too long", "TimeoutError"),
      "ambiguous",
      "no answer came in time: getMe (TimeoutError)",
      "没有及时答复",
    ],
    [new Error("strange"), "ambiguous", "the connection ended before the answer: getMe (Error)", "连接在答复之前中断"],
  ] as const)("%s is %s", (error, failure, sentence, chinese) => {
    const found = connectionFailure("getMe", error, "ambiguous");
    expect([found.failure, found.message]).toEqual([failure, sentence]);
    expect(inChinese(found.message)).toContain(chinese);
  });
});

test("a stored failure is recognised again, whatever the platform answered, and an unknown one is not", () => {
  expect(inChinese("the bot is blocked, or not in this conversation: sendMessage: a\n{words} “b”")).toBe(
    "机器人被屏蔽，或不在此会话中：“sendMessage: a\n{words} “b””",
  );
  expect(inChinese("send_msg: the bridge is not connected")).toBe("网桥未连接（send_msg）");
  expect(deliveryDetail("the moon is full")).toBeUndefined();
});

test("every delivery message that adapters write themselves has a Chinese translation", () => {
  const adapters = join(import.meta.dirname, "..", "..", "..", "adapters");
  const files = globSync("{ima,imb,imc,generic,web}/src/**/*.ts", { cwd: adapters });
  const sentences = files
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const source = readFileSync(join(adapters, file), "utf8");
      return [...source.matchAll(/new DeliveryError\(\s*"\w+",\s*(?:"([^"]+)"|`([^`]+)`)/g)].map(
        ([, plain, template = ""]) => plain ?? template.replaceAll(/\$\{[^}]+\}/g, "x"),
      );
    });
  expect(sentences.length).toBeGreaterThan(15);
  expect(sentences.filter((sentence) => inChinese(sentence) === undefined)).toEqual([]);
});
