/**
 * List prices of providers per million tokens, in USD, for text and without discounts (cached input, batches). Prices
 * and dates are from the files of github.com/pydantic/genai-prices and its fork github.com/mahimailabs/voice-prices;
 * the date is that of the comparison with the provider's page. All were unchanged in version 0.1.8 of
 * @pydantic/genai-prices (2026-09-23). Models without one fixed price are left out: moving aliases, prices by time of
 * day, and prices that rise within the default context.
 */
export interface ListPrice {
  /** The model's name and its dated versions; the price applies to exactly these names. */
  readonly ids: readonly string[];
  readonly input: number;
  readonly output: number;
  /** The day (ISO 8601) when the price was compared with the provider's page. */
  readonly checked: string;
  /** The provider's page. */
  readonly source: string;
}

const OPENAI = "https://platform.openai.com/docs/pricing";
const ANTHROPIC = "https://www.anthropic.com/pricing#api";
const GOOGLE = "https://ai.google.dev/gemini-api/docs/pricing";
const MISTRAL = "https://mistral.ai/pricing#api-pricing";

type Row = readonly [ids: string, input: number, output: number, checked: string];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  [OPENAI]: [
    ["gpt-5.4-mini gpt-5.4-mini-2026-03-17", 0.75, 4.5, "2026-03-18"],
    ["gpt-5.4-nano gpt-5.4-nano-2026-03-17", 0.2, 1.25, "2026-03-18"],
    ["gpt-5.2 gpt-5.2-2025-12-11", 1.75, 14, "2025-12-11"],
    ["gpt-5.2-pro gpt-5.2-pro-2025-12-11", 21, 168, "2025-12-11"],
    ["gpt-5.1 gpt-5.1-2025-11-13", 1.25, 10, "2025-11-13"],
    ["gpt-5 gpt-5-2025-08-07", 1.25, 10, "2025-11-13"],
    ["gpt-5-mini gpt-5-mini-2025-08-07", 0.25, 2, "2025-11-13"],
    ["gpt-5-nano gpt-5-nano-2025-08-07", 0.05, 0.4, "2025-11-13"],
    ["gpt-5-pro gpt-5-pro-2025-10-06", 15, 120, "2025-11-13"],
    ["gpt-4.1 gpt-4.1-2025-04-14", 2, 8, "2025-07-04"],
    ["gpt-4.1-mini gpt-4.1-mini-2025-04-14", 0.4, 1.6, "2025-07-04"],
    ["gpt-4.1-nano gpt-4.1-nano-2025-04-14", 0.1, 0.4, "2025-07-04"],
    // gpt-4o-2024-05-13 has another price.
    ["gpt-4o gpt-4o-2024-08-06 gpt-4o-2024-11-20", 2.5, 10, "2025-07-04"],
    ["gpt-4o-mini gpt-4o-mini-2024-07-18", 0.15, 0.6, "2025-07-04"],
    ["o3 o3-2025-04-16", 2, 8, "2025-07-12"],
    ["o3-mini o3-mini-2025-01-31", 1.1, 4.4, "2025-07-04"],
    ["o4-mini o4-mini-2025-04-16", 1.1, 4.4, "2025-07-04"],
  ],
  [ANTHROPIC]: [
    ["claude-opus-4-8", 5, 25, "2026-05-28"],
    ["claude-opus-4-7", 5, 25, "2026-04-16"],
    ["claude-opus-4-6", 5, 25, "2026-03-16"],
    ["claude-opus-4-5 claude-opus-4-5-20251101", 5, 25, "2025-11-24"],
    ["claude-opus-4-1 claude-opus-4-1-20250805", 15, 75, "2025-09-29"],
    ["claude-sonnet-4-6", 3, 15, "2026-03-16"],
    // More than 200,000 tokens, which need a special header, cost more.
    ["claude-sonnet-4-5 claude-sonnet-4-5-20250929", 3, 15, "2025-09-29"],
    ["claude-haiku-4-5 claude-haiku-4-5-20251001", 1, 5, "2025-10-15"],
  ],
  [GOOGLE]: [
    ["gemini-3-flash-preview", 0.5, 3, "2025-12-19"],
    ["gemini-2.5-flash", 0.3, 2.5, "2025-10-31"],
    ["gemini-2.5-flash-lite", 0.1, 0.4, "2025-10-31"],
  ],
  [MISTRAL]: [
    ["mistral-large-2512", 0.5, 1.5, "2026-06-09"],
    ["mistral-medium-2505 mistral-medium-2508", 0.4, 2, "2026-08-24"],
    ["mistral-small-2603", 0.15, 0.6, "2026-06-09"],
    ["ministral-14b-2512", 0.2, 0.2, "2026-06-09"],
    ["ministral-8b-2512", 0.15, 0.15, "2026-08-24"],
    ["ministral-3b-2512", 0.1, 0.1, "2026-06-09"],
    ["codestral-2508", 0.3, 0.9, "2026-06-09"],
    ["devstral-2512", 0.4, 2, "2026-06-09"],
  ],
};

export const LIST_PRICES: readonly ListPrice[] = Object.entries(ROWS).flatMap(([source, rows]) =>
  rows.map(([ids, input, output, checked]) => ({ ids: ids.split(" "), input, output, checked, source })),
);

export const LIST_CURRENCY = "USD";

/** Finds the list price of exactly this model. */
export function findListPrice(model: string): ListPrice | undefined {
  return LIST_PRICES.find(({ ids }) => ids.includes(model.trim()));
}
