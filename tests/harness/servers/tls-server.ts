import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";

const DAY_MS = 86_400_000;
const [SEQUENCE, SET, INTEGER, BIT_STRING, OCTETS, OID, UTF8, TIME, BOOLEAN] = [
  0x30, 0x31, 0x02, 0x03, 0x04, 0x06, 0x0c, 0x17, 0x01,
];
const ECDSA_SHA256 = "2a8648ce3d040302";
const COMMON_NAME = "550403";
const ALTERNATIVE_NAMES = "551d11";
const BASIC_CONSTRAINTS = "551d13";

/** Encodes one value of a certificate as DER. */
function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const encodeOid = (hex: string) => encodeDer(OID, Buffer.from(hex, "hex"));
const encodeText = (tag: number, value: string) => encodeDer(tag, Buffer.from(value));
const encodeTime = (ms: number) =>
  encodeText(TIME, `${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, "")}Z`);
const encodeExtension = (id: string, value: Uint8Array) => encodeDer(SEQUENCE, encodeOid(id), encodeDer(OCTETS, value));

/** Creates a self-signed certificate for localhost that expires in `days` days; negative for an expired one. */
export function createSelfSignedCertificate(days: number) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = encodeDer(SEQUENCE, encodeOid(ECDSA_SHA256));
  // Clients distinguish authorities by this name, so each certificate has its own.
  const name = encodeDer(
    SEQUENCE,
    encodeDer(SET, encodeDer(SEQUENCE, encodeOid(COMMON_NAME), encodeText(UTF8, `localhost ${randomUUID()}`))),
  );
  const until = Date.now() + days * DAY_MS;
  const names = encodeDer(SEQUENCE, encodeText(0x82, "localhost"), encodeDer(0x87, Buffer.from([127, 0, 0, 1])));
  const body = encodeDer(
    SEQUENCE,
    encodeDer(0xa0, encodeDer(INTEGER, Buffer.from([2]))),
    encodeDer(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    encodeDer(SEQUENCE, encodeTime(Math.min(until, Date.now()) - DAY_MS), encodeTime(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    encodeDer(
      0xa3,
      encodeDer(
        SEQUENCE,
        encodeExtension(ALTERNATIVE_NAMES, names),
        encodeExtension(BASIC_CONSTRAINTS, encodeDer(SEQUENCE, encodeDer(BOOLEAN, Buffer.from([255])))),
      ),
    ),
  );
  const signature = encodeDer(BIT_STRING, Buffer.from([0]), sign("sha256", body, privateKey));
  const whole = encodeDer(SEQUENCE, body, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

export interface TlsServer extends AsyncDisposable {
  readonly address: string;
  /** Writes the certificate for `NODE_EXTRA_CA_CERTS`, which makes a process trust the server. */
  keep(file: string): void;
}

/** Starts a local TLS server with a self-signed certificate that expires in this many days; negative for an expired one. */
export async function startTlsServer(days: number): Promise<TlsServer> {
  const made = createSelfSignedCertificate(days);
  const server = createServer(made, (socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
  server.on("tlsClientError", () => {});
  await once(server, "listening");
  return {
    address: `https://localhost:${(server.address() as AddressInfo).port}`,
    keep: (file) => writeFileSync(file, made.cert, { flag: "a" }),
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
