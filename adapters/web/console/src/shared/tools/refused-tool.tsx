import { Alert, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../api/client.ts";
import { seenText } from "../forms/foreign-schema.ts";
import { Failure, useTried } from "../ui/common.tsx";
import { useTexts } from "./texts.ts";

const REFUSALS = ["model", "refusals"] as const;

const refusals = async () => (await parley.get("/api/ai-models/failover-status")).refused_tools;

/** Names the models whose provider refuses a tool, with the reason, and offers it to them again; nothing where none does. */
export function RefusedTool({ name }: { readonly name: string }) {
  const { t } = useTexts();
  const { data = [] } = useQuery({ queryKey: REFUSALS, queryFn: refusals });
  const { tried, isBusy, error } = useTried([REFUSALS]);
  const own = data.filter(({ tool }) => tool === name);
  if (own.length === 0) return null;
  const again = () => parley.post("/api/ai-models/failover-reset", { body: { tool: name } });
  return (
    <Alert color="yellow" py="xs" title={t("refused")} data-testid="tool-refused">
      {own.map(({ model_id, model, detail }) => (
        <Text key={model_id} size="sm" style={{ overflowWrap: "anywhere" }}>
          {t("refusedBy", { model, why: seenText(detail, 500) })}
        </Text>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        mt="xs"
        loading={isBusy}
        onClick={tried(again)}
        data-testid="offer-again"
      >
        {t("offerAgain")}
      </Button>
      <Failure error={error} />
    </Alert>
  );
}
