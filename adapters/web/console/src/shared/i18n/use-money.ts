import type { Localized } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../api/client.ts";
import { getValue } from "../forms/merge-patch.ts";
import { useTexts } from "./i18n.ts";

/** The currency in which providers bill. */
const DEFAULT_CURRENCY = "USD";

interface Money {
  /** Currency code of three letters from the settings. */
  readonly currency: string;
  /** Formats a price; one below 1 with two significant digits. */
  readonly formatPrice: (amount: number) => string;
}

/** Returns the configured currency for model prices, and their format. */
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

/** Returns the title of a field, with the currency for prices. */
export function addCurrency(
  { name, title }: { readonly name: string; readonly title: Localized },
  currency: string,
): Localized {
  return name.endsWith("_price") ? { en: `${title.en} (${currency})`, zh: `${title.zh}（${currency}）` } : title;
}
