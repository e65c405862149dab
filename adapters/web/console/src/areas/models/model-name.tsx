import { Autocomplete } from "@mantine/core";
import { useRef, useState } from "react";
import { useLocal } from "../../shared/i18n/local.ts";
import { type ListedModels, models, type ServerDraft } from "./api.ts";
import { useTexts } from "./texts.ts";

interface ModelNameProps {
  readonly label: string;
  readonly error?: React.ReactNode;
  readonly value: string;
  readonly put: (value: string) => void;
  /** Whose models are offered. */
  readonly server: ServerDraft;
}

const MOST = 60;

/** The name a server knows its model by; offers what the server says it has, and takes any other. */
export function ModelName({ label, error, value, put, server }: ModelNameProps) {
  const { t } = useTexts();
  const inMine = useLocal();
  const [list, setList] = useState<ListedModels>();
  const [isOpen, setOpen] = useState(false);
  const asked = useRef("");
  const ask = () => {
    const wanted = JSON.stringify(server);
    if (asked.current === wanted) return;
    asked.current = wanted;
    const isLast = () => asked.current === wanted;
    models.available(server).then(
      (found) => isLast() && setList(found),
      () => isLast() && setList(undefined),
    );
  };
  const ids = list?.items.map(({ id }) => id) ?? [];
  // What is chosen already does not narrow the list: another one is looked for.
  const offered = ids.includes(value) ? ids : ids.filter((id) => fits(id, value));
  const offer = t("offeredModels", { count: ids.length });
  const said = list && (list.said ? `${t("noOffer")} ${inMine(list.said)}` : offer);
  return (
    <Autocomplete
      label={label}
      error={error}
      data={offered}
      filter={({ options }) => options}
      limit={MOST}
      value={value}
      onChange={put}
      onFocus={ask}
      // A list that is empty is not there: Escape is the window's then.
      dropdownOpened={isOpen && offered.length > 0}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      description={said}
      required
      maxLength={200}
      maxDropdownHeight={240}
      data-testid="model-name"
    />
  );
}

function fits(id: string, search: string): boolean {
  return id.toLowerCase().includes(search.trim().toLowerCase());
}
