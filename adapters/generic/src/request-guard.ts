import { BlockList, isIP } from "node:net";
import { AppError, type ChannelIo, type WebhookRequest } from "@parley/core";
import { isEqualSecret } from "@parley/core/secrets";
import type { GenericSettings } from "./settings.ts";
import { findSignatureProblem, type SignatureHeaders } from "./signature.ts";

/** Checks who may post, before the body is parsed. */
export interface RequestGuard {
  /** Throws `unauthorized` or `permission_denied`. Returns the signature headers of a signed request. */
  check(request: WebhookRequest): SignatureHeaders | undefined;
}

export function createRequestGuard(
  { auth, allowed_ips }: GenericSettings,
  io: ChannelIo,
  now: () => number,
): RequestGuard {
  const allowed = new BlockList();
  for (const one of allowed_ips) {
    const [address = "", prefix] = one.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    allowed.addSubnet(address, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  const reject = (reason: string): never => {
    // The reason is only logged: the sender gets the same error for all.
    throw new AppError("unauthorized", "authentication failed", { cause: reason });
  };
  const checkAddress = (given: string) => {
    const address = given.replace(/^::ffff:(?=\d+\.)/i, "");
    const isListed = isIP(address) !== 0 && allowed.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
    if (isListed || (auth.type !== "ip" && allowed_ips.length === 0)) return;
    throw new AppError("permission_denied", "this address may not post here", { cause: "ip_forbidden" });
  };
  return {
    check({ headers, body, address }) {
      checkAddress(address);
      if (auth.type === "none" || auth.type === "ip") return undefined;
      const secret = auth.secret_env === "" ? undefined : io.secret(auth.secret_env)?.trim();
      if (!secret) return reject("nobody");
      if (auth.type === "static") {
        if (!isEqualSecret(headers["x-svc-token"] ?? "", secret)) reject("invalid_token");
        return undefined;
      }
      const signed = {
        timestamp: headers["x-svc-timestamp"] ?? "",
        nonce: headers["x-svc-nonce"] ?? "",
        signature: headers["x-svc-signature"] ?? "",
      };
      const problem = findSignatureProblem(secret, signed, body, now());
      if (problem) reject(problem);
      return signed;
    },
  };
}
