interface PortraitProps {
  readonly name: string;
  readonly url: string;
  readonly kind: "face" | "card" | "large";
}

/** The picture of somebody, or the first letter of the name on a colour of its own. */
export function Portrait({ name, url, kind }: PortraitProps) {
  const [letter = "?"] = name.trim();
  if (url !== "") return <img className="portrait" data-kind={kind} src={url} alt="" loading="lazy" />;
  return (
    <span
      className="portrait"
      data-kind={kind}
      aria-hidden="true"
      data-letter={letter.toLocaleUpperCase()}
      style={{ "--hue": hueOf(name) } as React.CSSProperties}
    />
  );
}

function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return sum;
}
