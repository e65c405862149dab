import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

const RECORD_BYTES = 4_096;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Delimiter at the end of the last record (RFC 8188). */
const LAST_RECORD_DELIMITER = Buffer.of(2);

/** The keys of a subscription, as bytes. */
export interface SubscriptionKeys {
  /** A point of P-256, uncompressed. */
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

/** Random values of a message; fixed in tests. */
export interface EncryptionRandomness {
  readonly salt: Buffer;
  readonly privateKey: Buffer;
}

/** Encrypts a message for the browser: one record of `aes128gcm` (RFC 8188, RFC 8291). */
export function encrypt(
  message: Buffer,
  { p256dh, auth }: SubscriptionKeys,
  randomness?: EncryptionRandomness,
): Buffer {
  if (message.length + LAST_RECORD_DELIMITER.length + TAG_BYTES > RECORD_BYTES)
    throw new RangeError("the message is longer than a record");
  const own = createECDH("prime256v1");
  if (randomness) own.setPrivateKey(randomness.privateKey);
  else own.generateKeys();
  const salt = randomness?.salt ?? randomBytes(SALT_BYTES);
  const shared = own.computeSecret(p256dh);
  const secret = deriveKey(
    shared,
    auth,
    Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, own.getPublicKey()]),
    32,
  );
  const key = deriveKey(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = deriveKey(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES);
  sizes.writeUInt8(own.getPublicKey().length, 4);
  const record = [cipher.update(message), cipher.update(LAST_RECORD_DELIMITER), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, sizes, own.getPublicKey(), ...record]);
}

function deriveKey(material: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", material, salt, info, length));
}
