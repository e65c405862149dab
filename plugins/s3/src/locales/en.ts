/** English texts of plugin s3. */
export const en = {
  damaged: "a file in the bucket is damaged: its content differs from what was stored",
  other_content: "the content differs from what was announced",
  unwell: "the bucket that stores the files is not responding properly",
  finding_failing: "files cannot be stored or read: {reason}",
  finding_failing_advice: "check the server of the bucket, the network and the rights of the key; it resumes by itself",
} as const;
