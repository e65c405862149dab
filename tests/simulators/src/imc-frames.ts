/** A frame of the long connection, as far as events need it (protocol buffers, written by hand). */
export interface ImcFrame {
  /** 0: control, 1: data. */
  readonly method: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

const field = (number: number, wire: number) => varint((number << 3) | wire);

export function encodeFrame({ method, headers, payload }: ImcFrame): Buffer {
  const pairs = Object.entries(headers).map(([key, value]) => Buffer.concat([text(1, key), text(2, value)]));
  return Buffer.concat([
    ...[1, 2].map((number) => Buffer.concat([field(number, 0), varint(0)])),
    field(3, 0),
    varint(7),
    field(4, 0),
    varint(method),
    ...pairs.flatMap((pair) => [field(5, 2), varint(pair.length), pair]),
    field(8, 2),
    varint(payload.length),
    payload,
  ]);
}

export function decodeFrame(bytes: Buffer): ImcFrame {
  const headers: Record<string, string> = {};
  let method = 0;
  let payload: Buffer = Buffer.alloc(0);
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 4) method = Number(value);
    if (number === 8 && Buffer.isBuffer(value)) payload = value;
    if (number !== 5 || !Buffer.isBuffer(value)) continue;
    const [key = "", worth = ""] = [...fieldsOf(value)].map((one) => String(one.value));
    headers[key] = worth;
  }
  return { method, headers, payload };
}

function text(number: number, value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([field(number, 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left & 127) | 128);
    left >>>= 7;
  }
  return Buffer.from([...bytes, left]);
}

function* fieldsOf(bytes: Buffer): Generator<{ readonly number: number; readonly value: number | Buffer }> {
  let at = 0;
  const read = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = read();
    if ((key & 7) === 0) yield { number: key >>> 3, value: read() };
    else {
      const length = read();
      yield { number: key >>> 3, value: bytes.subarray(at, at + length) };
      at += length;
    }
  }
}
