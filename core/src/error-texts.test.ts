import { expect, test } from "vitest";
import {
  createErrorFromText,
  localizeMessage,
  notFound,
  toItemFailure,
  toLocalized,
  toSharedError,
  toSharedProblem,
} from "./error-texts.ts";
import { AppError } from "./errors.ts";

test("an error has a message, a key and parameters for translation", () => {
  expect(notFound("session", "sess_1")).toMatchObject({
    code: "not_found",
    message: "session 'sess_1' does not exist",
    detail: { key: "not_found", params: { kind: "session", id: "sess_1" } },
  });
});

test("a parameter is inserted unchanged, whatever it looks like", () => {
  expect(notFound("session", "{kind} $&").message).toBe("session '{kind} $&' does not exist");
});

test("other properties of an error are passed on", () => {
  const error = toSharedError("rate_limited", "too_many_a_minute", { most: 5 }, { retryAfterS: 7 });
  expect(error).toMatchObject({ message: "more than 5 requests a minute", retryAfterS: 7 });
});

test("texts that are shown without a request have both languages, or the same text without a key", () => {
  const { error, detail } = toSharedProblem("too_late", { seconds: 5 });
  expect(localizeMessage(error, detail)).toEqual({ en: "no answer within 5 s", zh: "5 秒内没有响应" });
  expect(localizeMessage("EACCES")).toEqual({ en: "EACCES", zh: "EACCES" });
  expect(localizeMessage("odd", { key: "toString" })).toEqual({ en: "odd", zh: "odd" });
});

const FULL = { en: "there are {most} already", zh: "已有 {most} 个" };

test.each([
  ["by its key", notFound("rule", "r7"), "找不到“r7”"],
  [
    "that brings its sentence along",
    createErrorFromText("conflict", "dice.full", FULL, { params: { most: 3 } }),
    "已有 3 个",
  ],
  [
    "of a field, by itself",
    createErrorFromText("bad_request", "dice.full", FULL, { params: { most: 3 }, field: "dice" }),
    "dice：已有 3 个",
  ],
  [
    "of a field, by a sentence that many share",
    new AppError("bad_request", "dice: is required", { detail: { key: "any.required", field: "dice" } }),
    "dice：必填",
  ],
  ["that is known in English alone", new AppError("conflict", "it is taken"), "与现状冲突：it is taken"],
])("an error %s has a Chinese message", (_how, error, zh) => {
  expect(toLocalized(error)).toEqual({ en: error.message, zh });
});

test("an error of a plugin has its own message, with parameters filled in and its field", () => {
  const error = createErrorFromText("bad_request", "dice.full", FULL, { params: { most: 3 }, field: "dice" });
  expect(error).toMatchObject({ message: "dice: there are 3 already", detail: { chinese: "已有 {most} 个" } });
});

test.each([
  ["of a field, by a sentence that many share", "any.required", undefined, "content：必填"],
  ["of a field, by its own sentence", "dice.full", FULL.zh, "content：已有 3 个"],
])("one of several errors says %s, with its field in both languages", (_how, key, chinese, zh) => {
  const detail = { key, field: "content", params: { most: 3 }, ...(chinese !== undefined && { chinese }) };
  const { error, detail: localized } = toItemFailure(new AppError("bad_request", "content: is wrong", { detail }));
  expect(localizeMessage(error, localized)).toEqual({ en: "content: is wrong", zh });
});

test("one of several errors that exists only in English is in English for everybody", () => {
  const odd = { key: "odd.word", field: "content" };
  const { error, detail } = toItemFailure(new AppError("bad_request", "odd", { detail: odd }));
  expect(localizeMessage(error, detail)).toEqual({ en: "odd", zh: "odd" });
  expect(toItemFailure(new AppError("bad_request", "odd"))).toEqual({ error: "odd" });
});
