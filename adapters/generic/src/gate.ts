import { BlockList, isIP } from "node:net";
import { AppError, type ChannelIo, type WebhookRequest } from "@parley/core";
import type { GenericSettings } from "./settings.ts";
import { isSame, signatureProblem } from "./signature.ts";

const NONCE_MS = 600_000;
const MAX_NONCES = 100_000;

/** Decides who may post (wire generic §2). Nothing of the body is read before. */
export interface Gate {
  /** Throws `unauthorized` or `permission_denied`. Gives the nonce of a signed request. */
  check(request: WebhookRequest): { readonly nonce: string | undefined };
}

export function createGate({ auth, allowed_ips }: GenericSettings, io: ChannelIo, now: () => number): Gate {
  const allowed = new BlockList();
  for (const one of allowed_ips) {
    const [address = "", prefix] = one.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    allowed.addSubnet(address, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  /** Signature by nonce, oldest first: what comes again whole is a repeat, anything else under its nonce is not. */
  const seen = new Map<string, { readonly signature: string; readonly atMs: number }>();
  const refuse = (reason: string): never => {
    // The reason is for the log of the gateway: the sender is told the same whatever is wrong.
    throw new AppError("unauthorized", "authentication failed", { cause: reason });
  };
  const checkAddress = (given: string) => {
    const address = given.replace(/^::ffff:(?=\d+\.)/i, "");
    const isListed = isIP(address) !== 0 && allowed.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
    if (isListed || (auth.type !== "ip" && allowed_ips.length === 0)) return;
    throw new AppError("permission_denied", "this address may not post here", { cause: "ip_forbidden" });
  };
  const checkNonce = (nonce: string, signature: string) => {
    const nowMs = now();
    for (const [old, { atMs }] of seen) {
      if (nowMs - atMs < NONCE_MS && seen.size <= MAX_NONCES) break;
      seen.delete(old);
    }
    const before = seen.get(nonce);
    if (before && before.signature !== signature) refuse("replay_detected");
    if (!before) seen.set(nonce, { signature, atMs: nowMs });
  };
  return {
    check({ headers, body, address }) {
      checkAddress(address);
      if (auth.type === "none" || auth.type === "ip") return { nonce: undefined };
      const secret = auth.secret_env === "" ? undefined : io.secret(auth.secret_env)?.trim();
      if (!secret) return refuse("no_secret");
      if (auth.type === "static") {
        if (!isSame(headers["x-svc-token"] ?? "", secret)) refuse("invalid_token");
        return { nonce: undefined };
      }
      const signed = {
        timestamp: headers["x-svc-timestamp"] ?? "",
        nonce: headers["x-svc-nonce"] ?? "",
        signature: headers["x-svc-signature"] ?? "",
      };
      const problem = signatureProblem(secret, signed, body, now());
      if (problem) refuse(problem);
      checkNonce(signed.nonce, signed.signature);
      return { nonce: signed.nonce };
    },
  };
}
