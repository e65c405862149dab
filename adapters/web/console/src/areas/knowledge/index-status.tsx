import { Anchor, Group, Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { knowledge } from "./api.ts";
import { useTexts } from "./texts.ts";

const POLL_MS = 1_000;

/** The size of the knowledge base, its search method, and the progress of a rebuild. */
export function IndexStatus() {
  const { t } = useTexts();
  const stats = useQuery({
    queryKey: ["document", "stats"],
    queryFn: knowledge.getStats,
    refetchInterval: ({ state }) => (state.data?.rebuild.running ? POLL_MS : false),
  });
  return (
    <Loaded query={stats}>
      {({ total_documents, total_chunks, total_chars, embedding, rebuild }) =>
        total_documents > 0 && (
          <div data-testid="knowledge-status">
            <Group gap="xs" justify="space-between">
              <Text size="sm">
                {[
                  t("documents", { count: total_documents }),
                  t("passages", { count: total_chunks }),
                  t("characters", { count: total_chars }),
                ].join(" · ")}
              </Text>
              <Group gap="xs">
                <Anchor href="/api/knowledge/export?download=true" size="sm">
                  {t("exportAll")}
                </Anchor>
                <ConfirmButton
                  label={t("rebuild")}
                  text={t("rebuildHint")}
                  testId="rebuild-index"
                  run={async () => {
                    await knowledge.rebuild();
                    await stats.refetch();
                  }}
                />
              </Group>
            </Group>
            <Text size="xs" c="dimmed">
              {embedding.local
                ? t("localVectors")
                : [
                    t("modelVectors", { model: embedding.model }),
                    t(embedding.compared_by === "index" ? "comparedByIndex" : "comparedEach"),
                    embedding.comparison,
                  ]
                    .filter(Boolean)
                    .join(" · ")}
            </Text>
            {rebuild.running && (
              <Progress
                mt="xs"
                value={rebuild.total === 0 ? 0 : (100 * rebuild.done) / rebuild.total}
                aria-label={t("rebuilding")}
                animated
              />
            )}
          </div>
        )
      }
    </Loaded>
  );
}
