import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import { functionSchema, validateWith } from "../../validation/joi-schemas.ts";

/** A path at which clients open web sockets (HTTP `Upgrade: websocket`). */
export interface SocketEndpoint {
  /** `/api/ws`; unique. */
  readonly path: string;
  /** Also accepts paths below, such as `/api/ws/one`. Default: false. */
  readonly includesBelow?: boolean;
  /** Handles every upgrade request within 10 s: completes the upgrade, or calls `rejectUpgrade`. */
  take(request: IncomingMessage, stream: Duplex, head: Buffer): void;
}

/** Paths at which clients may open web sockets; an upgrade at any other path is answered 404. */
export const SocketEndpoints: ExtensionPoint<SocketEndpoint> = extensionPoint("socket-doors", {
  accept: validateWith(
    Joi.object({
      path: Joi.string()
        .pattern(/^\/[^\s?#]+$/, "a path")
        .required(),
      includesBelow: Joi.boolean(),
      take: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "socket door", names: ({ path }) => [path] },
});
