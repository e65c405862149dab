import { useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import textCss from "../../styles/text.module.css";
import barsCss from "./bars.module.css";
import { roundAxisTop, toAxisTicks, toLabelPositions } from "./chart-scale.ts";

interface BarChartProps {
  readonly label: string;
  /** Text below the chart; default is the sum of all values. */
  readonly summary?: string;
  /** Text after each value. */
  readonly unit?: string;
  /** Formats a value; default: the number with its unit. */
  readonly formatValue?: ((value: number) => string) | undefined;
  /** Unit of time values. */
  readonly measure?: "second" | "millisecond";
  readonly labels: readonly string[];
  /** Stacked, the first at the bottom. */
  readonly series: readonly { readonly name: string; readonly color: string; readonly values: readonly number[] }[];
}

const HEIGHT = 96;

/** A stacked bar chart with axes, legend and tooltips; a table contains the values for screen readers. */
export function BarChart({ label, labels, series, summary, unit = "", measure, formatValue }: BarChartProps) {
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const top = roundAxisTop(Math.max(0, ...sums));
  const { language } = useTexts();
  const [hoveredIndex, setHoveredIndex] = useState<number>();
  const number = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
  const times = measure && ({ style: "unit", unit: measure, unitDisplay: "short" } as const);
  const formatWithUnit = formatValue ?? ((value: number) => `${value.toLocaleString(language, times)}${unit}`);
  const describeBar = (index: number) =>
    series.map(({ name, values }) => `${name} ${formatWithUnit(values[index] ?? 0)}`).join(", ");
  const handlePointer = ({ currentTarget, clientX }: React.PointerEvent<HTMLDivElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setHoveredIndex(Math.min(labels.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * labels.length))));
  };
  const toShare = (index: number) => (index + 0.5) / labels.length;
  return (
    <figure className={barsCss.bars}>
      <figcaption>{label}</figcaption>
      <span className={`${barsCss.scale} ${textCss.meta}`} aria-hidden="true">
        {toAxisTicks(top).map((tick) => (
          <span key={tick}>{number.format(tick)}</span>
        ))}
      </span>
      <div
        className={barsCss.plot}
        aria-hidden="true"
        onPointerMove={handlePointer}
        onPointerLeave={() => setHoveredIndex(undefined)}
      >
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${labels.length * 10} ${HEIGHT}`}
          preserveAspectRatio="none"
          height={HEIGHT}
        >
          {hoveredIndex !== undefined && (
            <rect className={barsCss.hovered} x={hoveredIndex * 10} y={0} width={10} height={HEIGHT} />
          )}
          <BarStacks labels={labels} series={series} scale={HEIGHT / top} />
        </svg>
        {hoveredIndex !== undefined && (
          <span
            className={barsCss.tip}
            style={
              toShare(hoveredIndex) < 0.5
                ? { left: `${toShare(hoveredIndex) * 100}%` }
                : { right: `${(1 - toShare(hoveredIndex)) * 100}%` }
            }
          >
            {`${labels[hoveredIndex] ?? ""}: ${describeBar(hoveredIndex)}`}
          </span>
        )}
      </div>
      <span className={`${barsCss.axisLabels} ${textCss.meta}`} aria-hidden="true">
        {toLabelPositions(labels.length).map((place) => (
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
        <span>{summary ?? `${label}: ${formatWithUnit(sums.reduce((sum, one) => sum + one, 0))}`}</span>
      </p>
      <table className={textCss.visuallyHidden}>
        <caption>{label}</caption>
        <tbody>
          {labels.map((name, index) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{series.length > 1 ? describeBar(index) : formatWithUnit(sums[index] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function BarStacks({ labels, series, scale }: Pick<BarChartProps, "labels" | "series"> & { readonly scale: number }) {
  return labels.map((name, index) => {
    let y = HEIGHT;
    return series.map(({ name: part, color, values }) => {
      const height = (values[index] ?? 0) * scale;
      y -= height;
      return <rect key={`${name}${part}`} x={index * 10 + 1} y={y} width={8} height={height} fill={color} />;
    });
  });
}
