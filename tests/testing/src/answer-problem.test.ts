import { answerFields, bytes, Joi, shape } from "@parley/core";
import { expect, test } from "vitest";
import { answerProblem } from "./answer-problem.ts";

const row = { method: "GET", path: "/api/x", data: shape({ id: answerFields.id }) } as const;
const json = "application/json; charset=utf-8";
const given = (value: unknown, status = 200) => ({ status, type: json, text: JSON.stringify(value) });
const good = { success: true, data: { id: "1" }, message: "" };

test("an answer as it is declared has no problem", () => {
  expect(answerProblem(row, given(good))).toBeUndefined();
});

test("a field too many, one too few and one of another kind are named, with the row", () => {
  expect(answerProblem(row, given({ ...good, data: { id: "1", more: 1 } }))).toMatch(/GET \/api\/x.*more/);
  expect(answerProblem(row, given({ ...good, data: {} }))).toContain("data.id");
  expect(answerProblem(row, given({ ...good, data: { id: 1 } }))).toContain("data.id");
});

test("the envelope has nothing but its three keys", () => {
  expect(answerProblem(row, given({ ...good, extra: 1 }))).toContain("extra");
  expect(answerProblem(row, given({ success: true, data: { id: "1" } }))).toContain("message");
});

test("what is only queued is declared apart", () => {
  expect(answerProblem(row, given(good, 202))).toContain("may answer so");
  const accepted = shape({ trace_id: answerFields.id });
  const queued = { ...good, data: { trace_id: "gw_1" } };
  expect(answerProblem({ ...row, accepted }, given(queued, 202))).toBeUndefined();
});

test("a failure is the envelope with a code that goes with its status, also where nothing is", () => {
  const failed = { success: false, error: "no", code: "not_found" };
  expect(answerProblem(undefined, given(failed, 404))).toBeUndefined();
  expect(answerProblem(row, given(failed, 400))).toContain("goes with 404");
  expect(answerProblem(row, given({ ...failed, why: 1 }, 404))).toContain("why");
  expect(answerProblem(row, { status: 404, type: "text/html", text: "no" })).toContain("text/html");
});

test("a failure in the words of another standard is one that the row declares", () => {
  const refused = shape({ error: answerFields.text });
  expect(answerProblem({ ...row, refused }, given({ error: "invalid_grant" }, 400))).toBeUndefined();
  expect(
    answerProblem({ ...row, refused }, given({ success: false, error: "no", code: "not_found" }, 404)),
  ).toBeUndefined();
  expect(answerProblem({ ...row, refused }, given({ wrong: true }, 400))).toContain("success");
  expect(answerProblem(row, given({ error: "invalid_grant" }, 400))).toContain("success");
});

test("a raw row sends the kinds of content it names", () => {
  const raw = { ...row, reply: "raw", data: { "text/csv": Joi.string(), "image/*": bytes } } as const;
  const sent = (type: string) => ({ status: 200, type, text: "a,b" });
  expect(answerProblem(raw, sent("text/csv; charset=utf-8"))).toBeUndefined();
  expect(answerProblem(raw, sent("image/png"))).toBeUndefined();
  expect(answerProblem(raw, sent("text/html"))).toContain("text/csv or image/*");
});

test("JSON that a raw row sends is held against its shape", () => {
  const raw = { ...row, reply: "raw", data: { "application/json": shape({ ok: answerFields.flag }) } } as const;
  expect(answerProblem(raw, given({ ok: true }))).toBeUndefined();
  expect(answerProblem(raw, given({ ok: true, more: 1 }))).toContain("more");
});
