import { Check } from "@medusajs/icons"
import { clx, Popover, Text } from "@medusajs/ui"
import { useEffect, type RefObject } from "react"
import { useLocale, useText } from "../text"
import type { Item } from "./leaving"

type Props<One extends Item> = {
  id: string
  name: string
  /** The input, which keeps the focus. */
  field: RefObject<HTMLInputElement | null>
  isOpen: boolean
  items: readonly One[]
  active: number
  chosen: Item | null
  note: string | null
  onMark: (index: number) => void
  onChoose: (item: One) => void
}

/** Lets the list scroll: a dialog blocks scrolling of the page behind it, where the list is mounted. */
function keepScrolling(list: HTMLUListElement | null): void {
  for (const gesture of ["wheel", "touchmove"]) {
    list?.addEventListener(gesture, (event) => event.stopPropagation(), { passive: true })
  }
}

/** The list below a `SearchChoice`. The focus stays in the input; screen readers follow `aria-activedescendant`. */
export function FoundList<One extends Item>({
  id,
  name,
  field,
  isOpen,
  items,
  active,
  chosen,
  note,
  onMark,
  onChoose,
}: Props<One>) {
  const say = useText()
  const locale = useLocale()
  useEffect(() => {
    if (isOpen) {
      document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" })
    }
  }, [id, active, isOpen])
  const count = items.length === 0 ? "" : say("choice.found", { count: items.length })
  return (
    <>
      <span role="status" className="sr-only">
        {isOpen ? [count, note].filter(Boolean).join(". ") : ""}
      </span>
      <Popover.Content
        role="group"
        aria-label={name}
        lang={locale}
        sideOffset={4}
        collisionPadding={8}
        style={{ width: "max(var(--radix-popper-anchor-width), 220px)" }}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        onInteractOutside={(event) => field.current?.contains(event.target as Node) && event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
      >
        <ul
          ref={keepScrolling}
          role="listbox"
          id={id}
          aria-label={name}
          className="overflow-y-auto overscroll-contain"
          style={{ maxHeight: 256 }}
        >
          {items.map((item, index) => (
            <FoundItem
              key={item.value}
              id={`${id}-${index}`}
              label={item.label}
              isActive={index === active}
              isChosen={item.value === chosen?.value}
              onMark={() => onMark(index)}
              onChoose={() => onChoose(item)}
            />
          ))}
        </ul>
        {note !== null && (
          <Text size="xsmall" className="text-ui-fg-subtle px-2 py-1.5" aria-hidden>
            {note}
          </Text>
        )}
      </Popover.Content>
    </>
  )
}

type ItemProps = {
  id: string
  label: string
  isActive: boolean
  isChosen: boolean
  onMark: () => void
  onChoose: () => void
}

const FoundItem = ({ id, label, isActive, isChosen, onMark, onChoose }: ItemProps) => (
  <li
    id={id}
    role="option"
    aria-selected={isChosen}
    className={clx(
      "txt-compact-small flex cursor-pointer items-center gap-2 rounded-md px-2 py-2",
      isActive && "bg-ui-bg-base-hover"
    )}
    onMouseMove={onMark}
    onClick={onChoose}
  >
    <span className="min-w-0 flex-1 break-words">{label}</span>
    {isChosen && <Check className="text-ui-fg-subtle shrink-0" />}
  </li>
)
