// What a runner is, and what it reports.

/** What a runner reports. */
export interface Outcome {
  cases: number
  failures: number
  /** By default none, like those skipped. */
  warnings?: number
  skipped?: number
  /** Why the run failed. */
  problems: string[]
}

export interface Runner {
  name: string
  version: string
  /** The programs that it needs. */
  needs: string[]
  /** Its report goes to `folder`, which ends in a slash. */
  run: (folder: string) => Promise<Outcome>
}

export type Result = Partial<Outcome> & { name: string; version: string; seconds: number; problems: string[] }
