import { XMarkMini } from "@medusajs/icons"
import { IconButton, Input, Popover, Select, Textarea } from "@medusajs/ui"
import { type ComponentProps, type KeyboardEvent, useId, useRef, useState } from "react"
import { typedAmount } from "../../../i18n/typed"
import { type Say, useText } from "../text"
import { Field, type FieldTexts } from "./form"
import { FoundList } from "./found-list"
import { type Found, type Item, type Search, useFound } from "./leaving"

type ChoiceProps<Value extends string> = FieldTexts & {
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  /** Of the select, such as its width. */
  className?: string
}

/** A select for one of several values, with its label, hint and error. */
export function ChoiceField<Value extends string>({
  value,
  options,
  onChange,
  className,
  ...texts
}: ChoiceProps<Value>) {
  return (
    <Field {...texts} value={value}>
      {(tied) => (
        <Select value={value} onValueChange={(next) => onChange(next as Value)}>
          <Select.Trigger {...tied} className={className}>
            <Select.Value />
          </Select.Trigger>
          <Select.Content>
            {options.map((option) => (
              <Select.Item key={option.value} value={option.value}>
                {option.label}
              </Select.Item>
            ))}
          </Select.Content>
        </Select>
      )}
    </Field>
  )
}

type Entry = { value: string; onChange: (value: string) => void }

/** A member of a draft as the `value` and `onChange` of its field. */
export function entryOf<Name extends string, Draft extends Record<Name, string>>(
  draft: Draft,
  onChange: (draft: Draft) => void,
  name: Name
): Entry {
  return { value: draft[name], onChange: (value) => onChange({ ...draft, [name]: value }) }
}

const NUMBERS = ["decimal", "numeric"]

/** A line of text with its label, hint and error. Numbers are taken as pages print them: ৳১,০০০.০০ becomes 1000.00. */
export const TextField = ({
  label,
  hint,
  fault,
  otherFault,
  optional,
  onChange,
  ...input
}: FieldTexts & Entry & Omit<ComponentProps<typeof Input>, keyof Entry>) => (
  <Field {...{ label, hint, fault, otherFault, optional }} value={input.value}>
    {(tied) => (
      <Input
        {...tied}
        {...input}
        onChange={({ target: { value } }) =>
          onChange(NUMBERS.includes(input.inputMode ?? "") ? typedAmount(value) : value)
        }
      />
    )}
  </Field>
)

/** Several lines of text with their label, hint and error. */
export const TextAreaField = ({
  label,
  hint,
  fault,
  otherFault,
  optional,
  onChange,
  ...input
}: FieldTexts & Entry & Omit<ComponentProps<typeof Textarea>, keyof Entry>) => (
  <Field {...{ label, hint, fault, otherFault, optional }} value={input.value}>
    {(tied) => <Textarea {...tied} {...input} onChange={({ target }) => onChange(target.value)} />}
  </Field>
)

type SearchProps<One extends Item> = {
  /** From a `Field`; without one, an `aria-label`. */
  tied: { id?: string; "aria-describedby"?: string; "aria-invalid"?: boolean; "aria-label"?: string }
  /** The kind of the list's items, for screen readers. */
  name: string
  placeholder: string
  chosen: One | null
  onChoose: (item: One | null) => void
  search: Search<One>
  size?: "small" | "base"
}

/**
 * Chooses one item from more than a menu can hold: typed, searched by the server, chosen by keyboard or mouse (the
 * combobox of the ARIA practices, with a list and manual selection). An emptied field chooses nothing; leaving the
 * field with unfinished text restores the former choice.
 */
export function SearchChoice<One extends Item>(props: SearchProps<One>) {
  const { tied, name, placeholder, chosen, onChoose, size = "base" } = props
  const say = useText()
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  const { typed, isOpen, items, active, note, show, leave, mark, choose, onKeyDown } = useChoosing(props)
  const clear = () => {
    choose(null)
    input.current?.focus()
  }
  return (
    <Popover open={isOpen} onOpenChange={(next) => !next && leave()}>
      <Popover.Anchor asChild>
        <div className="relative">
          <Input
            {...tied}
            ref={input}
            size={size}
            role="combobox"
            autoComplete="off"
            className={chosen === null ? undefined : "pr-8"}
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? list : undefined}
            aria-activedescendant={isOpen && active >= 0 ? `${list}-${active}` : undefined}
            placeholder={placeholder}
            value={typed ?? chosen?.label ?? ""}
            onFocus={({ target }) => target.select()}
            onClick={() => !isOpen && show(typed)}
            onBlur={leave}
            onKeyDown={onKeyDown}
            onChange={({ target: { value } }) => {
              show(value)
              if (value === "" && chosen !== null) {
                onChoose(null)
              }
            }}
          />
          {chosen !== null && (
            <div className="absolute inset-y-0 right-1 flex items-center">
              <IconButton
                type="button"
                size="xsmall"
                variant="transparent"
                aria-label={say("choice.clear", { name })}
                onClick={clear}
              >
                <XMarkMini />
              </IconButton>
            </div>
          )}
        </div>
      </Popover.Anchor>
      <FoundList
        id={list}
        field={input}
        onMark={mark}
        onChoose={choose}
        {...{ name, isOpen, items, active, chosen, note }}
      />
    </Popover>
  )
}

/** The typed text, the found items and the marked one. */
function useChoosing<One extends Item>({ chosen, onChoose, search }: SearchProps<One>) {
  const say = useText()
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [marked, mark] = useState<number | null>(null)
  const text = (typed ?? "").trim()
  const { found, error } = useFound(search, text, isOpen)
  const items = found?.items ?? []
  const byItself = text === "" ? items.findIndex(({ value }) => value === chosen?.value) : 0
  const active = Math.min(marked ?? byItself, items.length - 1)
  const turn = (open: boolean, next: string | null) => {
    setOpen(open)
    setTyped(next)
    mark(null)
  }
  const choose = (item: One | null) => {
    onChoose(item)
    turn(false, null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, nativeEvent } = event
    // Enter confirms a word that is being composed, also with Bangla keyboards.
    if (nativeEvent.isComposing) {
      return
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault()
      if (!isOpen) {
        turn(true, typed)
      } else if (items.length > 0) {
        mark(stepped(active, key === "ArrowDown" ? 1 : -1, items.length))
      }
    } else if (key === "Enter" && isOpen) {
      // Enter must not submit the form around it.
      event.preventDefault()
      if (items[active] !== undefined) {
        choose(items[active])
      }
    }
  }
  const note = error === null ? noteOf(say, search, text, found) : `${say("common.not_loaded")}: ${error.message}`
  return {
    typed,
    isOpen,
    items,
    active,
    note,
    show: (next: string | null) => turn(true, next),
    leave: () => turn(false, null),
    mark,
    choose,
    onKeyDown,
  }
}

function stepped(active: number, by: 1 | -1, count: number): number {
  const next = active + by
  return next < 0 ? count - 1 : next % count
}

/** The message below the list, or in its place. */
function noteOf(
  say: Say,
  { none, nothing }: Search<Item>,
  text: string,
  found: Found<Item> | undefined
): string | null {
  if (found === undefined) {
    return say("common.loading")
  }
  if (found.items.length === 0) {
    return text === "" ? none : nothing
  }
  return found.more ? say("choice.more", { count: found.items.length }) : null
}
