import { describe, expect, test } from "vitest";
import { createSecretMask } from "./secret-mask.ts";

const SECRET = "sk-aab-aabaac-42";

/** Returns the output for each piece. */
function maskPieces(pieces: readonly string[], secrets: readonly string[] = [SECRET]): readonly string[] {
  const written: string[] = [];
  const stream = createSecretMask(secrets).stream((text) => written.push(text));
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return written;
}

describe("a secret in a model's output", () => {
  const whole = `It is ${SECRET}, twice ${SECRET}${SECRET}, and sk-aab- is none, nor is sk-aab-aab`;
  const masked = "It is ***, twice ******, and sk-aab- is none, nor is sk-aab-aab";

  test("is masked wherever the stream splits it, in two or in three", () => {
    for (let at = 0; at <= whole.length; at += 1) {
      expect(maskPieces([whole.slice(0, at), whole.slice(at)]).join("")).toBe(masked);
      for (let next = at; next <= whole.length; next += 1)
        expect(maskPieces([whole.slice(0, at), whole.slice(at, next), whole.slice(next)]).join("")).toBe(masked);
    }
    expect(maskPieces([...whole]).join("")).toBe(masked);
    expect(createSecretMask([SECRET]).maskText(whole)).toBe(masked);
  });

  test("is buffered while it may be one, and nothing else is", () => {
    const pieces = ["Hello", " sky", ", the key is", " short", ". ask", " s", "o."];
    expect(maskPieces(pieces)).toEqual(["Hello", " sky", ", the key i", "s short", ". a", "sk ", "so."]);
  });

  test("is masked in JSON as well, and a header without its scheme", () => {
    const odd = 'quoted"and\\slashed';
    expect(createSecretMask([odd]).maskText(JSON.stringify({ key: odd }))).toBe('{"key":"***"}');
    expect(maskPieces([..."Bearer abc123def or abc123def"], ["Bearer abc123def"]).join("")).toBe("*** or ***");
  });

  test("is not the placeholder that people enter for servers that need any key", () => {
    const plainText = "ollama, lm-studio and not-needed: 123456, x";
    expect(maskPieces([plainText], ["ollama", "lm-studio", "not-needed", "123456", "x", ""])).toEqual([plainText]);
  });
});
