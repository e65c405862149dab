import { lookup } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import type { Egress, Localized } from "@parley/core";
import { type Finding, ok, problem, warning } from "@parley/host/tooling";

const TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;
const WARN_BEFORE_MS = 21 * DAY_MS;

export interface CertificatesOptions {
  readonly data: string;
  /** Value in config.ini. */
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

const RENEW: Localized = {
  en: "renew the certificate of this address, and see why it was not renewed by itself",
  zh: "请更新此地址的证书，并检查为何没有自动更新",
};
const TRUST: Localized = {
  en: "use one of a known authority, or name its authority in NODE_EXTRA_CA_CERTS",
  zh: "请使用受信任机构签发的证书，或在 NODE_EXTRA_CA_CERTS 中指定其签发机构",
};
const REACH: Localized = {
  en: "see whether this machine reaches the address",
  zh: "请检查本机能否访问此地址",
};

async function examineCertificate(origin: string, { egress, now }: CertificatesOptions): Promise<Finding> {
  const url = new URL(origin);
  const about = `certificate ${url.host}`;
  try {
    const { validTo, trustProblem } = await fetchCertificate(url, egress);
    const day = new Date(validTo).toISOString().slice(0, 10);
    if (validTo <= now) return problem(about, { en: `it ended on ${day}`, zh: `已于 ${day} 过期` }, RENEW);
    if (trustProblem !== undefined) {
      const message = `it is not trusted here: ${trustProblem} (good until ${day})`;
      return problem(about, { en: message, zh: `本机不信任此证书：${trustProblem}（有效期至 ${day}）` }, TRUST);
    }
    if (validTo - now < WARN_BEFORE_MS)
      return warning(about, { en: `only good until ${day}`, zh: `有效期仅到 ${day}` }, RENEW);
    return ok(about, { en: `good until ${day}`, zh: `有效期至 ${day}` });
  } catch (error) {
    const { message } = error as Error;
    return warning(about, { en: `it cannot be looked at: ${message}`, zh: `无法检查：${message}` }, REACH);
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
