import type { Localized } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../api/client.ts";
import { getValue } from "../forms/merge-patch.ts";
import { useTexts } from "./i18n.ts";

/** Providers bill in it. */
const DEFAULT_CURRENCY = "USD";

interface Money {
  /** Its three letters, as the settings say. */
  readonly currency: string;
  /** A price as people read it: of small ones the first figures that count. */
  readonly formatPrice: (amount: number) => string;
}

/** What models cost, in the currency of their prices. */
export function useMoney(): Money {
  const { language } = useTexts();
  const { data } = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const currencySetting = data && getValue(data, "models.currency");
  const currency = typeof currencySetting === "string" ? currencySetting : DEFAULT_CURRENCY;
  return { currency, formatPrice: (amount) => formatPrice(currency, amount, language) };
}

function formatPrice(currency: string, amount: number, language: string): string {
  const small = Math.abs(amount) < 1 && amount !== 0;
  const figures = small ? { maximumSignificantDigits: 2 } : {};
  return new Intl.NumberFormat(language, { style: "currency", currency, ...figures }).format(amount);
}

/** What a field is called, with the currency where it is a price. */
export function withCurrency(
  { name, title }: { readonly name: string; readonly title: Localized },
  currency: string,
): Localized {
  return name.endsWith("_price") ? { en: `${title.en} (${currency})`, zh: `${title.zh}（${currency}）` } : title;
}
