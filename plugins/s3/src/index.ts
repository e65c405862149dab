import {
  BlobStore,
  Checks,
  Clock,
  definePlugin,
  Egress,
  Environment,
  Probes,
  SecretBox,
  serviceKey,
} from "@parley/core";
import { createBlobs } from "./blobs.ts";
import { type Bucket, createBucket, readKeys } from "./bucket.ts";
import { type BucketHealth, createBucketHealth } from "./bucket-health.ts";
import { createBucketCheck } from "./check.ts";
import { S3_CONFIG, type S3Config } from "./config.ts";
import { examineBucket, reachBucket } from "./examine-bucket.ts";
import { createBucketProbe } from "./probe.ts";

const OpenBucket = serviceKey<Bucket>("s3-bucket");
const OwnBucketHealth = serviceKey<BucketHealth>("s3-watch");

/** Stores files in a bucket instead of the data folder. */
export default definePlugin<S3Config>({
  id: "s3",
  requires: [SecretBox],
  config: S3_CONFIG,
  register({ config, log, provide, contribute }) {
    provide(OpenBucket, (from) =>
      createBucket({ config, environment: from.get(Environment), egress: from.get(Egress) }),
    );
    provide(OwnBucketHealth, (from) => {
      const bucket = from.get(OpenBucket);
      return createBucketHealth({
        clock: from.get(Clock),
        log,
        reach: (signal) => reachBucket(bucket, config, signal),
      });
    });
    provide(BlobStore, (from) => ({
      ...createBlobs({ bucket: from.get(OpenBucket), prefix: config.prefix, watch: from.get(OwnBucketHealth) }),
      isOutsideBackups: !config.backups,
      isLeaving: config.move_back,
    }));
    contribute(Probes, (from) => createBucketProbe(from.get(OpenBucket), from.get(OwnBucketHealth)));
    contribute(Checks, (from) => {
      const bucket = from.get(OpenBucket);
      return createBucketCheck({
        bucket,
        watch: from.get(OwnBucketHealth),
        readKeys: () => readKeys(config, from.get(Environment)),
        reach: () => reachBucket(bucket, config),
      });
    });
  },
  async start({ config, get, log }) {
    const bucket = get(OpenBucket);
    await examineBucket({ bucket, config, secrets: get(SecretBox) });
    log.info("files are stored in a bucket", { bucket: bucket.location, in_backups: config.backups });
  },
});
