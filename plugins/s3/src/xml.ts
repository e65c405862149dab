const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Returns the text of the first element of this name. Attributes, comments and CDATA are not handled, because S3 servers send none there. */
export function getElementText(xml: string, element: string): string | undefined {
  return getElementTexts(xml, element)[0];
}

export function getElementTexts(xml: string, element: string): readonly string[] {
  const found = xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"));
  return [...found].map(([, text = ""]) => decodeEntities(text));
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (all, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : undefined;
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    return ENTITIES[name] ?? all;
  });
}
