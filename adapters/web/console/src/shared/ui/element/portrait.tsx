import { useState } from "react";
import portraitCss from "./portrait.module.css";

interface PortraitProps {
  readonly name: string;
  readonly url: string;
  readonly kind: "face" | "card" | "large";
}

/** An avatar, or the first letter of the name on a colour where the image is missing. */
export function Portrait({ name, url, kind }: PortraitProps) {
  const [letter = "?"] = name.trim();
  const [missing, setMissing] = useState("");
  if (url !== missing) {
    return (
      <img
        className={portraitCss.portrait}
        data-kind={kind}
        src={url}
        alt=""
        loading="lazy"
        onError={() => setMissing(url)}
      />
    );
  }
  return (
    <span
      className={portraitCss.portrait}
      data-kind={kind}
      aria-hidden="true"
      data-letter={letter.toLocaleUpperCase()}
      style={{ "--hue": toHue(name) }}
    />
  );
}

/** Hues that are easily distinguished. */
const HUES = [185, 35, 320, 255, 150, 75, 290, 10] as const;

function toHue(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 33 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return HUES[((sum ^ (sum >>> 7)) >>> 0) % HUES.length] ?? HUES[0];
}
