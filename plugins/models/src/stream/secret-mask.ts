const MASK = "***";
const MIN_LENGTH = 6;
/** Placeholders that people enter as the key of a local server; masking them would remove common words. */
const PLACEHOLDER = /^(?!sk-)(?:[A-Za-z_ -]{1,19}|\d{1,19})$/;

/** Masks the request's secrets in answers, because some servers repeat them and answers are stored. */
export interface SecretMask {
  maskText(text: string): string;
  /** Creates a stream that masks secrets. Only text that may be the beginning of a secret is buffered. */
  stream(onText: (text: string) => void): MaskedStream;
}

export interface MaskedStream {
  write(delta: string): void;
  /** Passes on the buffered text when the stream has ended. */
  end(): void;
}

const NO_MASK: SecretMask = { maskText: (text) => text, stream: (write) => ({ write, end() {} }) };

export function createSecretMask(secretValues: readonly string[]): SecretMask {
  const secrets = [...new Set(secretValues.flatMap(toSecretForms))].sort((a, b) => b.length - a.length);
  if (secrets.length === 0) return NO_MASK;
  const firsts = [...new Set(secrets.map((secret) => secret.charAt(0)))];
  const any = new RegExp(secrets.map((secret) => RegExp.escape(secret)).join("|"), "g");
  return {
    maskText: (text) => text.replaceAll(any, MASK),
    stream(onText) {
      let buffer = "";
      const emit = (text: string) => {
        if (text !== "") onText(text);
      };
      return {
        write(delta) {
          // Fast path: most chunks contain no first character of a secret.
          if (buffer === "" && !firsts.some((first) => delta.includes(first))) return onText(delta);
          buffer += delta;
          const end = findLastEnd(buffer, any);
          const safeLength = findPartialStart(buffer, end, secrets);
          const text = buffer.slice(0, safeLength);
          buffer = buffer.slice(safeLength);
          emit(end === 0 ? text : text.replaceAll(any, MASK));
        },
        end() {
          emit(buffer);
          buffer = "";
        },
      };
    },
  };
}

/** Returns the forms in which a secret may occur: unchanged, escaped as in JSON, and without the scheme of a header. */
function toSecretForms(secret: string): readonly string[] {
  const bare = secret.trim().replace(/^(?:Bearer|Basic|Token) +/i, "");
  return [secret.trim(), bare]
    .filter((one) => one.length >= MIN_LENGTH && !PLACEHOLDER.test(one))
    .flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]);
}

/** Returns the end of the last complete secret; 0 if there is none. */
function findLastEnd(text: string, any: RegExp): number {
  let end = 0;
  for (const found of text.matchAll(any)) end = found.index + found[0].length;
  return end;
}

/** Returns the start of a possible secret at the end of a text; the length of the text if there is none. */
function findPartialStart(text: string, from: number, secrets: readonly string[]): number {
  let start = text.length;
  for (const secret of secrets) {
    const first = secret.charAt(0);
    const earliest = Math.max(from, text.length - secret.length + 1);
    for (let at = text.indexOf(first, earliest); at >= 0 && at < start; at = text.indexOf(first, at + 1))
      if (secret.startsWith(text.slice(at))) start = at;
  }
  return start;
}
