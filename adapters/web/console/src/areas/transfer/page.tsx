import { SegmentedControl, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded } from "../../shared/ui/common.tsx";
import { Page } from "../../shared/ui/page/page.tsx";
import { transfer } from "./api.ts";
import { ExportConfig } from "./export-config.tsx";
import { ImportConfig } from "./import-config.tsx";
import { useTexts } from "./texts.ts";

/** Exports the configuration to another installation and imports one. */
export function TransferPage() {
  const { t } = useTexts();
  const [direction, setDirection] = useState("out");
  const sections = useQuery({ queryKey: ["transfer", "sections"], queryFn: transfer.listSections });
  return (
    <Page title={t("title")} hint={t("hint")}>
      <Stack maw="46rem" gap="md">
        <SegmentedControl
          value={direction}
          onChange={setDirection}
          data={[
            { value: "out", label: t("exportPackage") },
            { value: "in", label: t("importPackage") },
          ]}
          data-testid="transfer-way"
        />
        <Loaded query={sections}>
          {({ items }) => (direction === "out" ? <ExportConfig sections={items} /> : <ImportConfig sections={items} />)}
        </Loaded>
      </Stack>
    </Page>
  );
}
