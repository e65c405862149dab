/** A frame of the long connection with the fields that events need (hand-written protocol buffers). */
export interface ImcFrame {
  /** 0 for control, 1 for data. */
  readonly method: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

const encodeField = (number: number, wire: number) => encodeVarint((number << 3) | wire);

export function encodeFrame({ method, headers, payload }: ImcFrame): Buffer {
  const pairs = Object.entries(headers).map(([key, value]) =>
    Buffer.concat([encodeText(1, key), encodeText(2, value)]),
  );
  return Buffer.concat([
    ...[1, 2].map((number) => Buffer.concat([encodeField(number, 0), encodeVarint(0)])),
    encodeField(3, 0),
    encodeVarint(7),
    encodeField(4, 0),
    encodeVarint(method),
    ...pairs.flatMap((pair) => [encodeField(5, 2), encodeVarint(pair.length), pair]),
    encodeField(8, 2),
    encodeVarint(payload.length),
    payload,
  ]);
}

export function decodeFrame(bytes: Buffer): ImcFrame {
  const headers: Record<string, string> = {};
  let method = 0;
  let payload: Buffer = Buffer.alloc(0);
  for (const { number, value } of readFields(bytes)) {
    if (number === 4) method = Number(value);
    if (number === 8 && Buffer.isBuffer(value)) payload = value;
    if (number !== 5 || !Buffer.isBuffer(value)) continue;
    const [key = "", worth = ""] = [...readFields(value)].map((one) => String(one.value));
    headers[key] = worth;
  }
  return { method, headers, payload };
}

function encodeText(number: number, value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([encodeField(number, 2), encodeVarint(bytes.length), bytes]);
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left & 127) | 128);
    left >>>= 7;
  }
  return Buffer.from([...bytes, left]);
}

function* readFields(bytes: Buffer): Generator<{ readonly number: number; readonly value: number | Buffer }> {
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
