import { Joi } from "@parley/core";
import { answerFields, bytes, shape } from "@parley/core/http";
import { expect, test } from "vitest";
import { answerProblem } from "./answer-problem.ts";

const row = { method: "GET", path: "/api/x", data: shape({ id: answerFields.id }) } as const;
const json = "application/json; charset=utf-8";
const given = (value: unknown, status = 200) => ({ status, type: json, text: JSON.stringify(value) });
const good = { success: true, data: { id: "1" }, message: "" };

test("a declared answer has no problem", () => {
  expect(answerProblem(row, given(good))).toBeUndefined();
});

test("an additional field, a missing one and one of another type are reported, with the row", () => {
  expect(answerProblem(row, given({ ...good, data: { id: "1", more: 1 } }))).toMatch(/GET \/api\/x.*more/);
  expect(answerProblem(row, given({ ...good, data: {} }))).toContain("data.id");
  expect(answerProblem(row, given({ ...good, data: { id: 1 } }))).toContain("data.id");
});

test("the envelope contains nothing but its three keys", () => {
  expect(answerProblem(row, given({ ...good, extra: 1 }))).toContain("extra");
  expect(answerProblem(row, given({ success: true, data: { id: "1" } }))).toContain("message");
});

test("the answer of a queued request is declared separately", () => {
  expect(answerProblem(row, given(good, 202))).toContain("may answer so");
  const accepted = shape({ trace_id: answerFields.id });
  const queued = { ...good, data: { trace_id: "gw_1" } };
  expect(answerProblem({ ...row, accepted }, given(queued, 202))).toBeUndefined();
});

test("an error is the envelope with a code that matches its status, also where none is declared", () => {
  const failed = { success: false, error: "no", code: "not_found" };
  expect(answerProblem(undefined, given(failed, 404))).toBeUndefined();
  expect(answerProblem(row, given(failed, 400))).toContain("goes with 404");
  expect(answerProblem(row, given({ ...failed, why: 1 }, 404))).toContain("why");
  expect(answerProblem(row, { status: 404, type: "text/html", text: "no" })).toContain("text/html");
});

test("an error in another standard's format is declared by its row", () => {
  const refused = shape({ error: answerFields.text });
  expect(answerProblem({ ...row, refused }, given({ error: "invalid_grant" }, 400))).toBeUndefined();
  expect(
    answerProblem({ ...row, refused }, given({ success: false, error: "no", code: "not_found" }, 404)),
  ).toBeUndefined();
  expect(answerProblem({ ...row, refused }, given({ wrong: true }, 400))).toContain("success");
  expect(answerProblem(row, given({ error: "invalid_grant" }, 400))).toContain("success");
});

test("a raw row sends its declared content types", () => {
  const raw = { ...row, reply: "raw", data: { "text/csv": Joi.string(), "image/*": bytes } } as const;
  const sent = (type: string) => ({ status: 200, type, text: "a,b" });
  expect(answerProblem(raw, sent("text/csv; charset=utf-8"))).toBeUndefined();
  expect(answerProblem(raw, sent("image/png"))).toBeUndefined();
  expect(answerProblem(raw, sent("text/html"))).toContain("text/csv or image/*");
});

test("JSON that a raw row sends is compared with its schema", () => {
  const raw = { ...row, reply: "raw", data: { "application/json": shape({ ok: answerFields.flag }) } } as const;
  expect(answerProblem(raw, given({ ok: true }))).toBeUndefined();
  expect(answerProblem(raw, given({ ok: true, more: 1 }))).toContain("more");
});
