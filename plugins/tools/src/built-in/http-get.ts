import Joi from "@hapi/joi";
import { type Tool, tool, withPattern } from "@parley/core";
import { callHttp, type HttpCallDeps } from "../custom/http-call.ts";
import type { HttpImplementation } from "../schema.ts";

const GET_IMPLEMENTATION: Omit<HttpImplementation, "url"> = {
  type: "http",
  method: "GET",
  headers: { accept: "text/html, text/plain, application/json;q=0.9, */*;q=0.5" },
  headers_env: {},
  query: {},
  response_path: "",
  max_length: 20_000,
  timeout_s: 20,
  error_message: "",
};

/** Creates the tool that reads the content of a web address. */
export function createHttpGetTool(deps: HttpCallDeps): Tool {
  return tool<{ readonly url: string }>({
    name: "http_get",
    help: { en: "Reads a web address, up to 20,000 characters.", zh: "读取网址的内容，最多 20,000 个字符。" },
    purpose: "Reads the content of an http or https address; returns its text, at most 20,000 characters.",
    args: Joi.object({
      url: withPattern(Joi.string().trim(), /^https?:\/\/./i, {
        en: "must be an http or https address",
        zh: "须为 http 或 https 地址",
      })
        .max(2_000)
        .required(),
    }),
    scope: "gateway.read",
    risk: "read",
    audience: ["ai"],
    group: "time_and_web",
    answersAreData: true,
    timeoutMs: 25_000,
    // Braces in the address of the model are not placeholders.
    run: ({ url }, { signal }) =>
      callHttp({ ...GET_IMPLEMENTATION, url: url.replaceAll("{", "%7B").replaceAll("}", "%7D") }, {}, deps, signal),
  });
}
