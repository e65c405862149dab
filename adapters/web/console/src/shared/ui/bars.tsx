import { useState } from "react";
import { useTexts } from "../i18n/i18n.ts";

interface BarsProps {
  readonly label: string;
  /** Said below it; the sum of all when left out. */
  readonly summary?: string;
  /** What the numbers are in, read with each of them. */
  readonly unit?: string;
  readonly labels: readonly string[];
  /** Stacked, the first at the bottom. */
  readonly series: readonly { readonly name: string; readonly color: string; readonly values: readonly number[] }[];
}

const HEIGHT = 96;

/** A small stacked bar chart with its scale, its legend and, under the pointer, its numbers; they are in a table for those who cannot see it. */
export function Bars({ label, labels, series, summary, unit = "" }: BarsProps) {
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(1, ...sums);
  const scale = HEIGHT / most;
  const { language } = useTexts();
  const [pointed, setPointed] = useState<number>();
  const number = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
  const point = ({ currentTarget, clientX }: React.PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(labels.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * labels.length))));
  };
  const said = summary ?? `${label}: ${sums.reduce((sum, one) => sum + one, 0)}`;
  const atPointer =
    pointed !== undefined &&
    `${labels[pointed] ?? ""}: ${series.map(({ name, values }) => `${name} ${values[pointed] ?? 0}${unit}`).join(", ")}`;
  return (
    <figure className="bars">
      <span className="scale meta" aria-hidden="true">
        <span>{number.format(most)}</span>
        <span>0</span>
      </span>
      <svg
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
        aria-hidden="true"
        viewBox={`0 0 ${labels.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        height={HEIGHT}
      >
        {pointed !== undefined && <rect className="pointed" x={pointed * 10} y={0} width={10} height={HEIGHT} />}
        {labels.map((name, index) => {
          let top = HEIGHT;
          return series.map(({ name: part, color, values }) => {
            const height = (values[index] ?? 0) * scale;
            top -= height;
            return (
              <rect key={`${name}${part}`} x={index * 10 + 1} y={top} width={8} height={height} fill={color}>
                <title>{`${name}: ${part} ${values[index] ?? 0}${unit}`}</title>
              </rect>
            );
          });
        })}
      </svg>
      <figcaption className="meta">
        <span>{labels[0]}</span>
        <span>
          {series.length > 1 &&
            series.map(({ name, color }) => (
              <span key={name} className="legend">
                <i style={{ background: color }} />
                {name}
              </span>
            ))}
          {atPointer || said}
        </span>
        <span>{labels.at(-1)}</span>
      </figcaption>
      <table className="unseen">
        <caption>{label}</caption>
        <tbody>
          {labels.map((name, index) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{`${sums[index]}${unit}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
