import { Parser } from "htmlparser2";

/** Returns the text of the first element of this name. */
export function getElementText(xml: string, element: string): string | undefined {
  return getElementTexts(xml, element)[0];
}

/** Returns the texts of all elements of this name, in their order. */
export function getElementTexts(xml: string, element: string): readonly string[] {
  const texts: string[] = [];
  let isInside = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        isInside = name === element;
        if (isInside) texts.push("");
      },
      ontext(text) {
        if (isInside) texts.push(`${texts.pop()}${text}`);
      },
      onclosetag() {
        isInside = false;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return texts;
}
