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
 * <p>Keywords and property names ignore case; text compares by UTF-16 unit and minds it.
 *
 * <p><b>Three truth values.</b> A property that is absent or null has no value, and neither does NULL. An
 * operator with such an operand is unknown, except {@code IS NULL} and {@code EXISTS}, which always know, and
 * {@code IN}, which skips list entries without a value. AND is false as soon as one side is false, OR is true as
 * soon as one side is true, otherwise unknown wins; NOT leaves unknown as it is. A filter selects a message only
 * when it is true, so unknown selects as little as false does.
 *
 * <p><b>Types.</b> Numbers compare and compute by value: integers with 64 bits and silent wrap-around, with a
 * double as double, with a decimal as decimal. Values of unlike types, such as a number and text, compare as
 * unknown. Integer division by zero, arithmetic on types that have none, and a system property that does not
 * exist are errors of evaluation: {@link dev.waybill.servicebus.embedded.filter.FilterEvaluationException}.
 *
 * <p><b>Limits.</b> 1,024 characters per expression, 32 statements per action, 100 levels of nesting,
 * 65,536 characters of concatenated text.
 *
 * <p>Everything parsed is immutable and safe to share between threads.
 */
@NullMarked
package dev.waybill.servicebus.embedded.filter;

import org.jspecify.annotations.NullMarked;
