import { Button, Group, Text } from "@mantine/core";
import { useMoney } from "../../../shared/i18n/use-money.ts";
import { useTexts } from "../texts.ts";
import { findListPrice, LIST_CURRENCY } from "./list-prices.ts";

interface Prices {
  readonly input_price: number;
  readonly output_price: number;
}

interface ListPriceSuggestionProps {
  readonly model: string;
  /** Prices currently in the form. */
  readonly prices: { readonly [Name in keyof Prices]: Prices[Name] | undefined };
  readonly onChange: (prices: Prices) => void;
}

/** Offers the known list price of the model, which a click fills in. */
export function ListPriceSuggestion({ model, prices, onChange }: ListPriceSuggestionProps) {
  const { t } = useTexts();
  const { currency } = useMoney();
  const listPrice = currency === LIST_CURRENCY ? findListPrice(model) : undefined;
  if (!listPrice) return null;
  const { input, output, checked } = listPrice;
  const isApplied = prices.input_price === input && prices.output_price === output;
  return (
    <Group gap="xs" data-testid="list-price">
      <Text size="xs" c="dimmed" style={{ flex: "1 1 14rem" }}>
        {t("listPrice", { date: checked, input, output })} <span role="status">{isApplied && t("listPriceTaken")}</span>
      </Text>
      <Button
        size="compact-xs"
        variant="default"
        aria-disabled={isApplied}
        {...(isApplied && { "data-disabled": true })}
        onClick={() => onChange({ input_price: input, output_price: output })}
      >
        {t("use")}
      </Button>
    </Group>
  );
}
