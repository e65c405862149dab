import logoCss from "./logo.module.css";
/** The logo in the configured colour. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg className={logoCss.logo} aria-hidden="true" width={size} height={size} viewBox="0 0 64 64">
      <path
        fill="currentColor"
        d="M18 0h28a18 18 0 0 1 18 18v28a18 18 0 0 1-18 18H8a8 8 0 0 1-8-8V18A18 18 0 0 1 18 0z"
      />
      <path fill="#fff" d="M14 21a7 7 0 0 1 7-7h22a7 7 0 0 1 7 7v14a7 7 0 0 1-7 7H30L19 51v-9a6 6 0 0 1-5-6z" />
      <g className={logoCss.eyes}>
        <circle cx="25" cy="28" r="3.2" />
        <circle cx="39" cy="28" r="3.2" />
      </g>
    </svg>
  );
}
