import companionCss from "./companion.module.css";
export type Mood = "calm" | "happy" | "thinking" | "asking" | "worried" | "sleepy";

/** Eyes and mouth by mood, on a grid of 40. */
const FACES: Readonly<Record<Mood, readonly [eyes: string, mouth: string]>> = {
  calm: ["M14 18v3M26 18v3", "M15 26q5 3 10 0"],
  happy: ["M12 20q2-3 4 0M24 20q2-3 4 0", "M14 25q6 6 12 0"],
  thinking: ["M14 17v3M26 17v3", "M17 27h6"],
  asking: ["M14 17v4M26 17v4", "M18 26a2 2.500 0 1 0 4 0a2 2.500 0 1 0-4 0"],
  worried: ["M13 17l3 2M27 17l-3 2", "M15 28q5-4 10 0"],
  sleepy: ["M12 20h4M24 20h4", "M18 27h4"],
};

/** The companion's face in a mood; hidden from screen readers. */
export function Face({ mood, size = 34 }: { readonly mood: Mood; readonly size?: number }) {
  const [eyes, mouth] = FACES[mood];
  return (
    <svg
      className={companionCss.companionFace}
      data-mood={mood}
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 40 40"
      fill="none"
    >
      <path className={companionCss.companionBody} d="M20 5c10 0 15 6 15 15s-5 15-15 15S5 29 5 20 10 5 20 5z" />
      <path className={companionCss.companionEar} d="M9 10L7 4l7 3M31 10l2-6-7 3" />
      <path className={companionCss.companionEyes} d={eyes} />
      <path d={mouth} />
    </svg>
  );
}
