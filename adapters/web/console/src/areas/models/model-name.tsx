import { Autocomplete } from "@mantine/core";
import { useRef, useState } from "react";
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
  const [list, setList] = useState<ListedModels>();
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
  return (
    <Autocomplete
      label={label}
      error={error}
      // What is chosen already does not narrow the list: another one is looked for.
      data={ids}
      filter={({ options, search }) => (ids.includes(search) ? options : options.filter((one) => fits(one, search)))}
      limit={MOST}
      value={value}
      onChange={put}
      onFocus={ask}
      description={list && (list.ok ? t("offeredModels", { count: ids.length }) : `${t("noOffer")} ${list.detail}`)}
      required
      maxLength={200}
      maxDropdownHeight={240}
      data-testid="model-name"
    />
  );
}

function fits(one: unknown, search: string): boolean {
  const { value = "" } = one as { readonly value?: string };
  return value.toLowerCase().includes(search.trim().toLowerCase());
}
