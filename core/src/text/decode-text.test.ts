import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { charsetOf, decodeNames, decodeText, isTextual, parseJsonBytes } from "./decode-text.ts";

/** Encodes a text by inverting the decoder: for each character, finds a sequence of one, two or four bytes that decodes to it. */
function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const wanted = new Set(text);
  const found = new Map<string, readonly number[]>();
  const note = (...bytes: readonly number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes));
    if (wanted.has(character) && !found.has(character)) found.set(character, bytes);
  };
  for (let first = 0; first < 256; first += 1) note(first);
  for (let first = 0x81; first < 0xff && found.size < wanted.size; first += 1)
    for (let second = 0x40; second < 0xff; second += 1) note(first, second);
  return Buffer.from([...text].flatMap((one) => found.get(one) ?? [...Buffer.from("?")]));
}

const TEXTS: readonly (readonly [encoding: string, text: string])[] = [
  ["windows-1252", "Die Bücherei öffnet um neun Uhr. Gebühr fünf Euro für größere Bücher."],
  ["windows-1252", "Name;Preis;Ort\nMüller;3,50;Köln\nSchäfer;2,10;Nürnberg\n"],
  ["windows-1252", "Élève à l'école, il a déjà mangé une crème brûlée."],
  ["windows-1252", "name;city\nJosé;Málaga\nZoë;Curaçao\n"],
  ["windows-1252", "It’s “quoted” – and costs 5 €."],
  ["windows-1250", "Zażółć gęślą jaźń. Łódź, Kraków i Wrocław są piękne."],
  ["windows-1251", "Привет, как дела? Сегодня хорошая погода, и мы пойдём гулять."],
  ["koi8-r", "Привет, как дела? Сегодня хорошая погода, и мы пойдём гулять."],
  ["shift_jis", "図書館の開館時間は午前九時から午後八時までです。休館日は毎週月曜日です。"],
  ["euc-jp", "これは日本語の文章です。今日は天気がいいので、散歩に行きます。"],
  ["gb18030", "图书馆的开放时间是上午九点到晚上八点。今天天气很好。"],
  ["gb18030", "name,city\n张三,北京\n李四,上海\n"],
  ["big5", "今天天氣很好，我們去公園散步。中文文件的編碼偵測。"],
  ["euc-kr", "오늘은 날씨가 좋아서 공원에 산책하러 갑니다. 한국어 문서입니다."],
];

describe("a text without a byte order mark", () => {
  test.each(TEXTS)("in %s is decoded: %s", (encoding, text) => {
    expect(decodeText(encoded(text, encoding))).toBe(text);
    expect(decodeText(encoded(text.concat("\n").repeat(3_000), encoding))).toBe(text.concat("\n").repeat(3_000));
  });

  test.each(TEXTS)("in %s is decoded from its beginning alone: %s", (encoding, text) => {
    const whole = encoded(`${text}\n`.repeat(40), encoding);
    const read = decodeText(whole.subarray(0, 1_001), { isCut: true });
    expect(read && `${text}\n`.repeat(40).startsWith(read)).toBe(true);
    expect(read?.length).toBeGreaterThan(400);
  });

  test.each(["模型", "失敗", "模型未應答", "插件", "文件", "標準", "選擇日期", "關閉", "測驗", "台北", "你好"])(
    "of a few characters in Big5 is decoded or rejected, and never read as another language: %s",
    (text) => {
      expect([text, undefined]).toContain(decodeText(encoded(text, "big5")));
    },
  );

  test.each(["謝謝您的來信，我們會儘快回覆。", "我們明天去台北車站見面。"])(
    "of one sentence in Big5 is decoded: %s",
    (text) => {
      expect(decodeText(encoded(text, "big5"))).toBe(text);
    },
  );

  test("in UTF-8 with a broken byte stays UTF-8", () => {
    const bytes = Buffer.concat([
      Buffer.from("Größe und Länge. ".repeat(60)),
      Buffer.from([0xff]),
      Buffer.from("Ende ü"),
    ]);
    expect(decodeText(bytes)).toContain("Größe und Länge.");
  });

  test("in ISO-2022-JP is decoded", () => {
    expect(decodeText(Buffer.from("\x1b$B$3$l$O\x1b(B ok", "latin1"))).toBe("これは ok");
  });
});

