import ts from "typescript"
import { isKnown, UNKNOWN } from "./syntax.mjs"

/** An object literal, read member by member. */
export class Literal {
  constructor(node, evaluator) {
    this.node = node
    this.evaluator = evaluator
  }

  /** The possible values of a member; the last one that gives it counts. */
  forms(name) {
    for (const property of [...this.node.properties].reverse()) {
      const forms = ts.isSpreadAssignment(property) ? this.spread(property, name) : this.own(property, name)
      if (forms !== null) {
        return forms
      }
    }
    return [undefined]
  }

  own(property, name) {
    if (property.name.getText() !== name) {
      return null
    }
    if (ts.isPropertyAssignment(property)) {
      return this.evaluator.forms(property.initializer)
    }
    return ts.isShorthandPropertyAssignment(property)
      ? this.evaluator.named(this.evaluator.checker.getShorthandAssignmentValueSymbol(property), property.name)
      : [UNKNOWN]
  }

  /** Null when the object that is spread has no such member. */
  spread({ expression }, name) {
    const forms = this.evaluator.forms(expression).flatMap((object) => this.evaluator.member(object, name))
    return forms.every((form) => form === undefined) ? null : forms
  }

  /** The object itself, when every member has one known value. */
  get plain() {
    const parts = this.node.properties.map((property) => {
      const name = property.name?.getText()
      const forms = name === undefined ? this.evaluator.forms(property.expression) : this.forms(name)
      const [form] = forms.map((one) => (one instanceof Literal ? one.plain : one))
      return forms.length !== 1 || !isKnown(form) ? UNKNOWN : name === undefined ? form : { [name]: form }
    })
    return parts.includes(UNKNOWN) ? UNKNOWN : Object.assign({}, ...parts)
  }
}
