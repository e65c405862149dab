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

/** One value of a certificate, as DER writes it. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const oid = (hex: string) => der(OID, Buffer.from(hex, "hex"));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const time = (ms: number) => text(TIME, `${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, "")}Z`);
const extension = (id: string, value: Uint8Array) => der(SEQUENCE, oid(id), der(OCTETS, value));

/** A certificate for localhost that signs itself, good until so many days from now; below 0 it was. */
export function selfMade(days: number) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(SEQUENCE, oid(ECDSA_SHA256));
  // Authorities are told apart by it.
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, oid(COMMON_NAME), text(UTF8, `localhost ${randomUUID()}`))));
  const until = Date.now() + days * DAY_MS;
  const names = der(SEQUENCE, text(0x82, "localhost"), der(0x87, Buffer.from([127, 0, 0, 1])));
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    der(SEQUENCE, time(Math.min(until, Date.now()) - DAY_MS), time(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      der(
        SEQUENCE,
        extension(ALTERNATIVE_NAMES, names),
        extension(BASIC_CONSTRAINTS, der(SEQUENCE, der(BOOLEAN, Buffer.from([255])))),
      ),
    ),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign("sha256", body, privateKey));
  const whole = der(SEQUENCE, body, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

export interface TlsServer extends AsyncDisposable {
  readonly address: string;
  /** Writes the certificate for `NODE_EXTRA_CA_CERTS`: whoever names it there trusts the server. */
  keep(file: string): void;
}

/** A TLS server on this machine whose own certificate is good until so many days from now; below 0 it was. */
export async function startTlsServer(days: number): Promise<TlsServer> {
  const made = selfMade(days);
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