describe("a byte order mark", () => {
  const le = Buffer.from("Größe 你好 𝄞", "utf16le");
  const points = [..."Größe 你好 𝄞"].map((one) => one.codePointAt(0) ?? 0);
  const wide = (isLittle: boolean) => {
    const bytes = Buffer.alloc(points.length * 4);
    for (const [at, point] of points.entries())
      isLittle ? bytes.writeUInt32LE(point, at * 4) : bytes.writeUInt32BE(point, at * 4);
    return bytes;
  };
  test.each([
    ["UTF-8", [0xef, 0xbb, 0xbf], Buffer.from("Größe 你好 𝄞")],
    ["UTF-16 LE", [0xff, 0xfe], le],
    ["UTF-16 BE", [0xfe, 0xff], Buffer.from(le).swap16()],
    ["UTF-32 LE", [0xff, 0xfe, 0, 0], wide(true)],
    ["UTF-32 BE", [0, 0, 0xfe, 0xff], wide(false)],
  ])("of %s selects the encoding, and is not part of the text", (_, mark, bytes) => {
    const marked = Buffer.concat([Buffer.from(mark), bytes]);
    expect(decodeText(marked)).toBe("Größe 你好 𝄞");
    expect(isTextual(marked)).toBe(true);
  });
});

describe("a declared charset", () => {
  test.each([
    ['<html><head><meta charset="Shift_JIS"></head>図書', "shift_jis"],
    ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">Да', "windows-1251"],
    ['<?xml version="1.0" encoding="ISO-8859-2"?><a>ł</a>', "iso-8859-2"],
  ])("is used: %s", (text, encoding) => {
    expect(decodeText(encoded(text, encoding))).toBe(text);
  });

  test("may come in a content type, too", () => {
    expect(charsetOf('text/plain; Charset="euc-kr"')).toBe("euc-kr");
    expect(decodeText(encoded("네", "euc-kr"), { charset: "euc-kr" })).toBe("네");
    expect(decodeText(Buffer.from("plain ü"), { charset: "nobody-knows" })).toBe("plain ü");
  });

  test("that is wrong is ignored", () => {
    expect(decodeText(Buffer.from('<meta charset="gb2312">Größe'))).toContain("Größe");
  });
});

test("data that is no text, or could be any encoding, is not decoded", () => {
  expect(decodeText(Buffer.from([0x41, 0, 0x42]))).toBeUndefined();
  expect(decodeText(deflateRawSync(Buffer.from("some text ".repeat(200).concat(String(Math.PI)))))).toBeUndefined();
  // With so few characters, several encodings are about equally likely.
  expect(decodeText(encoded("夢", "big5"))).toBeUndefined();
  expect(decodeText(encoded("蓮霧", "big5"))).toBeUndefined();
  expect(decodeText(new Uint8Array())).toBe("");
});

test("names in one archive are decoded in one encoding, beside those in UTF-8", () => {
  const old = ["資料/説明書.txt", "資料/写真の一覧.txt"].map((name) => encoded(name, "shift_jis"));
  expect(decodeNames([...old, Buffer.from("größe.txt")])).toEqual([
    "資料/説明書.txt",
    "資料/写真の一覧.txt",
    "größe.txt",
  ]);
});

test("JSON is parsed from strict UTF-8 only", () => {
  expect(parseJsonBytes(Buffer.from('\ufeff{"name":"茶"}'))).toEqual({ name: "茶" });
  expect(() => parseJsonBytes(Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xff), Buffer.from('"}')]))).toThrow(
    TypeError,
  );
  expect(() => parseJsonBytes(Buffer.from("{"))).toThrow(SyntaxError);
});
