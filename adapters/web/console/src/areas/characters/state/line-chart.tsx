import textCss from "../../../shared/styles/text.module.css";
import lineChartCss from "./line-chart.module.css";

interface LineChartProps {
  readonly label: string;
  /** Labels of the points, in order. */
  readonly labels: readonly string[];
  /** Labels below both ends. */
  readonly ends: readonly [string, string];
  /** Values from 0 to 100; undefined where unknown. */
  readonly series: readonly {
    readonly name: string;
    readonly color: string;
    readonly values: readonly (number | undefined)[];
  }[];
}

const TICKS = [0, 50, 100] as const;
const WIDTH_PX = 600;
const HEIGHT_PX = 140;

const toY = (value: number) => HEIGHT_PX - (value / 100) * HEIGHT_PX;

/** A line chart; the last values are in the legend for screen readers. */
export function LineChart({ label, labels, ends, series }: LineChartProps) {
  const step = labels.length > 1 ? WIDTH_PX / (labels.length - 1) : 0;
  const toPoints = (values: readonly (number | undefined)[]) => {
    const points = values.flatMap((value, index) => (value === undefined ? [] : [[index * step, toY(value)]]));
    const [only] = points;
    // A single value is drawn as a line across the chart.
    return (only && points.length === 1 ? [only, [WIDTH_PX, only[1]]] : points).join(" ");
  };
  return (
    <figure className={lineChartCss.lines} aria-label={label}>
      <span className={`${lineChartCss.scale} ${textCss.meta}`} aria-hidden="true">
        {TICKS.toReversed().map((value) => (
          <span key={value}>{value}</span>
        ))}
      </span>
      <svg aria-hidden="true" viewBox={`-4 -4 ${WIDTH_PX + 8} ${HEIGHT_PX + 8}`} preserveAspectRatio="none">
        {TICKS.map((value) => (
          <line key={value} x1={0} x2={WIDTH_PX} y1={toY(value)} y2={toY(value)} className={lineChartCss.grid} />
        ))}
        {series.map(({ name, color, values }) => (
          <polyline
            key={name}
            fill="none"
            stroke={color}
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
            points={toPoints(values)}
          />
        ))}
        {labels.map((text, index) => (
          <rect key={index} x={index * step - 4} y={0} width={8} height={HEIGHT_PX} fill="transparent">
            <title>{text}</title>
          </rect>
        ))}
      </svg>
      <span className={`${lineChartCss.axisLabels} ${textCss.meta}`} aria-hidden="true">
        {new Set(ends)
          .values()
          .map((end) => <span key={end}>{end}</span>)
          .toArray()}
      </span>
      <figcaption>
        {series.map(({ name, color, values }) => (
          <span key={name}>
            <i style={{ background: color }} /> {name} {values.findLast((value) => value !== undefined) ?? "–"}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
