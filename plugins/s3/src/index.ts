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
import { type Bucket, createBucket } from "./bucket.ts";
import { bucketCheck } from "./check.ts";
import { S3_CONFIG, type S3Config } from "./config.ts";
import { examineBucket, reachBucket } from "./examine-bucket.ts";
import { bucketProbe } from "./probe.ts";
import { createWatch, type Watch } from "./watch.ts";

const OpenBucket = serviceKey<Bucket>("s3-bucket");
const BucketWatch = serviceKey<Watch>("s3-watch");

/** Stored files lie in a bucket, and not in the data folder. */
export default definePlugin<S3Config>({
  id: "s3",
  requires: [SecretBox],
  config: S3_CONFIG,
  register({ config, log, provide, contribute }) {
    provide(OpenBucket, (from) =>
      createBucket({ config, environment: from.get(Environment), egress: from.get(Egress) }),
    );
    provide(BucketWatch, (from) => {
      const bucket = from.get(OpenBucket);
      return createWatch({ clock: from.get(Clock), log, reach: (signal) => reachBucket(bucket, config, signal) });
    });
    provide(BlobStore, (from) => ({
      ...createBlobs({ bucket: from.get(OpenBucket), prefix: config.prefix, watch: from.get(BucketWatch) }),
      isOutsideBackups: !config.backups,
      isLeaving: config.move_back,
    }));
    contribute(Probes, (from) => bucketProbe(from.get(OpenBucket), from.get(BucketWatch)));
    contribute(Checks, (from) => {
      const bucket = from.get(OpenBucket);
      return bucketCheck({ bucket, watch: from.get(BucketWatch), reach: () => reachBucket(bucket, config) });
    });
  },
  async start({ config, get, log }) {
    const bucket = get(OpenBucket);
    await examineBucket({ bucket, config, secrets: get(SecretBox) });
    log.info(
      `files are in the ${bucket.place}${config.backups ? "" : ": backups have their rows, and not what is in it"}`,
    );
  },
});
