import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deliveryDetail } from "../delivery-texts.ts";
import { fillDetail } from "../error-texts.ts";
import { DeliveryError } from "../errors.ts";
import { connectionFailure } from "./connection-failure.ts";

const coded = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });
const inChinese = (error: DeliveryError) => fillDetail(deliveryDetail(error) ?? {}, "zh");

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
    expect(inChinese(found)).toContain(chinese);
  });
});

test("a failure that a package worded itself exists in its own language only", () => {
  expect(deliveryDetail(new DeliveryError("permanent", "the moon is full"))).toBeUndefined();
});

test("every delivery message that adapters write themselves has a Chinese translation", () => {
  const adapters = join(import.meta.dirname, "..", "..", "..", "adapters");
  const files = globSync("{ima,imb,imc,generic,web}/src/**/*.ts", { cwd: adapters }).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  const untranslated = files.filter((file) => /new DeliveryError\(/.test(readFileSync(join(adapters, file), "utf8")));
  expect(files.length).toBeGreaterThan(80);
  expect(untranslated).toEqual([]);
});
