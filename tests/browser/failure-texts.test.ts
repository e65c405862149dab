import { ERROR_TEXTS, HTTP_STATUS } from "@parley/core";
import { describe, expect, test } from "vitest";
import { CHINESE } from "../../adapters/web/console/src/shared/i18n/failure-texts.ts";
import { CHINESE_CODES } from "../../adapters/web/console/src/shared/i18n/failures.ts";

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

describe("what failed is told in Chinese", () => {
  test.each(Object.entries(ERROR_TEXTS))("%s, with nothing that the service does not send", (key, english) => {
    expect(CHINESE[key]).toMatch(/\p{Script=Han}/u);
    expect(namesIn(english)).toEqual(expect.arrayContaining(namesIn(CHINESE[key] ?? "")));
  });

  test("what every code of an error means", () => {
    expect(Object.keys(CHINESE_CODES)).toEqual(expect.arrayContaining(Object.keys(HTTP_STATUS)));
  });
});
