import { Icon, type IconName } from "./icon.tsx";
import tileCss from "./tile.module.css";

/** Colours for groups, platforms and kinds of things; never for states. */
export type Tone = "petrol" | "coral" | "amber" | "plum" | "blue" | "green" | "slate";

export const GROUP_TONES = {
  chat: "petrol",
  bot: "coral",
  knowledge: "plum",
  connections: "blue",
  automation: "amber",
  safety: "green",
  system: "slate",
} as const satisfies Readonly<Record<string, Tone>>;

interface TileProps {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly size?: "sm" | "md";
}

/** An icon on a coloured square. */
export function Tile({ icon, tone, size = "md" }: TileProps) {
  return (
    <span className={tileCss.tileMark} data-tone={tone} data-size={size} aria-hidden="true">
      <Icon name={icon} size={size === "md" ? 22 : 16} />
    </span>
  );
}

const LETTERS: Readonly<Record<string, readonly [letters: string, Tone]>> = {
  imA: ["A", "blue"],
  imAbot: ["A", "petrol"],
  imB: ["B", "plum"],
  imC: ["C", "green"],
};
const ICONS: Readonly<Record<string, readonly [IconName, Tone]>> = {
  web: ["chat", "petrol"],
  widget: ["chat", "coral"],
  generic: ["globe", "coral"],
  webhook: ["globe", "coral"],
  custom: ["globe", "coral"],
};

/** The mark of a platform: its letter, or an icon where it has none. */
export function PlatformMark({ type, size = "md" }: { readonly type: string; readonly size?: "sm" | "md" }) {
  const letterMark = LETTERS[type];
  if (!letterMark) {
    const [icon, tone] = ICONS[type] ?? (["channel", "amber"] as const);
    return <Tile icon={icon} tone={tone} size={size} />;
  }
  const [letters, tone] = letterMark;
  return (
    <span className={tileCss.tileMark} data-tone={tone} data-size={size} data-letter="" aria-hidden="true">
      {letters}
    </span>
  );
}
