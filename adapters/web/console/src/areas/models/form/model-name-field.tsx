import { Autocomplete } from "@mantine/core";
import { useRef, useState } from "react";
import { useLocalized } from "../../../shared/i18n/use-localized.ts";
import { type ListedModels, models, type ServerConnection } from "../api.ts";
import { useTexts } from "../texts.ts";

interface ModelNameFieldProps {
  readonly label: string;
  readonly error?: React.ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The server whose models are offered. */
  readonly server: ServerConnection;
}

const MAX_SUGGESTIONS = 60;

/** The model's name at the server; suggests those the server lists and accepts any other. */
export function ModelNameField({ label, error, value, onChange, server }: ModelNameFieldProps) {
  const { t } = useTexts();
  const inMine = useLocalized();
  const [list, setList] = useState<ListedModels>();
  const [isOpen, setOpen] = useState(false);
  const requestedKey = useRef("");
  const ask = () => {
    const serverKey = JSON.stringify(server);
    if (requestedKey.current === serverKey) return;
    requestedKey.current = serverKey;
    const isLast = () => requestedKey.current === serverKey;
    models.available(server).then(
      (found) => isLast() && setList(found),
      () => isLast() && setList(undefined),
    );
  };
  const ids = list?.items.map(({ id }) => id) ?? [];
  // What is chosen already does not narrow the list: another one is looked for.
  const offered = ids.includes(value) ? ids : ids.filter((id) => matchesSearch(id, value));
  const offer = t("offeredModels", { count: ids.length });
  const offerText = list && (list.said ? `${t("noOffer")} ${inMine(list.said)}` : offer);
  return (
    <Autocomplete
      label={label}
      error={error}
      data={offered}
      filter={({ options }) => options}
      limit={MAX_SUGGESTIONS}
      value={value}
      onChange={onChange}
      onFocus={ask}
      // A list that is empty is not there: Escape is the window's then.
      dropdownOpened={isOpen && offered.length > 0}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      description={offerText}
      required
      maxLength={200}
      maxDropdownHeight={240}
      data-testid="model-name"
    />
  );
}

function matchesSearch(id: string, search: string): boolean {
  return id.toLowerCase().includes(search.trim().toLowerCase());
}
