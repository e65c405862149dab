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

/** A small stacked bar chart; the numbers are in a table for those who cannot see it. */
export function Bars({ label, labels, series, summary, unit = "" }: BarsProps) {
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(1, ...sums);
  const scale = HEIGHT / most;
  return (
    <figure className="bars">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${labels.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        height={HEIGHT}
      >
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
        <span>{summary ?? `${label}: ${sums.reduce((sum, one) => sum + one, 0)}`}</span>
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
