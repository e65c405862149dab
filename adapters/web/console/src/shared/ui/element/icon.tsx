import type { AreaIcon } from "@parley/core";

// Strokes on a grid of 24, drawn for this console.
const ICON_PATHS = {
  archive: "M4 5h16v4H4zM6 9v10h12V9M10 13h4",
  attach: "M18.5 11l-7.4 7.4a4 4 0 0 1-5.7-5.7L13 5.2a2.7 2.7 0 0 1 3.8 3.8l-7.5 7.5a1.3 1.3 0 0 1-1.9-1.9l6.7-6.7",
  back: "M15 5l-7 7 7 7",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  book: "M5 4h11a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h11",
  brain:
    "M12 5a3 3 0 0 0-5.5 1.5A3 3 0 0 0 5 12a3 3 0 0 0 2 5 3 3 0 0 0 5 1zM12 5a3 3 0 0 1 5.5 1.5A3 3 0 0 1 19 12a3 3 0 0 1-2 5 3 3 0 0 1-5 1z",
  calendar: "M5 6h14v14H5zM5 10h14M9 3v4M15 3v4",
  channel: "M4 8h10l-3-3M20 16H10l3 3M4 8v3M20 16v-3",
  chart: "M5 20V10M12 20V4M19 20v-7",
  chat: "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H11l-5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z",
  check: "M5 12.5l4.5 4.5L19 7",
  chevron: "M8 10l4 4 4-4",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
  close: "M6 6l12 12M18 6L6 18",
  collapse: "M4 5h16v14H4zM9 5v14M16 9l-3 3 3 3",
  copy: "M9 9h10v10H9zM5 15V5h10",
  dice: "M5 5h14v14H5zM9 9h.01M15 15h.01M15 9h.01M9 15h.01",
  down: "M12 5v14M6 13l6 6 6-6",
  drag: "M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01",
  download: "M12 4v12M7 11l5 5 5-5M4 20h16",
  edit: "M5 19l1-4L16 5l3 3L9 18z",
  expand: "M4 5h16v14H4zM9 5v14M13 9l3 3-3 3",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  filter: "M4 6h16M7 12h10M10 18h4",
  folder: "M3 6h6l2 2h10v11H3z",
  fork: "M7 4v6a4 4 0 0 0 4 4h2a4 4 0 0 1 4 4v2M7 10v10M5 6l2-2 2 2M15 18l2 2 2-2",
  next: "M9 5l7 7-7 7",
  ghost: "M6 20v-9a6 6 0 0 1 12 0v9l-2-1.700-2 1.700-2-1.700-2 1.700-2-1.700zM10 11h.01M14 11h.01",
  gateway: "M4 12h5M15 6h5M15 18h5M9 12c4 0 2-6 6-6M9 12c4 0 2 6 6 6",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  heart: "M12 20s-8-5-8-10.5A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 8 2.5C20 15 12 20 12 20z",
  key: "M14 10a4 4 0 1 0-3.5 4H13v2h2v2h3v-3l-4-4",
  menu: "M4 7h16M4 12h16M4 17h16",
  model: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20a6 6 0 0 1 12 0M16 4.5a3.5 3.5 0 0 1 0 6.5M17 14a6 6 0 0 1 4 6",
  picture: "M4 5h16v14H4zM8 10h.01M4 17l5-5 4 4 2-2 5 5",
  play: "M8 5l11 7-11 7z",
  plug: "M9 3v5M15 3v5M7 8h10v3a5 5 0 0 1-10 0zM12 16v5",
  plus: "M12 5v14M5 12h14",
  quote: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  refresh: "M19 8a8 8 0 1 0 1 5M19 4v4h-4",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20",
  send: "M4 12l16-8-5 16-3.5-6.5z",
  settings: "M5 7h8M17 7h2M5 17h2M11 17h8M15 5v4M9 15v4",
  share: "M12 15V4M8 8l4-4 4 4M6 12v8h12v-8",
  shield: "M12 3l7 3v6c0 4.5-3 7.500-7 9-4-1.500-7-4.500-7-9V6z",
  signOut: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  sortDown: "M12 5v13M7 13l5 5 5-5",
  sortUp: "M12 19V6M7 11l5-5 5 5",
  star: "M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z",
  status: "M4 13h4l2-7 4 12 2-5h4",
  sticker: "M5 4h14v10l-6 6H5zM13 20v-6h6M9 9h.01M14 9h.01",
  stop: "M7 7h10v10H7z",
  tag: "M4 4h8l8 8-8 8-8-8zM8 8h.01",
  task: "M4 6l2 2 3-4M4 16l2 2 3-4M12 7h8M12 17h8",
  thumbDown: "M7 13V4H4v9zM7 13l4 7a2 2 0 0 0 2-2v-4h5a2 2 0 0 0 2-2.3l-1-6A2 2 0 0 0 17 4H7",
  thumbUp: "M7 11v9H4v-9zM7 11l4-7a2 2 0 0 1 2 2v4h5a2 2 0 0 1 2 2.3l-1 6a2 2 0 0 1-2 1.7H7",
  tool: "M14 6a4 4 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L16 8",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  upload: "M12 16V4M7 9l5-5 5 5M4 20h16",
  voice: "M12 15a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3zM6 12a6 6 0 0 0 12 0M12 18v3",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
} as const satisfies Readonly<Record<AreaIcon, string>> & Readonly<Record<string, string>>;

export type IconName = keyof typeof ICON_PATHS;

/** True for a known icon; a newer service may send others. */
export function isIconName(name: string): name is IconName {
  return Object.hasOwn(ICON_PATHS, name);
}

/** An icon beside a text or in a labelled button; hidden from screen readers. */
export function Icon({
  name,
  size = 18,
  filled,
}: {
  readonly name: IconName;
  readonly size?: number;
  readonly filled?: boolean;
}) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={name === "more" || name === "drag" ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: "none" }}
    >
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
