/**
 * The rules of a subscription: filters that select messages and actions that edit the selected copy.
 *
 * <pre>
 * filter     := condition
 * condition  := condition OR condition | condition AND condition | NOT condition | ( condition )
 *             | value { = | &lt;&gt; | != | &gt; | &gt;= | &lt; | &lt;= } value
 *             | value [NOT] LIKE value [ESCAPE value] | value [NOT] IN ( value [, value ...] )
 *             | property IS [NOT] NULL | EXISTS ( property )
 * value      := value { + | - | * | / | % } value | { + | - } value | ( value )
 *             | property | 'text' | 1 | 1.5 | 1.5E3 | TRUE | FALSE | NULL | &#64;parameter
 *             | newid() | property(value) | p(value)
 * property   := [ sys. | user. ] { name | [name] | "name" }
 * action     := statement [;] [statement [;] ...]
 * statement  := SET property = value | REMOVE property
 * </pre>
 *
 * <p>Keywords and property names ignore case. Text is compared by UTF-16 unit, case-sensitively.
 *
 * <p><b>Three truth values.</b> An absent property, a null property and NULL have no value. An operator with such an operand is unknown,
 * except {@code IS NULL} and {@code EXISTS}, which are always known, and {@code IN}, which skips list entries without a value. AND is
 * false if one side is false, and OR true if one side is true; otherwise unknown wins. NOT keeps unknown. A filter selects a message
 * only if it is true.
 *
 * <p><b>Types.</b> Numbers compare and compute by value: integers with 64 bits and silent wrap-around, with a double as double, with a
 * decimal as decimal. Values of different types, such as a number and text, compare as unknown. Integer division by zero, arithmetic on
 * types without it, and unknown system properties fail the evaluation: {@link
 * dev.waybill.servicebus.embedded.filter.FilterEvaluationException}.
 *
 * <p><b>Limits.</b> 1,024 characters per expression, 32 statements per action, 100 levels of nesting, 65,536 characters of concatenated
 * text.
 *
 * <p>All parsed objects are immutable and thread-safe.
 */
@NullMarked
package dev.waybill.servicebus.embedded.filter;

import org.jspecify.annotations.NullMarked;
