import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A push message as the browser of a subscription decrypts it. */
export interface PushMessage {
  readonly browser: string;
  readonly payload: { readonly title: string; readonly body: string; readonly url: string; readonly tag: string };
  readonly headers: IncomingHttpHeaders;
  /** Claims of the sender, whose signature was verified. */
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
  readonly publicKey: string;
  readonly atMs: number;
}

/** Response of the push service to a browser's messages. */
export type PushAnswer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | "hang";

/** A push service over real HTTP that decrypts messages with the browsers' keys. */
export interface PushServer extends AsyncDisposable {
  readonly address: string;
  /** Accepted messages in order of arrival. */
  readonly letters: readonly PushMessage[];
  /** Number of attempts for a browser. */
  tries(browser: string): number;
  /** Returns the subscription of a browser by name. */
  subscription(browser: string): {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** Sets the next responses for a browser; afterwards it responds 201. */
  answers(browser: string, ...answers: readonly PushAnswer[]): void;
}

export async function startPushServer(): Promise<PushServer> {
  const messages: PushMessage[] = [];
  const browsers = new Map<string, ReturnType<typeof createBrowserKeys>>();
  const plannedAnswers = new Map<string, PushAnswer[]>();
  const tries = new Map<string, number>();
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const browser = (request.url ?? "").slice("/push/".length);
    tries.set(browser, (tries.get(browser) ?? 0) + 1);
    const answer = plannedAnswers.get(browser)?.shift() ?? { status: 201 };
    if (answer === "hang") return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const keys = browsers.get(browser);
    if (answer.status === 201 && keys) {
      const { headers } = request;
      const payload = JSON.parse(decryptMessage(Buffer.concat(chunks), keys));
      messages.push({ browser, payload, headers, ...verifySender(headers.authorization ?? ""), atMs: Date.now() });
    }
    response.writeHead(answer.status, answer.headers).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch((error: Error) => response.writeHead(400).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    letters: messages,
    tries: (browser) => tries.get(browser) ?? 0,
    subscription(browser) {
      const keys = browsers.get(browser) ?? createBrowserKeys();
      browsers.set(browser, keys);
      return {
        endpoint: `${address}/push/${browser}`,
        keys: { p256dh: keys.own.getPublicKey("base64url"), auth: keys.auth.toString("base64url") },
      };
    },
    answers: (browser, ...answers) => void plannedAnswers.set(browser, [...answers]),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createBrowserKeys() {
  const own = createECDH("prime256v1");
  own.generateKeys();
  return { own, auth: randomBytes(16) };
}

/** Decrypts a message on the browser's side (RFC 8188 and RFC 8291). */
function decryptMessage(body: Buffer, { own, auth }: ReturnType<typeof createBrowserKeys>): string {
  const salt = body.subarray(0, 16);
  const point = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + point.length);
  if (record.length > body.readUInt32BE(16)) throw new Error("more than one record");
  const derive = (material: Buffer, by: Buffer, info: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", material, by, info, bytes));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), point]);
  const secret = derive(own.computeSecret(point), auth, info, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const decipher = createDecipheriv("aes-128-gcm", key, derive(secret, salt, "Content-Encoding: nonce\0", 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString("utf8");
}

/** Verifies the sender (RFC 8292); throws when the signature does not match the key. */
function verifySender(authorization: string) {
  const [, token = "", publicKey = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y } as never, format: "jwk" });
  const signed = Buffer.from(`${head}.${claims}`);
  const isRight = verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  if (!isRight) throw new Error("the signature is not right");
  return { claims: JSON.parse(Buffer.from(claims, "base64url").toString()), publicKey };
}
