import { useState } from "react";
import { useTexts } from "../i18n/i18n.ts";
import textCss from "../styles/text.module.css";
import barsCss from "./bars.module.css";
import { placesOf, ticksOf, topOf } from "./chart-scale.ts";

interface BarsProps {
  readonly label: string;
  /** Said below it; the sum of all when left out. */
  readonly summary?: string;
  /** What the numbers are in, read with each of them. */
  readonly unit?: string;
  /** A number as it is read; default: with its unit. */
  readonly written?: ((value: number) => string) | undefined;
  /** Of times: what they are in. */
  readonly measure?: "second" | "millisecond";
  readonly labels: readonly string[];
  /** Stacked, the first at the bottom. */
  readonly series: readonly { readonly name: string; readonly color: string; readonly values: readonly number[] }[];
}

const HEIGHT = 96;

/** A small stacked bar chart with its axes, its legend and, under the pointer, its numbers; they are in a table for those who cannot see it. */
export function Bars({ label, labels, series, summary, unit = "", measure, written }: BarsProps) {
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const top = topOf(Math.max(0, ...sums));
  const { language } = useTexts();
  const [pointed, setPointed] = useState<number>();
  const number = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
  const times = measure && ({ style: "unit", unit: measure, unitDisplay: "short" } as const);
  const told = written ?? ((value: number) => `${value.toLocaleString(language, times)}${unit}`);
  const point = ({ currentTarget, clientX }: React.PointerEvent<HTMLDivElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(labels.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * labels.length))));
  };
  const shareOf = (index: number) => (index + 0.5) / labels.length;
  return (
    <figure className={barsCss.bars}>
      <figcaption>{label}</figcaption>
      <span className={`${barsCss.scale} ${textCss.meta}`} aria-hidden="true">
        {ticksOf(top).map((tick) => (
          <span key={tick}>{number.format(tick)}</span>
        ))}
      </span>
      <div
        className={barsCss.plot}
        aria-hidden="true"
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${labels.length * 10} ${HEIGHT}`}
          preserveAspectRatio="none"
          height={HEIGHT}
        >
          {pointed !== undefined && (
            <rect className={barsCss.pointed} x={pointed * 10} y={0} width={10} height={HEIGHT} />
          )}
          <Stacks labels={labels} series={series} scale={HEIGHT / top} />
        </svg>
        {pointed !== undefined && (
          <span
            className={barsCss.tip}
            style={
              shareOf(pointed) < 0.5
                ? { left: `${shareOf(pointed) * 100}%` }
                : { right: `${(1 - shareOf(pointed)) * 100}%` }
            }
          >
            {`${labels[pointed] ?? ""}: ${series.map(({ name, values }) => `${name} ${told(values[pointed] ?? 0)}`).join(", ")}`}
          </span>
        )}
      </div>
      <span className={`${barsCss.below} ${textCss.meta}`} aria-hidden="true">
        {placesOf(labels.length).map((place) => (
          <span key={place}>{labels[place]}</span>
        ))}
      </span>
      <p className={textCss.meta}>
        {series.length > 1 &&
          series.map(({ name, color }) => (
            <span key={name} className={barsCss.legend}>
              <i style={{ background: color }} />
              {name}
            </span>
          ))}
        <span>{summary ?? `${label}: ${told(sums.reduce((sum, one) => sum + one, 0))}`}</span>
      </p>
      <table className={textCss.unseen}>
        <caption>{label}</caption>
        <tbody>
          {labels.map((name, index) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{told(sums[index] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** One stack of rectangles for each label. */
function Stacks({ labels, series, scale }: Pick<BarsProps, "labels" | "series"> & { readonly scale: number }) {
  return labels.map((name, index) => {
    let y = HEIGHT;
    return series.map(({ name: part, color, values }) => {
      const height = (values[index] ?? 0) * scale;
      y -= height;
      return <rect key={`${name}${part}`} x={index * 10 + 1} y={y} width={8} height={height} fill={color} />;
    });
  });
}
