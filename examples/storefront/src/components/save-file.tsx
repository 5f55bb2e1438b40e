import { h } from "../lib/dom"
import { describeError } from "../lib/errors"
import { t } from "../text"
import { isBusy, showProblem, whileBusy } from "./notice"

type Saving = {
  button: HTMLButtonElement
  problem: HTMLElement
  name: string
  load: () => Promise<Blob>
  /** Whether an error is dealt with already. */
  onError?: (error: unknown) => boolean
}

/** Saves a file that needs the shopper's headers: a link has none. */
export async function saveFile({ button, problem, name, load, onError }: Saving): Promise<void> {
  if (isBusy(button)) {
    return
  }
  problem.replaceChildren()
  try {
    const url = URL.createObjectURL(await whileBusy(button, t.loading, load))
    const link = (<a href={url} download={name} />) as HTMLAnchorElement
    link.click()
    // By then the browser has started to save it.
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  } catch (error) {
    if (!onError?.(error)) {
      showProblem(problem, describeError(error))
    }
  }
}
