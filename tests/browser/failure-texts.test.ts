import { ERROR_TEXTS, HTTP_STATUS } from "@parley/core";
import { CHINESE_CODES, CHINESE_ERROR_TEXTS } from "@parley/core/chinese";
import { describe, expect, test } from "vitest";

const CHINESE_TEXTS: Readonly<Record<string, string>> = CHINESE_ERROR_TEXTS;
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

describe("what failed is told in Chinese", () => {
  test.each(Object.entries(ERROR_TEXTS))("%s, with nothing that the service does not send", (key, english) => {
    expect(CHINESE_TEXTS[key]).toMatch(/\p{Script=Han}/u);
    expect(namesIn(english)).toEqual(expect.arrayContaining(namesIn(CHINESE_TEXTS[key] ?? "")));
  });

  test("what every code of an error means", () => {
    expect(Object.keys(CHINESE_CODES)).toEqual(expect.arrayContaining(Object.keys(HTTP_STATUS)));
  });
});
