import { lookup } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import type { Egress } from "@parley/core";
import { type Finding, toOk, toProblem, toWarning } from "@parley/host/tooling";
import { cliTexts } from "../texts.ts";

const TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;
const WARN_BEFORE_MS = 21 * DAY_MS;

export interface CertificatesOptions {
  readonly data: string;
  /** Public address in config.ini. */
  readonly publicBaseUrl: string | undefined;
  readonly egress: Pick<Egress, "check">;
  readonly now: number;
}

/** Checks certificates of public and platform addresses: expiry and trust. */
export async function examineCertificates(parts: CertificatesOptions): Promise<readonly Finding[]> {
  const addresses = [...new Set(findAddresses(parts))];
  return Promise.all(addresses.map((address) => examineCertificate(address, parts)));
}

/** Finds the https origins of the settings (which override config.ini) and of enabled channels. */
function findAddresses({ data, publicBaseUrl }: CertificatesOptions): readonly string[] {
  const settings = readJsonFile(join(data, "settings.json")) as {
    readonly web?: { readonly public_base_url?: unknown };
  };
  const { channels = [] } = readJsonFile(join(data, "channels.json")) as {
    readonly channels?: readonly { readonly enabled?: boolean }[];
  };
  const open = Array.isArray(channels) ? channels.filter(({ enabled }) => enabled !== false) : [];
  const given = [settings.web?.public_base_url ?? publicBaseUrl, ...open.flatMap(collectTexts)];
  return given.flatMap((text) => {
    const url = typeof text === "string" ? URL.parse(text) : null;
    return url?.protocol === "https:" ? [url.origin] : [];
  });
}

// Problems of these files are reported by their own checks.
function readJsonFile(file: string): object {
  try {
    return existsSync(file) ? Object(JSON.parse(readFileSync(file, "utf8"))) : {};
  } catch {
    return {};
  }
}

function collectTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}

const RENEW = cliTexts.localized("certificate_renew");
const TRUST = cliTexts.localized("certificate_trust");
const REACH = cliTexts.localized("certificate_reach");

async function examineCertificate(origin: string, { egress, now }: CertificatesOptions): Promise<Finding> {
  const url = new URL(origin);
  const about = `certificate ${url.host}`;
  try {
    const { validTo, trustProblem } = await fetchCertificate(url, egress);
    const day = new Date(validTo).toISOString().slice(0, 10);
    if (validTo <= now) return toProblem(about, cliTexts.localized("certificate_expired", { day }), RENEW);
    if (trustProblem !== undefined) {
      return toProblem(about, cliTexts.localized("certificate_untrusted", { reason: trustProblem, day }), TRUST);
    }
    if (validTo - now < WARN_BEFORE_MS)
      return toWarning(about, cliTexts.localized("certificate_expires", { day }), RENEW);
    return toOk(about, cliTexts.localized("certificate_valid", { day }));
  } catch (error) {
    return toWarning(about, cliTexts.localized("certificate_unread", { reason: (error as Error).message }), REACH);
  }
}

interface Certificate {
  /** Expiry in milliseconds since the epoch. */
  readonly validTo: number;
  /** Reason the certificate is not trusted. */
  readonly trustProblem: string | undefined;
}

/** Fetches a certificate. Connects to the checked address; the name is not resolved a second time. */
async function fetchCertificate(url: URL, egress: Pick<Egress, "check">): Promise<Certificate> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const name = url.hostname.replaceAll(/[[\]]/g, "");
  await egress.check(url.origin, "private");
  const late = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => late.reject(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
  const { address } = isIP(name) ? { address: name } : await Promise.race([lookup(name), late.promise]);
  await egress.check(`https://${isIP(address) === 6 ? `[${address}]` : address}`, "private");
  const socket = connect({
    host: address,
    port: Number(url.port || 443),
    ...(isIP(name) === 0 && { servername: name }),
    // The connection only reads the certificate and sends nothing, so an untrusted one is accepted.
    rejectUnauthorized: false,
  });
  const handshake = new Promise<Certificate>((resolve, reject) => {
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      const rejection = socket.authorizationError;
      resolve({
        validTo: Date.parse(socket.getPeerCertificate().valid_to),
        trustProblem: socket.authorized
          ? undefined
          : String((rejection as Partial<NodeJS.ErrnoException>)?.code ?? rejection),
      });
    });
  });
  try {
    return await Promise.race([handshake, late.promise]);
  } finally {
    late.promise.catch(() => {});
    handshake.catch(() => {});
    socket.destroy();
  }
}
