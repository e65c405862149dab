// SQL of the job store, for both engines.
const COLUMNS = "id, kind, payload, runs, failures, priority, due_ms, progress, progress_text, cancel_asked";
export const ADD_JOB = `insert into jobs (id, kind, job_key, state, priority, due_ms, payload, kept_payload, schedule_id, trace_id,
  created_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (kind, job_key) where job_key is not null do nothing`;
export const RELEASE_KEY =
  "update jobs set job_key = null where kind = ? and job_key = ? and state not in ('later', 'waiting')";
export const MOVE_JOB = `update jobs set state = ?, due_ms = ?, payload = ?, kept_payload = ?, trace_id = ?, failures = 0, lost = 0
  where kind = ? and job_key = ?`;
const SET_PAYLOAD_COPY = "payload = coalesce(kept_payload, payload)";
export const FIND_BY_KEY = "select id from jobs where kind = ? and job_key = ?";
export const READ_HEADS = `select id, priority, due_ms from jobs where state = 'waiting' and kind = ?
  order by priority desc, due_ms, id limit ?`;
export const CLAIM_JOBS = `update jobs set state = 'running', runs = runs + 1, lease_owner = ?, lease_until_ms = ?, started_ms = ?
  where state = 'waiting' and id in (select id from jobs where state = 'waiting' and kind = ?
  order by priority desc, due_ms, id limit ?) returning ${COLUMNS}`;
export const PROMOTE = `update jobs set state = 'waiting' where state = 'later' and id in
  (select id from jobs where state = 'later' and due_ms <= ? order by due_ms, id limit ?) returning kind`;
export const NEXT_DUE = "select min(due_ms) as at_ms from jobs where state = 'later'";
export const NEXT_LEASE = "select min(lease_until_ms) as at_ms from jobs where state = 'running' and lease_owner <> ?";
export const RENEW =
  "update jobs set lease_until_ms = ? where id = ? and runs = ? and state = 'running' returning cancel_asked";
export const GUARD_RUN = "update jobs set lease_until_ms = ? where id = ? and runs = ? and state = 'running'";
export const PROGRESS =
  "update jobs set progress = ?, progress_text = ? where id = ? and runs = ? and state = 'running'";
// A job whose cancellation was requested in the last moment does not sleep: its next run ends it.
const SET_ENDING = `state = ?, due_ms = case when cancel_asked = 1 then due_ms else coalesce(?, due_ms) end,
  failures = failures + ?, lost = 0, lease_owner = null, lease_until_ms = null, progress = ?, progress_text = ?, error_code = ?, error = ?, told = ?, finished_ms = ?
  where id = ? and runs = ? and state = 'running'`;
export const END_RUN = `update jobs set ${SET_ENDING}`;
export const END_FINISHED = `update jobs set ${SET_PAYLOAD_COPY}, cancel_asked = 0, ${SET_ENDING}`;
const IS_ABANDONED = "state = 'running' and lease_owner <> ? and lease_until_ms < ?";
export const READ_ABANDONED = `select id, kind, payload, runs, cancel_asked from jobs
  where ${IS_ABANDONED} and (cancel_asked = 1 or lost >= ?)`;
export const CANCEL_ABANDONED = `update jobs set state = 'canceled', ${SET_PAYLOAD_COPY}, lease_owner = null, lease_until_ms = null, cancel_asked = 0,
  finished_ms = ? where ${IS_ABANDONED} and cancel_asked = 1`;
export const FAIL_ABANDONED = `update jobs set state = 'dead', ${SET_PAYLOAD_COPY}, lease_owner = null, lease_until_ms = null,
  error_code = ?, error = ?, told = ?, finished_ms = ? where ${IS_ABANDONED} and lost >= ?`;
export const AND_THIS_RUN = " and id = ? and runs = ?";
export const RELEASE_ABANDONED = `update jobs set state = 'waiting', lost = lost + 1, lease_owner = null, lease_until_ms = null
  where ${IS_ABANDONED}`;
export const READ_ENDING_JOB = "select id, kind, payload from jobs where id = ?";
export const CANCEL_IDLE = `update jobs set state = 'canceled', ${SET_PAYLOAD_COPY}, finished_ms = ?
  where id = ? and state in ('later', 'waiting', 'dead')`;
export const REQUEST_CANCEL = "update jobs set cancel_asked = 1 where id = ? and state = 'running'";
export const RERUN = `update jobs set state = 'waiting', due_ms = ?, failures = 0, lost = 0, error_code = null, error = null, told = null,
  finished_ms = null where id = ? and state in ('later', 'dead', 'canceled')`;
export const FORGET_STARTED = "delete from job_steps where job_id = ? and state = 'started'";
export const READ_STEP = "select state, result from job_steps where job_id = ? and name = ?";
export const START_STEP = `insert into job_steps (job_id, name, state, started_ms) values (?, ?, 'started', ?)
  on conflict (job_id, name) do nothing`;
export const END_STEP = "update job_steps set state = 'done', result = ? where job_id = ? and name = ?";
export const DROP_STEP = "delete from job_steps where job_id = ? and name = ? and state = 'started'";
export const ADD_LINE = "insert into job_logs (job_id, line, at_ms, text, told) values (?, ?, ?, ?, ?)";
export const TRIM_LINES = `delete from job_logs where job_id = ? and line <
  (select min(line) from (select line from job_logs where job_id = ? order by line desc limit ?) as kept)`;
const EXPIRED_JOBS = `(select id from jobs where finished_ms < ? and (state = 'done' or finished_ms < ?)
  order by finished_ms, id limit ?)`;
export const PRUNE = [
  `delete from job_logs where job_id in ${EXPIRED_JOBS}`,
  `delete from job_steps where job_id in ${EXPIRED_JOBS}`,
  `delete from jobs where id in ${EXPIRED_JOBS}`,
];
