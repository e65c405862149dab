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

/** The name of the model on its server; suggests the listed names and accepts any other. */
export function ModelNameField({ label, error, value, onChange, server }: ModelNameFieldProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const [list, setList] = useState<ListedModels>();
  const [isOpen, setOpen] = useState(false);
  const requestedKey = useRef("");
  const requestList = () => {
    const serverKey = JSON.stringify(server);
    if (requestedKey.current === serverKey) return;
    requestedKey.current = serverKey;
    const isLatest = () => requestedKey.current === serverKey;
    models.listAvailable(server).then(
      (found) => isLatest() && setList(found),
      () => isLatest() && setList(undefined),
    );
  };
  const ids = list?.items.map(({ id }) => id) ?? [];
  // A listed name does not filter the list, so that another model can be picked.
  const suggestions = ids.includes(value) ? ids : ids.filter((id) => matchesSearch(id, value));
  const countText = t("listedModels", { count: ids.length });
  const description = list && (list.said ? `${t("noModelList")} ${localize(list.said)}` : countText);
  return (
    <Autocomplete
      label={label}
      error={error}
      data={suggestions}
      filter={({ options }) => options}
      limit={MAX_SUGGESTIONS}
      value={value}
      onChange={onChange}
      onFocus={requestList}
      // An empty dropdown stays closed, so that Escape closes the dialog.
      dropdownOpened={isOpen && suggestions.length > 0}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      description={description}
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
