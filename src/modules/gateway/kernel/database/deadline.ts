import { messageOf } from "../../../../i18n/message"
import { GatewayError } from "../errors"

/** Nobody waits for a piece of work any more; it may still end. */
export class DeadlinePassed extends GatewayError {
  constructor(seconds: number) {
    super("SERVICE_UNAVAILABLE", messageOf("work.deadline", { seconds }))
  }
}

/**
 * What `work` answers, or DeadlinePassed when it takes longer. Nothing can stop the work itself: what it writes later
 * must be fenced or harmless, as after the death of its process. An error that comes later is nobody's any more.
 */
export async function withinDeadline<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlinePassed(seconds)), seconds * 1_000)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
