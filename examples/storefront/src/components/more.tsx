import { h, type View } from "../lib/dom"
import { describeError, isSignedOut } from "../lib/errors"
import { replace } from "../lib/router"
import { signInPath } from "../store/account"
import { t } from "../text"
import { NoticeArea, isBusy, showProblem, whileBusy } from "./notice"

type MoreProps = {
  /** Names the area of its problems. */
  id: string
  /** Where a shopper whose sign-in has expired goes on afterwards; absent: the list is for everybody. */
  here?: string
  list: Element
  /** How many there are in all. */
  count: number
  /** The rows after the first `offset`. */
  load: (offset: number) => Promise<View[]>
}

/** A button below a list that adds its next page; absent when the list is complete. */
export function ShowMore({ id, here, list, count, load }: MoreProps): View {
  const problem = <NoticeArea id={`${id}-problem`} />
  const button = (
    <button class="button button-quiet" type="button" onClick={showMore}>
      {t.list.more}
    </button>
  ) as HTMLButtonElement

  async function showMore() {
    if (isBusy(button)) {
      return
    }
    problem.replaceChildren()
    try {
      const rows = await whileBusy(button, t.loading, () => load(list.children.length))
      list.append(...rows)
      rows[0]?.querySelector<HTMLElement>("a, button")?.focus()
      if (rows.length === 0 || list.children.length >= count) {
        button.remove()
      }
    } catch (error) {
      if (here !== undefined && isSignedOut(error)) {
        replace(signInPath(here, "expired"))
        return
      }
      showProblem(problem, describeError(error))
    }
  }

  return (
    <div class="more" hidden={list.children.length >= count}>
      {problem}
      {button}
    </div>
  )
}
