import { isObject } from "@parley/core/json";
import { type Json, readText } from "./field-readers.ts";

/** Fields in which servers send the error message. */
const MESSAGE_FIELDS = ["message", "msg", "detail", "error_msg", "error_message", "status_msg", "error", "errors"];
/** Fields of events that are part of an answer. */
const ANSWER_FIELDS = ["choices", "candidates", "output", "content", "response", "usage", "usageMetadata", "delta"];

/** Reads the error that an event or a whole answer of status 200 reports, in the form of any server. */
export function readErrorText(event: Json): string | undefined {
  const { error, base_resp: status, response } = event;
  if (isGiven(error)) return toMessage(error) ?? JSON.stringify(error);
  if (event.type === "error" || event.object === "error") return toMessage(event) ?? JSON.stringify(event);
  if (isObject(status) && status.status_code && status.status_code !== 0) return toMessage(status);
  if (event.type === "response.failed" && isObject(response) && isGiven(response.error))
    return toMessage(response.error);
  const isPart = typeof event.type === "string" || ANSWER_FIELDS.some((name) => isGiven(event[name]));
  return isPart ? undefined : toMessage(event);
}

/** Returns an event that the library of every protocol reads as an error. */
export function toErrorEvent(message: string, event: Json = {}): object {
  const { type, code, status } = isObject(event.error) ? event.error : event;
  const number = Number(code ?? Number.NaN);
  const kinds = [type, code].filter((one) => typeof one === "string" && one !== "error");
  const error = { message, type: kinds[0] ?? "error", status: readText(status) ?? "" };
  return {
    type: "error",
    sequence_number: 0,
    message,
    error: { ...error, code: Number.isNaN(number) ? null : number },
  };
}

function isGiven(value: unknown): boolean {
  return Boolean(value) && !(typeof value === "object" && Object.keys(value as object).length === 0);
}

function toMessage(error: unknown): string | undefined {
  if (Array.isArray(error)) return error.map(toMessage).find((text) => text !== undefined);
  if (!isObject(error)) return typeof error === "string" && error.trim() !== "" ? error : undefined;
  return MESSAGE_FIELDS.map((name) => toMessage(error[name])).find((text) => text !== undefined);
}
