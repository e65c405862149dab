/** Stands on both sides of what is filled into a Chinese text, until `spaced` has looked at it. */
const EDGE = "\uE000";

export function edged(value: string): string {
  return `${EDGE}${value}${EDGE}`;
}

/** With a space where filled-in Latin letters or digits touch a Chinese sign, as Chinese is typeset. */
export function spaced(text: string): string {
  return text
    .replaceAll(/(\p{Script=Han})\uE000+(?=[A-Za-z0-9])/gu, "$1 ")
    .replaceAll(/([A-Za-z0-9])\uE000+(?=\p{Script=Han})/gu, "$1 ")
    .replaceAll(EDGE, "");
}
