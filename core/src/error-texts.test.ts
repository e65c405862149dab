import { expect, test } from "vitest";
import { explained, inBothLanguages, notFound, problemOf } from "./error-texts.ts";

test("a failure says its sentence, and its key and parameters to those who translate it", () => {
  expect(notFound("session", "sess_1")).toMatchObject({
    code: "not_found",
    message: "session 'sess_1' does not exist",
    detail: { key: "not_found", params: { kind: "session", id: "sess_1" } },
  });
});

test("a parameter is put in as it is, whatever it looks like", () => {
  expect(notFound("session", "{kind} $&").message).toBe("session '{kind} $&' does not exist");
});

test("what else is known of a failure stays with it", () => {
  const error = explained("rate_limited", "too_many_a_minute", { most: 5 }, { retryAfterS: 7 });
  expect(error).toMatchObject({ message: "more than 5 requests a minute", retryAfterS: 7 });
});

test("what is shown without a request is said in both languages, and the same in both where it is nobody's key", () => {
  const { error, detail } = problemOf("too_late", { seconds: 5 });
  expect(inBothLanguages(error, detail)).toEqual({ en: "no answer within 5 s", zh: "5 秒内没有响应" });
  expect(inBothLanguages("EACCES")).toEqual({ en: "EACCES", zh: "EACCES" });
  expect(inBothLanguages("odd", { key: "toString" })).toEqual({ en: "odd", zh: "odd" });
});
