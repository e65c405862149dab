import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { decodeNames, decodeText, isTextual } from "./decode-text.ts";

const iconv = createRequire(import.meta.url)("iconv-lite") as typeof import("iconv-lite");
const encoded = (text: string, encoding: string) => iconv.encode(text, encoding);

describe("a text of an older program", () => {
  test.each([
    ["windows-1252", "¿Estás seguro? El viernes habrá un corte de agua por la mañana. Señores vecinos, ¡prepárense!"],
    ["windows-1252", "½ cup of sugar, 180 °C"],
    ["windows-1250", "Szanowni mieszkańcy, w piątek nie będzie wody. Proszę zrobić zapasy. Dziękuję, żółw."],
    ["iso8859-2", "Szanowni mieszkańcy, w piątek nie będzie wody. Proszę zrobić zapasy. Dziękuję, żółw."],
    ["iso8859-15", "Chère Amélie, l'entrée coûte 5 €. À bientôt, Zoë"],
    ["cp850", "Chers résidents, l'eau sera coupée vendredi. Merci de prévoir où vous laver ; à bientôt !"],
    ["cp852", "Szanowni mieszkańcy, w piątek nie będzie wody. Proszę zrobić zapasy. Dziękuję, żółw."],
    ["cp866", "Протокол собрания жильцов дома. Решили: купить новую лампу во двор."],
    ["macroman", "Chers résidents, l’eau sera coupée vendredi. Merci de prévoir où vous laver ; à bientôt !"],
    ["tis-620", "เรียนผู้พักอาศัยทุกท่าน วันศุกร์นี้จะไม่มีน้ำ กรุณาเตรียมน้ำไว้ล่วงหน้า"],
    ["big5", "佢哋喺香港食嘢，啲嘢好好食。我哋聽日再嚟。"],
  ])("is decoded in %s: %s", (encoding, text) => {
    expect(decodeText(encoded(text, encoding))).toBe(text);
  });

  test.each([
    ["똠방각하와 펲시콜라를 마셨습니다. 오늘은 좋은 날이에요.", "cp949"],
    ["да", "koi8-r"],
  ])("is decoded or rejected, and never read as another language: %s", (text, encoding) => {
    expect([text, undefined]).toContain(decodeText(encoded(text, encoding)));
  });
});

describe("UTF-16 without a byte order mark", () => {
  test.each([
    "Dear residents, on Friday there is no water.\r\n",
    "Протокол собрания № 5. Решили: купить лампу.\n",
    "姓名,城市\n陳大文,高雄\n林小美,臺中\n",
    '<?xml version="1.0" encoding="UTF-16"?><a>Größe 你好</a>',
  ])("is decoded in both byte orders: %j", (text) => {
    for (const encoding of ["utf-16le", "utf-16be"]) {
      const bytes = encoded(text, encoding);
      expect(decodeText(bytes), encoding).toBe(text);
      expect(isTextual(bytes)).toBe(true);
      expect(decodeText(bytes.subarray(0, 21), { isCut: true })).toBe(text.slice(0, 10));
    }
  });

  test.each([
    ["numbers of two bytes", new Uint8Array(Uint16Array.from({ length: 200 }, (_, at) => at * 3).buffer)],
    ["numbers of four bytes", new Uint8Array(Uint32Array.from({ length: 50 }, (_, at) => 70_000 + at * 997).buffer)],
    ["floating numbers", new Uint8Array(Float32Array.from({ length: 50 }, (_, at) => Math.sin(at)).buffer)],
    ["zeros", new Uint8Array(64)],
  ])("does not match %s", (_, bytes) => {
    expect(decodeText(bytes)).toBeUndefined();
    expect(isTextual(bytes)).toBe(false);
  });
});

describe("a charset", () => {
  test.each([
    ['@charset "iso-8859-1";\n/* Größe */', "latin1"],
    ["#!/usr/bin/python\n# -*- coding: koi8-r -*-\nprint('Да')\n", "koi8-r"],
    ["// vim: set fileencoding=euc-kr :\n네\n", "euc-kr"],
    ['<meta http-equiv=content-type content="text/html; charset=ks_c_5601-1987"><p>네</p>', "euc-kr"],
    ["<meta charset=cp850><p>Größe</p>", "cp850"],
    ['<meta charset="utf-7"><p>Größe</p>', "utf-7"],
  ])("is used when the file declares it: %s", (text, encoding) => {
    const bytes =
      encoding === "utf-7" ? Buffer.from('<meta charset="utf-7"><p>Gr+APYA3w-e</p>') : encoded(text, encoding);
    expect(decodeText(bytes)).toBe(text);
  });

  test("that is missing leaves ASCII as it is", () => {
    expect(decodeText(Buffer.from("a+two-b, C+AOQ-llt"))).toBe("a+two-b, C+AOQ-llt");
    expect(decodeText(Buffer.from("+/v8-Gr+APYA3w-e"))).toBe("Größe");
  });
});

test.each([
  ["cp850", ["Grüße/Übersicht.txt", "Grüße/Lösungen für März.txt"]],
  ["cp866", ["Документы/Протокол собрания.txt", "Документы/Список жильцов.txt"]],
  ["cp437", ["é.txt"]],
  ["big5", ["資料夾/會議記錄.txt", "資料夾/產品說明書.txt"]],
])("names in an archive in %s are decoded", (encoding, names) => {
  expect(decodeNames(names.map((name) => encoded(name, encoding)))).toEqual(names);
});
