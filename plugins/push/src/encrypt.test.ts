import { expect, test } from "vitest";
import { encrypt } from "./encrypt.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

test("encrypts the example of RFC 8291 as the RFC does", () => {
  const sent = encrypt(
    bytes("V2hlbiBJIGdyb3cgdXAsIEkgd2FudCB0byBiZSBhIHdhdGVybWVsb24"),
    {
      p256dh: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
      auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
    },
    { salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"), privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw") },
  );
  expect(sent.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("no two messages are encrypted alike, and one that is too long is rejected", () => {
  const keys = {
    p256dh: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  };
  const [one, other] = [0, 1].map(() => encrypt(Buffer.from("hello"), keys));
  expect(one?.equals(other ?? Buffer.alloc(0))).toBe(false);
  expect(() => encrypt(Buffer.alloc(4_080), keys)).toThrow(RangeError);
});
