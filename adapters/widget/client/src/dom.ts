type Child = Node | string;

/** Properties of an element: attributes by name, `class`, and listeners as functions by event name. */
export type Properties = Readonly<Record<string, string | boolean | ((event: Event) => void) | undefined>>;

/** Creates an element. Texts become text nodes, so nothing of them is read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") created.addEventListener(key, value);
    else if (value === true) created.setAttribute(key, "");
    else if (typeof value === "string") created.setAttribute(key, value);
  }
  created.append(...children);
  return created;
}

const SVG = "http://www.w3.org/2000/svg";
const PATHS = {
  chat: "M4 5h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-8l-5 4v-4H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z",
  close: "M6 6l12 12M18 6L6 18",
  send: "M4 12l16-8-6 16-3-7z",
  attach: "M8 12l6-6a3 3 0 0 1 4 4l-8 8a5 5 0 0 1-7-7l7-7",
} as const;

/** Creates a line icon that screen readers skip. */
export function icon(name: keyof typeof PATHS): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }))
    svg.setAttribute(key, value);
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
