// Strokes on a grid of 24, drawn for this console.
const STROKES = {
  archive: "M4 5h16v4H4zM6 9v10h12V9M10 13h4",
  attach: "M18.5 11l-7.4 7.4a4 4 0 0 1-5.7-5.7L13 5.2a2.7 2.7 0 0 1 3.8 3.8l-7.5 7.5a1.3 1.3 0 0 1-1.9-1.9l6.7-6.7",
  back: "M15 5l-7 7 7 7",
  channel: "M4 8h10l-3-3M20 16H10l3 3M4 8v3M20 16v-3",
  chat: "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H11l-5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z",
  check: "M5 12.5l4.5 4.5L19 7",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v10H9zM5 15V5h10",
  down: "M12 5v14M6 13l6 6 6-6",
  edit: "M5 19l1-4L16 5l3 3L9 18z",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  filter: "M4 6h16M7 12h10M10 18h4",
  fork: "M7 4v6a4 4 0 0 0 4 4h2a4 4 0 0 1 4 4v2M7 10v10M5 6l2-2 2 2M15 18l2 2 2-2",
  gateway: "M4 12h5M15 6h5M15 18h5M9 12c4 0 2-6 6-6M9 12c4 0 2 6 6 6",
  key: "M14 10a4 4 0 1 0-3.5 4H13v2h2v2h3v-3l-4-4",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  model: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5",
  plug: "M9 3v5M15 3v5M7 8h10v3a5 5 0 0 1-10 0zM12 16v5",
  plus: "M12 5v14M5 12h14",
  refresh: "M19 8a8 8 0 1 0 1 5M19 4v4h-4",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20",
  send: "M4 12l16-8-5 16-3.5-6.5z",
  settings: "M5 7h8M17 7h2M5 17h2M11 17h8M15 5v4M9 15v4",
  signOut: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  star: "M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z",
  status: "M4 13h4l2-7 4 12 2-5h4",
  stop: "M7 7h10v10H7z",
  tool: "M14 6a4 4 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L16 8",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
} as const;

export type IconName = keyof typeof STROKES;

/** A small drawing beside a text or in a labelled button; screen readers pass over it. */
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
      strokeWidth={name === "more" ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: "none" }}
    >
      <path d={STROKES[name]} />
    </svg>
  );
}
