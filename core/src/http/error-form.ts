import Joi, { type Schema } from "@hapi/joi";
import type { AppErrorOptions, ErrorCode } from "../errors.ts";
import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";
import { anySchema, functionSchema, validateWith } from "../validation/joi-schemas.ts";

/** A rejected request, with its sentence in the reader's language. */
export interface RejectedRequest {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly detail?: AppErrorOptions["detail"];
}

/** Body of an error answer, with its status and headers where they differ from the service's own. */
export interface ErrorAnswer {
  readonly body: object;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Form of the error answers below a path that follows another standard. */
export interface ErrorForm {
  /** Beginning of the paths: `/v1/`. */
  readonly path: string;
  /** Schema of the bodies. */
  readonly data: Schema;
  /** Converts every rejection below the path, also those before a route runs: login, scope, size, unknown paths. */
  toAnswer(rejected: RejectedRequest): ErrorAnswer;
}

/** Forms of error answers other than the service's envelope. */
export const ErrorForms: ExtensionPoint<ErrorForm> = extensionPoint("error-forms", {
  accept: validateWith(
    Joi.object({
      path: Joi.string()
        .pattern(/^\/[\w/-]+\/$/)
        .required(),
      data: anySchema.required(),
      toAnswer: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "error form", names: ({ path }) => [path] },
});
